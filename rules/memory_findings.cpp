#include "rules/memory_findings.h"

#include <fmt/format.h>

#include <utility>

#include "rules/origin_flow.h"
#include "rules/server_load.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using serving::memory::Remedy;
using serving::memory::Topology;

std::string remedy_text(const Remedy& remedy, const Topology& topology) {
  const std::string fits =
      fmt::format(": {} of {} are needed then", gib(remedy.need), gib(remedy.available));
  switch (remedy.kind) {
    case Remedy::Kind::kStepTokens:
      return fmt::format("Lower the tokens of a step (--max-num-batched-tokens) to {}{}.",
                         static_cast<std::int64_t>(remedy.value), fits);
    case Remedy::Kind::kLength:
      return fmt::format("Commit to {} tokens{}.", static_cast<std::int64_t>(remedy.value), fits);
    case Remedy::Kind::kFormat:
      return fmt::format("Store the KV cache as fp8{}.", fits);
    case Remedy::Kind::kRanks:
      return fmt::format("Use {} tensor-parallel ranks instead of {}{}.", remedy.value,
                         topology.question.tensor, fits);
    case Remedy::Kind::kFraction:
      break;
  }
  return fmt::format("Give it {:.2f} of the memory of a GPU{}.", remedy.value, fits);
}

/// " 'org/name'"; nothing if it has none.
std::string name_of_model(const Topology& topology) {
  std::string name(topology.cells.front()->model());
  if (name.empty()) name = topology.server->config.model.value_or("");
  return name.empty() ? name : fmt::format(" '{}'", name);
}

}  // namespace

std::string gib(double bytes) {
  return fmt::format("{:.2f} GiB", bytes / serving::memory::kGib);
}

std::string subject_of(const Topology& topology) {
  const auto& question = topology.question;
  return fmt::format("'{}' on {} {} GPU{} ({})", question.model->repository, topology.fit.gpus,
                     question.gpu->name, topology.fit.gpus == 1 ? "" : "s",
                     engine_phrase(topology.server->config));
}

Finding memory_finding(const Topology& topology, std::string_view rule, findings::Level level,
                       text::Span decides, const text::Origin& origin) {
  Finding finding;
  finding.rule = rule;
  finding.level = level;
  finding.primary = decides.valid() ? decides : topology.server->launch->span;
  finding.flow = flow_of(origin, finding.primary);
  if (const auto* row = topology.cells.front()->row()) {
    if (!finding.primary.valid()) finding.primary = row->row->span();
    finding.related.push_back({row->row->span(), "a cell of this row"});
  }
  finding.cells = topology.cell_names();
  const auto& question = topology.question;
  finding.facts = {
      fmt::format("'{}': {} to {} bytes ({})", question.model->repository,
                  question.model->bytes_low.value_or(0), question.model->bytes_high.value_or(0),
                  facts::to_string(*question.model->evidence)),
      fmt::format("shape of {} ({})", question.model->family->name,
                  facts::to_string(*question.model->family->evidence)),
      fmt::format("'{}': {} ({})", question.gpu->name, gib(topology.fit.total),
                  facts::to_string(*question.gpu->evidence))};
  if (topology.fit.measured != nullptr) {
    finding.facts.push_back(fmt::format("measured with exactly this topology ({})",
                                        facts::to_string(*topology.fit.measured->evidence)));
  }
  finding.identity = fmt::format("{} {} {} {}", serving::memory::owner_of(*topology.cells.front()),
                                 question.model->repository, question.gpu->name, topology.fit.gpus);
  return finding;
}

void leave_topology_open(findings::FindingSink& sink, std::string_view rule,
                         const Topology& topology, const std::vector<std::string>& facts) {
  if (facts.empty()) return;
  std::string fact = facts.front();
  if (topology.question.model == nullptr) fact += name_of_model(topology);
  const std::string cause = fact + " is not known";
  for (std::string& cell : topology.cell_names()) {
    sink.report_unevaluated({std::string(rule), cause, std::move(cell)});
  }
}

std::vector<std::string> remedies_of(const Topology& topology) {
  std::vector<std::string> texts;
  for (const Remedy& remedy : topology.fit.remedies) {
    texts.push_back(remedy_text(remedy, topology));
  }
  return texts;
}

}  // namespace recipelint::rules
