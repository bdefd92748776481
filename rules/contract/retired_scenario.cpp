#include "analyzer/layout/retired_scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/layout/workspace.h"
#include "rules/contract/contract.h"
#include "rules/pages.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using layout::RetiredScenario;
using layout::RetirementNotice;
using layout::Site;

constexpr std::string_view kId = "RL7006";

bool fits(const std::vector<std::string>& patterns, std::string_view text) {
  return patterns.empty() ||
         std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
           return layout::matches_pattern(pattern, text);
         });
}

/// A length as text; empty if the scenario has none that is valid.
std::string length_of(const space::Integer& length) {
  return length ? std::to_string(*length) : std::string();
}

bool means(const RetiredScenario& retired, const space::Entry& entry,
           const space::Scenario& scenario) {
  return fits(retired.scenario_types, space::to_string(scenario.kind)) &&
         fits(retired.isl, length_of(scenario.isl)) && fits(retired.osl, length_of(scenario.osl)) &&
         fits(retired.model_prefixes, entry.model_prefix.value_or("")) &&
         fits(retired.precisions, entry.precision.value_or(""));
}

/// What of the entry makes it one: the narrowest that the notice speaks of.
text::Span place_of(const RetiredScenario& retired, const space::Entry& entry,
                    const space::Scenario& scenario) {
  if (!retired.isl.empty() && scenario.isl) return scenario.isl.span();
  if (!retired.precisions.empty() && entry.precision) return entry.precision.span();
  if (!retired.model_prefixes.empty() && entry.model_prefix) return entry.model_prefix.span();
  return scenario.span();
}

void report(const RetirementNotice& notice, const space::Entry& entry,
            const space::Scenario& scenario, findings::FindingSink& sink) {
  const RetiredScenario& retired = *notice.scenario;
  const bool has_place = notice.place.file != nullptr;
  Finding finding;
  finding.rule = kId;
  finding.level = Level::kWarning;
  finding.primary = place_of(retired, entry, scenario);
  finding.cells = {std::string(entry.key)};
  finding.identity = fmt::format("{} {}", entry.key, retired.name);
  finding.message = fmt::format(
      "This benchmarks {}, retired since {}{}: the repository does not want results of it any "
      "more.",
      retired.name, facts::to_string(retired.since),
      has_place ? fmt::format(", as {} says", retired.stated_in) : "");
  if (has_place) finding.related.push_back({notice.place, "retired here"});
  finding.remedies = {"Remove the scenario.", "Benchmark a scenario that is still active."};
  sink.report(std::move(finding));
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  const auto holds = [&](const RetirementNotice& notice) {
    return !context.options.as_of || *context.options.as_of >= notice.scenario->since;
  };
  for (const Site& site : context.workspace.sites()) {
    for (const space::MasterConfig& master : site.space.masters) {
      for (const space::Entry& entry : master.entries) {
        for (const space::Scenario& scenario : entry.scenarios) {
          const auto found = std::find_if(
              site.retired.begin(), site.retired.end(), [&](const RetirementNotice& notice) {
                return holds(notice) && means(*notice.scenario, entry, scenario);
              });
          if (found != site.retired.end()) report(*found, entry, scenario, sink);
        }
      }
    }
  }
}

}  // namespace

Rule retired_scenario() {
  return {kId,
          "retired-scenario",
          Level::kWarning,
          Precision::kHigh,
          "An entry benchmarks what the repository says it does not want any more.",
          embedded_pages("retired_scenario.md"),
          run};
}

}  // namespace recipelint::rules
