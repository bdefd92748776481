#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/layout/cell_results.h"
#include "analyzer/layout/script_flows.h"
#include "analyzer/text/source_file.h"
#include "rules/pages.h"
#include "rules/shell/shell_flow.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using layout::ScriptFlow;
using text::Span;

constexpr std::string_view kId = "RL6007";

bool lies_in(const Span& inner, const Span& outer) {
  return inner.file == outer.file && inner.begin >= outer.begin && inner.end <= outer.end;
}

/// By name, where it is demanded.
using Demands = std::map<std::string, std::vector<const layout::DemandedName*>, std::less<>>;

// Everything that stands in the script or in what it sources counts as a use, other than the words
// that demand it.
bool is_mentioned(const ScriptFlow& flow, std::string_view name,
                  const std::vector<const layout::DemandedName*>& demands) {
  for (const text::SourceFile* file : flow.files) {
    for (const Span& place : layout::mentions_of(*file, name)) {
      const bool is_demand = std::any_of(
          demands.begin(), demands.end(),
          [&](const layout::DemandedName* demand) { return lies_in(place, demand->span); });
      if (!is_demand) return true;
    }
  }
  return false;
}

void report(const layout::DemandedName& demand, findings::FindingSink& sink) {
  Finding finding;
  finding.rule = kId;
  finding.level = Level::kNote;
  finding.primary = demand.span;
  finding.identity = demand.name;
  finding.message = fmt::format(
      "'{}' is demanded here and never read, neither by the script nor by what it sources: "
      "whatever "
      "it is, the launch is the same.",
      demand.name);
  finding.remedies = {"Let it shape the launch.",
                      fmt::format("Remove it from the call of '{}'.", demand.function)};
  sink.report(std::move(finding));
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  for (const ScriptFlow& flow : context.cells.flows()) {
    if (!flow.complete || flow.submits) continue;
    Demands demands;
    for (const layout::DemandedName& demand : flow.demands) {
      demands[demand.name].push_back(&demand);
    }
    for (const auto& [name, places] : demands) {
      // What a file that is sourced demands is for all that source it.
      const layout::DemandedName& first = *places.front();
      if (first.span.file != flow.files.front() || is_mentioned(flow, name, places)) continue;
      report(first, sink);
    }
  }
}

}  // namespace

Rule environment_contract() {
  return {kId,
          "environment-contract",
          Level::kNote,
          Precision::kHigh,
          "A script demands a variable of its environment that it never reads.",
          embedded_pages("environment_contract.md"),
          run};
}

}  // namespace recipelint::rules
