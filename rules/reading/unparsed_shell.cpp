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
using layout::DiagnosticKind;

constexpr std::string_view kId = "RL1001";
constexpr std::array kKinds = {DiagnosticKind::kUnparsed, DiagnosticKind::kUnmodelled};

void run(const RuleContext& context, findings::FindingSink& sink) {
  for (const PlacedDiagnostic& placed : placed_diagnostics(context, kKinds)) {
    Finding finding = finding_at(placed, kId, Level::kNote);
    if (placed.diagnostic.kind == DiagnosticKind::kUnparsed) {
      finding.message =
          "This part of the script could not be understood; its effect is taken as unknown.";
      finding.remedies = {"Check it with 'bash -n'.", "Write it in a simpler form."};
    } else {
      finding.message = fmt::format("'{}' is not evaluated; its effect is taken as unknown.",
                                    placed.diagnostic.message);
      finding.remedies = {"Write it in another form."};
    }
    sink.report(std::move(finding));
  }
}

}  // namespace

Rule unparsed_shell() {
  return {kId,
          "unparsed-shell",
          Level::kNote,
          Precision::kHigh,
          "A cell reaches a part of its script that could not be understood.",
          embedded_pages("unparsed_shell.md"),
          run};
}

}  // namespace recipelint::rules
