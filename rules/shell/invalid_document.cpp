#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/launch/documents.h"
#include "analyzer/serving/problem.h"
#include "analyzer/serving/servers.h"
#include "rules/cell_diagnostics.h"
#include "rules/pages.h"
#include "rules/server_problems.h"
#include "rules/shell/shell_flow.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using launch::InvalidDocument;
using launch::Launch;

constexpr std::string_view kId = "RL6009";

struct Place {
  text::Span span;
  std::string name;

  bool operator<(const Place& other) const {
    const auto order = text::compare(span, other.span);
    return order != 0 ? order < 0 : name < other.name;
  }
};

// The place to look at is the command that expands the value, not the value.
void explain_quotes(const InvalidDocument& document, const Launch& launch, Finding& finding) {
  finding.primary = launch.span;
  finding.related.clear();
  if (document.span.valid() && document.span != launch.span) {
    finding.related.push_back({document.span, "the quotes come from here"});
  }
  finding.message = fmt::format(
      "The value of '{}' of '{}' is not valid {}: the quotes around it are part of it, for bash "
      "removes no quotes that come out of a variable.",
      document.name, launch.program, document.language);
  finding.remedies = {"Keep the command in an array, one element a word: \"${CMD[@]}\".",
                      "Leave the quotes out, if the value has no blanks."};
  finding.identity = document.name;
}

Finding finding_of(const InvalidDocument& document, const Launch& launch) {
  Finding finding;
  finding.rule = kId;
  finding.level = Level::kNote;
  const bool is_file = document.kind == InvalidDocument::Kind::kFile;
  finding.message =
      fmt::format("{} '{}' of '{}' is not valid {}: {}.", is_file ? "The file" : "The value of",
                  document.name, launch.program, document.language, document.problem);
  finding.primary = document.span.valid() ? document.span : launch.span;
  if (finding.primary != launch.span && launch.span.valid()) {
    finding.related.push_back({launch.span, "started here"});
  }
  if (document.keeps_quotes && launch.span.valid()) {
    explain_quotes(document, launch, finding);
    return finding;
  }
  finding.remedies = {fmt::format("Correct the {}.", document.language)};
  if (!is_file) {
    finding.remedies.emplace_back(
        "Quote the value: where it is not, bash splits it at blanks and drops its quotes.");
  }
  finding.identity = document.name;
  return finding;
}

/// Whether the word to blame has an object or a list as its value: "auto", "image=4" and "@file"
/// are meant to be something else. A file has no word.
bool is_meant_as_document(const Launch& launch, const serving::Problem& problem) {
  if (!problem.word || *problem.word >= launch.argv.size()) return true;
  const std::string text = launch.argv[*problem.word].text();
  const auto equals = text.starts_with("--") ? text.find('=') : std::string::npos;
  const auto begin =
      text.find_first_not_of(" \t\r\n", equals == std::string::npos ? 0 : equals + 1);
  return begin != std::string::npos && (text[begin] == '{' || text[begin] == '[');
}

/// What decoding found that the look at the words did not: it knows all options of all engines.
bool is_new(const serving::Server& server, const serving::Problem& problem) {
  const std::vector<InvalidDocument> documents = launch::invalid_documents(*server.launch);
  return is_meant_as_document(*server.launch, problem) &&
         std::none_of(documents.begin(), documents.end(), [&](const InvalidDocument& document) {
           return document.name == problem.subject;
         });
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  std::map<Place, Finding> found;
  for (const layout::EvaluatedCell& cell : context.cells.all()) {
    for (const Launch& launch : cell.launches->launches) {
      for (const InvalidDocument& document : launch::invalid_documents(launch)) {
        Finding finding = finding_of(document, launch);
        if (!finding.primary.valid()) continue;
        const Place place{finding.primary, document.name};
        Finding& known = found.emplace(place, std::move(finding)).first->second;
        if (launch.certain) known.level = Level::kError;
        known.cells.push_back(cell.name());
      }
    }
  }
  for (auto& [place, finding] : found) {
    make_set(finding.cells);
    sink.report(std::move(finding));
  }
  report_server_problems(context, serving::kInvalidDocumentRule, sink, is_new);
}

}  // namespace

Rule invalid_document() {
  return {kId,
          "invalid-document",
          Level::kError,
          Precision::kHigh,
          "A JSON or YAML document that a recipe hands to its server does not parse.",
          embedded_pages("invalid_document.md"),
          run};
}

}  // namespace recipelint::rules
