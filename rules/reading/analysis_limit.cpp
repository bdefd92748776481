#include <fmt/format.h>

#include <array>
#include <utility>

#include "rules/cell_diagnostics.h"
#include "rules/pages.h"
#include "rules/reading/reading.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;

constexpr std::string_view kId = "RL1003";
constexpr std::array kKinds = {layout::DiagnosticKind::kLimit};

void run(const RuleContext& context, findings::FindingSink& sink) {
  for (const PlacedDiagnostic& placed : placed_diagnostics(context, kKinds)) {
    Finding finding = finding_at(placed, kId, Level::kNote);
    finding.message = fmt::format(
        "The evaluation reached a limit here: {}. What the script does from here on is known only "
        "in part.",
        placed.diagnostic.message);
    finding.identity = placed.diagnostic.message;
    finding.remedies = {"Check whether the loop or the recursion ends.",
                        "Split what the script computes into smaller steps."};
    sink.report(std::move(finding));
  }
}

}  // namespace

Rule analysis_limit() {
  return {kId,
          "analysis-limit",
          Level::kNote,
          Precision::kVeryHigh,
          "The evaluation of a script reached one of its limits, so cells are analysed in part.",
          embedded_pages("analysis_limit.md"),
          run};
}

}  // namespace recipelint::rules
