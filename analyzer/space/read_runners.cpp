#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analyzer/space/field_reader.h"
#include "analyzer/space/read.h"
#include "analyzer/space/read_support.h"

namespace recipelint::space {
namespace {

/// Before July 2026 the file was the mapping of labels itself.
bool is_flat(yaml::Node root) {
  if (root.size() == 0 || root.find("labels") || root.find("hardware")) return false;
  return std::ranges::all_of(root.entries(),
                             [](const auto& label) { return label.value.is_sequence(); });
}

void read_label(const yaml::Node::Entry& written, Runners& runners, Reporter& reporter) {
  const std::string_view name = written.key.text();
  if (!written.key.as_string()) {
    reporter.report(written.key.span(),
                    fmt::format("A runner label must be a string, not {}.", describe(written.key)),
                    "labels/key");
    return;
  }
  RunnerLabel& label = runners.labels.emplace_back();
  label.name = name;
  label.span = written.key.span();
  if (!written.value.is_sequence()) {
    reporter.report(written.value.span(),
                    fmt::format("Runner label '{}' must be a list of runners, not {}.", name,
                                describe(written.value)),
                    fmt::format("{}/type", name));
    return;
  }
  if (written.value.size() == 0) {
    reporter.report(written.value.span(), fmt::format("Runner label '{}' has no runner.", name),
                    fmt::format("{}/empty", name));
  }
  for (std::size_t i = 0; i < written.value.size(); ++i) {
    const yaml::Node item = written.value.item(i);
    if (item.as_string()) {
      label.nodes.push_back({item.text(), item.span()});
      continue;
    }
    reporter.report(
        item.span(),
        fmt::format("Runner label '{}' must hold only strings, not {}.", name, describe(item)),
        fmt::format("{}/item", name));
  }
}

void check_positive(const Integer& field, std::string_view name, Reporter& reporter) {
  if (!field || *field > 0) return;
  reporter.report(field.span(), fmt::format("'{}' must be greater than 0, not {}.", name, *field),
                  fmt::format("{}/positive", name));
}

void read_hardware(const yaml::Node::Entry& written, Runners& runners, Reporter& reporter) {
  const std::string_view name = written.key.text();
  if (!written.key.as_string() || !written.value.is_mapping()) {
    reporter.report(written.key.span(),
                    fmt::format("The hardware of '{}' must be a mapping under a string, not {}.",
                                name, describe(written.value)),
                    fmt::format("{}/type", name));
    return;
  }
  RunnerHardware& hardware = runners.hardware.emplace_back();
  hardware.label = name;
  hardware.span = written.key.span();
  FieldReader fields(reporter, written.value, fmt::format("the hardware of '{}'", name),
                     hardware.span);
  fields.integer("available-cpu-dram-mib", hardware.available_cpu_dram_mib, Need::kRequired,
                 Use::kComputed);
  fields.integer("gpus-per-node", hardware.gpus_per_node, Need::kRequired, Use::kComputed);
  fields.finish();
  check_positive(hardware.available_cpu_dram_mib, "available-cpu-dram-mib", reporter);
  check_positive(hardware.gpus_per_node, "gpus-per-node", reporter);
}

void read_flat(yaml::Node root, Runners& runners, Reporter& reporter) {
  runners.generation = Generation::kOlder;
  auto& problem = reporter.report(head_of(root),
                                  "The file follows an older layout: labels at the top, without "
                                  "'labels' and 'hardware'. It is read as such.",
                                  "older-layout");
  problem.severity = Severity::kNote;
  for (const auto& label : root.entries()) read_label(label, runners, reporter);
}

void read_root(yaml::Node root, Runners& runners, Reporter& reporter) {
  if (!root.is_mapping()) {
    reporter.report(
        root.span(),
        fmt::format("The runner configuration must be a mapping, not {}.", describe(root)),
        "root/type");
    return;
  }
  if (is_flat(root)) return read_flat(root, runners, reporter);
  FieldReader fields(reporter, root, "the runner configuration", head_of(root));
  if (const yaml::Node labels = fields.mapping("labels", Need::kRequired)) {
    for (const auto& label : labels.entries()) read_label(label, runners, reporter);
  }
  if (const yaml::Node hardware = fields.mapping("hardware", Need::kOptional)) {
    for (const auto& machine : hardware.entries()) read_hardware(machine, runners, reporter);
  }
  fields.finish();
}

}  // namespace

Runners read_runners(std::shared_ptr<const yaml::Document> document,
                     std::vector<Problem>& problems) {
  Runners runners;
  runners.document = std::move(document);
  const std::size_t before = problems.size();
  report_duplicate_keys(*runners.document, problems);
  Reporter reporter(problems, kSchemaRule);
  read_root(runners.document->root(), runners, reporter);
  sort_from(problems, before);
  return runners;
}

}  // namespace recipelint::space
