#include <fmt/format.h>

#include <array>
#include <utility>

#include "rules/cell_diagnostics.h"
#include "rules/pages.h"
#include "rules/shell/shell_flow.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using layout::DiagnosticKind;

constexpr std::string_view kId = "RL6008";
constexpr std::array kKinds = {DiagnosticKind::kArithmetic, DiagnosticKind::kIntegerExpected};

void run(const RuleContext& context, findings::FindingSink& sink) {
  for (const PlacedDiagnostic& placed : placed_diagnostics(context, kKinds)) {
    const layout::Diagnostic& diagnostic = placed.diagnostic;
    if (!diagnostic.certain || diagnostic.silenced) continue;
    Finding finding =
        finding_at(placed, kId, placed.environment_known ? Level::kError : Level::kNote);
    if (diagnostic.kind == DiagnosticKind::kArithmetic) {
      finding.message = fmt::format("This cannot be computed: {}.", diagnostic.message);
      finding.remedies = {"Check the operands before, and end with a message of your own.",
                          "Leave the cells out for which it has no result."};
    } else {
      finding.message =
          fmt::format("This compares integers, but {}: the test fails whatever the numbers are.",
                      diagnostic.message);
      finding.remedies = {"Give the variable a number by default: \"${X:-0}\".",
                          "Compare texts with '=' or '!='."};
    }
    sink.report(std::move(finding));
  }
}

}  // namespace

Rule bad_arithmetic() {
  return {
      kId,
      "bad-arithmetic",
      Level::kError,
      Precision::kHigh,
      "A script divides by zero, computes with what is no number, or compares text as a number, "
      "for one of its cells.",
      embedded_pages("bad_arithmetic.md"),
      run};
}

}  // namespace recipelint::rules
