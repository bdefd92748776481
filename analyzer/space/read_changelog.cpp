#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/space/field_reader.h"
#include "analyzer/space/read.h"
#include "analyzer/space/read_support.h"
#include "analyzer/text/utf8.h"

namespace recipelint::space {
namespace {

/// Entries cost more memory than the text that makes them.
constexpr std::size_t kMostEntries = 50'000;
constexpr std::string_view kEntryStart = "- config-keys:";

/// First place of `byte`, or an invalid span.
text::Span find_byte(const text::SourceFile& file, char byte) {
  const std::size_t at = file.bytes().find(byte);
  if (at == std::string_view::npos) return {};
  const auto begin = static_cast<std::uint32_t>(at);
  return file.span(begin, begin + 1);
}

text::Span find_malformed_utf8(const text::SourceFile& file) {
  const std::string_view bytes = file.bytes();
  for (std::size_t at = 0; at < bytes.size();) {
    const text::Utf8Character character = text::decode_utf8(bytes.substr(at));
    const auto begin = static_cast<std::uint32_t>(at);
    if (!character.valid) return file.span(begin, begin + 1);
    at += character.size;
  }
  return {};
}

void check_bytes(const text::SourceFile& file, Reporter& reporter) {
  struct Forbidden {
    char byte;
    std::string_view name;
  };
  constexpr std::array<Forbidden, 3> kForbidden = {
      {{'\r', "a carriage return"}, {'\t', "a tab"}, {'\0', "a NUL byte"}}};
  for (const auto& [byte, name] : kForbidden) {
    const text::Span span = find_byte(file, byte);
    if (!span.valid()) continue;
    reporter.report(span, fmt::format("The changelog must not contain {}.", name),
                    fmt::format("bytes/{}", name));
  }
  const text::Span malformed = find_malformed_utf8(file);
  if (malformed.valid()) {
    reporter.report(malformed, "The changelog must be valid UTF-8.", "bytes/utf8");
  }
  if (!file.bytes().ends_with('\n')) {
    const auto end = static_cast<std::uint32_t>(file.bytes().size());
    reporter.report(file.span(end, end), "The changelog must end with a newline.", "bytes/newline");
  }
}

std::size_t count_entry_starts(const text::SourceFile& file) {
  std::size_t count = 0;
  for (std::uint32_t line = 1; line <= file.line_count(); ++line) {
    if (file.line(line).bytes().starts_with(kEntryStart)) ++count;
  }
  return count;
}

void check_entry_starts(const text::SourceFile& file, std::size_t entries, Reporter& reporter) {
  const std::size_t starts = count_entry_starts(file);
  if (starts == entries) return;
  reporter.report(
      file.span(0, 0),
      fmt::format("The changelog has {} lines that start with '{}', but {} entries; each "
                  "entry must start with that line.",
                  starts, kEntryStart, entries),
      "entries/count");
}

void read_strings(FieldReader& fields, std::string_view name, std::vector<String>& strings,
                  Reporter& reporter) {
  const yaml::Node list = fields.list(name, Need::kRequired);
  if (!list) return;
  const yaml::Node key = fields.key_of(name);
  if (list.size() == 0) {
    reporter.report(key.span(), fmt::format("'{}' must not be empty.", name),
                    fmt::format("{}/empty", name));
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    const yaml::Node item = list.item(i);
    if (const auto text = item.as_string()) {
      strings.push_back({FieldState::kValid, text, key, item});
      continue;
    }
    reporter.report(item.span(),
                    fmt::format("An item of '{}' must be a string, not {}.", name, describe(item)),
                    fmt::format("{}/item", name));
  }
}

void read_scenario_types(FieldReader& fields, ChangelogEntry& entry, Reporter& reporter) {
  constexpr std::string_view kName = "scenario-type";
  const yaml::Node list = fields.list(kName, Need::kNullable);
  if (!list || list.is_null()) return;
  if (list.size() == 0) {
    reporter.report(fields.key_of(kName).span(), "'scenario-type' must not be empty.",
                    "scenario-type/empty");
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    const yaml::Node item = list.item(i);
    const auto text = item.as_string();
    if (text == to_string(ScenarioKind::kFixedSeqLen)) {
      entry.scenario_types.push_back(ScenarioKind::kFixedSeqLen);
    } else if (text == to_string(ScenarioKind::kAgenticCoding)) {
      entry.scenario_types.push_back(ScenarioKind::kAgenticCoding);
    } else {
      reporter.report(item.span(),
                      fmt::format("'scenario-type' must hold 'fixed-seq-len' or 'agentic-coding', "
                                  "not {}.",
                                  describe(item)),
                      "scenario-type/choice");
    }
  }
}

void check_append_only(const ChangelogEntry& entry, Reporter& reporter) {
  if (!entry.append_only || !*entry.append_only) return;
  const auto conflict = [&](text::Span span, std::string_view name) {
    auto& problem =
        reporter.report(span, fmt::format("'{}' cannot be combined with 'append-only'.", name),
                        fmt::format("append-only/{}", name));
    problem.related.push_back({entry.append_only.key(), "'append-only' is set here"});
  };
  if (entry.evals_only && *entry.evals_only) conflict(entry.evals_only.key(), "evals-only");
  if (entry.all_evals && *entry.all_evals) conflict(entry.all_evals.key(), "all-evals");
  if (entry.eval_min_prefill_ep) conflict(entry.eval_min_prefill_ep.key(), "eval-min-prefill-ep");
}

void read_entry(yaml::Node node, Changelog& changelog, Reporter& reporter) {
  if (!node.is_mapping()) {
    reporter.report(
        node.span(),
        fmt::format("An entry of the changelog must be a mapping, not {}.", describe(node)),
        "entry/type");
    return;
  }
  ChangelogEntry& entry = changelog.entries.emplace_back();
  entry.node = node;
  FieldReader fields(reporter, node, "a changelog entry", head_of(node));
  read_strings(fields, "config-keys", entry.config_keys, reporter);
  read_strings(fields, "description", entry.description, reporter);
  fields.string("pr-link", entry.pr_link, Need::kRequired);
  fields.boolean("evals-only", entry.evals_only, Need::kOptional);
  fields.boolean("all-evals", entry.all_evals, Need::kOptional);
  fields.boolean("append-only", entry.append_only, Need::kOptional);
  fields.integer("eval-min-prefill-ep", entry.eval_min_prefill_ep, Need::kNullable, Use::kCopied);
  read_scenario_types(fields, entry, reporter);
  fields.finish();
  if (entry.eval_min_prefill_ep && *entry.eval_min_prefill_ep < 1) {
    reporter.report(entry.eval_min_prefill_ep.span(),
                    fmt::format("'eval-min-prefill-ep' must be at least 1, not {}.",
                                *entry.eval_min_prefill_ep),
                    "eval-min-prefill-ep/positive");
  }
  check_append_only(entry, reporter);
}

void read_entries(yaml::Node list, Changelog& changelog, Reporter& reporter) {
  const std::size_t count = std::min(list.size(), kMostEntries);
  changelog.entries.reserve(count);
  for (std::size_t i = 0; i < count; ++i) read_entry(list.item(i), changelog, reporter);
  if (count == list.size()) return;
  reporter.report_limit(
      list.item(count).span(),
      fmt::format("The changelog has more than {} entries; those from here on are not "
                  "read.",
                  kMostEntries));
}

/// The first form of the changelog: each description is one text, and names the pull request.
bool is_older_form(yaml::Node list) {
  const std::size_t count = std::min(list.size(), kMostEntries);
  for (std::size_t i = 0; i < count; ++i) {
    const yaml::Node entry = list.item(i);
    if (!entry.is_mapping() || entry.find("pr-link")) return false;
    if (!entry.find("description").as_string()) return false;
  }
  return count > 0;
}

/// Reads what can be read; the rules of the later form do not hold for it.
void read_older_form(yaml::Node list, Changelog& changelog, Reporter& reporter) {
  auto& problem =
      reporter.report(head_of(list.item(0)),
                      "The changelog follows an older layout: texts as 'description', and "
                      "no 'pr-link'. Its entries are not checked.",
                      "older-layout");
  problem.severity = Severity::kNote;
  std::vector<Problem> ignored;
  Reporter ignore(ignored, kChangelogRule);
  read_entries(list, changelog, ignore);
}

}  // namespace

Changelog read_changelog(std::shared_ptr<const yaml::Document> document,
                         std::vector<Problem>& problems) {
  Changelog changelog;
  changelog.document = std::move(document);
  const std::size_t before = problems.size();
  report_duplicate_keys(*changelog.document, problems);
  Reporter reporter(problems, kChangelogRule);
  const text::SourceFile& file = changelog.document->file();
  const yaml::Node root = changelog.document->root();
  const bool is_older = root.is_sequence() && is_older_form(root);
  if (!is_older) check_bytes(file, reporter);
  if (is_older) {
    read_older_form(root, changelog, reporter);
  } else if (root.is_sequence()) {
    check_entry_starts(file, root.size(), reporter);
    read_entries(root, changelog, reporter);
  } else {
    reporter.report(root.span(),
                    fmt::format("The changelog must be a list of entries, not {}.", describe(root)),
                    "root/type");
  }
  sort_from(problems, before);
  return changelog;
}

}  // namespace recipelint::space
