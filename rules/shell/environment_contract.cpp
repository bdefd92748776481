#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/layout/cell_results.h"
#include "analyzer/layout/script_flows.h"
#include "analyzer/text/source_file.h"
#include "rules/cell_diagnostics.h"
#include "rules/lost_value.h"
#include "rules/pages.h"
#include "rules/shell/shell_flow.h"
#include "rules/unfilled_placeholders.h"

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

void report_unread(const layout::DemandedName& demand, findings::FindingSink& sink) {
  Finding finding;
  finding.rule = kId;
  finding.level = Level::kNote;
  finding.primary = demand.span;
  finding.identity = demand.name;
  finding.message = fmt::format(
      "'{}' is demanded here and never read, neither by the script nor by what it sources: "
      "whatever it is, the launch is the same.",
      demand.name);
  finding.remedies = {"Let it shape the launch.",
                      fmt::format("Remove it from the call of '{}'.", demand.function)};
  sink.report(std::move(finding));
}

void check_demands(const ScriptFlow& flow, findings::FindingSink& sink) {
  Demands demands;
  for (const layout::DemandedName& demand : flow.demands) demands[demand.name].push_back(&demand);
  for (const auto& [name, places] : demands) {
    // What a file that is sourced demands is for all that source it.
    const layout::DemandedName& first = *places.front();
    if (first.span.file != flow.files.front() || is_mentioned(flow, name, places)) continue;
    report_unread(first, sink);
  }
}

/// By name, where commands are made of it though it is not set.
using UnsetReads = std::map<std::string, std::vector<const PlacedDiagnostic*>, std::less<>>;

/// Whether the name stands nowhere but in these reads: nothing sets it, tests it, or has a default.
bool stands_alone(const ScriptFlow& flow, const std::string& name,
                  const std::vector<const PlacedDiagnostic*>& reads) {
  return std::all_of(flow.files.begin(), flow.files.end(), [&](const text::SourceFile* file) {
    const std::vector<Span> places = layout::mentions_of(*file, name);
    return std::all_of(places.begin(), places.end(), [&](const Span& place) {
      return std::any_of(reads.begin(), reads.end(), [&](const PlacedDiagnostic* read) {
        return lies_in(place, read->diagnostic.span);
      });
    });
  });
}

void report_unprovided(const PlacedDiagnostic& read, findings::FindingSink& sink) {
  const std::string& name = read.diagnostic.subject;
  Finding finding = finding_at(read, kId, Level::kNote);
  finding.message = fmt::format(
      "'{}' is part of a command here, and nothing provides it: no field of the row, not the "
      "workflow, not the launcher, neither the script nor what it sources. It is always empty.",
      name);
  finding.remedies = {fmt::format("Set '{}' before, in the script or in its launcher.", name),
                      "Read the variable that is provided.", "Remove it."};
  sink.report(std::move(finding));
}

void check_reads(const ScriptFlow& flow, const UnsetReads& reads, findings::FindingSink& sink) {
  for (const auto& [name, places] : reads) {
    // What a file that is sourced reads can be an offer to those that source it.
    const auto first = std::find_if(places.begin(), places.end(), [&](const auto* read) {
      return read->diagnostic.span.file == flow.files.front();
    });
    if (first == places.end()) continue;
    const bool is_provided =
        std::find(flow.provided.begin(), flow.provided.end(), name) != flow.provided.end();
    if (!is_provided && stands_alone(flow, name, places)) report_unprovided(**first, sink);
  }
}

UnsetReads unset_reads(const RuleContext& context, const std::vector<PlacedDiagnostic>& placed) {
  UnsetReads reads;
  for (const PlacedDiagnostic& read : placed) {
    // What is said louder elsewhere (RL6002) needs no note.
    const bool is_known = read.environment_known && read.diagnostic.certain;
    if (is_known && !lost_value(context, read)) reads[read.diagnostic.subject].push_back(&read);
  }
  return reads;
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  constexpr std::array kKinds = {layout::DiagnosticKind::kUnsetExpansion};
  const std::vector<PlacedDiagnostic> placed = placed_diagnostics(context, kKinds);
  const UnsetReads reads = unset_reads(context, placed);
  report_unfilled_placeholders(kId, context, sink);
  for (const ScriptFlow& flow : context.cells.flows()) {
    if (!flow.complete || flow.submits) continue;
    check_demands(flow, sink);
    if (flow.environment_known) check_reads(flow, reads, sink);
  }
}

}  // namespace

Rule environment_contract() {
  return {kId,
          "environment-contract",
          Level::kNote,
          Precision::kHigh,
          "A script demands a variable that it never reads, or makes a command of one, or of a "
          "placeholder, that nothing provides.",
          embedded_pages("environment_contract.md"),
          run};
}

}  // namespace recipelint::rules
