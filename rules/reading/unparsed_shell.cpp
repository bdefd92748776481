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

constexpr std::string_view kCrlfSubject = "CRLF";

void explain(const layout::Diagnostic& diagnostic, Finding& finding) {
  if (diagnostic.kind == DiagnosticKind::kUnparsed) {
    finding.message =
        "This part of the script could not be understood; its effect is taken as unknown.";
    finding.remedies = {"Check it with 'bash -n'.", "Write it in a simpler form."};
  } else if (diagnostic.subject == kCrlfSubject) {
    finding.message =
        fmt::format("In this script {}. It is read as if they ended in LF.", diagnostic.message);
    finding.remedies = {"Convert it: sed -i 's/\\r$//' FILE",
                        "Write '*.sh text eol=lf' in .gitattributes."};
  } else {
    finding.message =
        fmt::format("'{}' is not evaluated; its effect is taken as unknown.", diagnostic.message);
    finding.remedies = {"Write it in another form."};
  }
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  for (const PlacedDiagnostic& placed : placed_diagnostics(context, kKinds)) {
    Finding finding = finding_at(placed, kId, Level::kNote);
    explain(placed.diagnostic, finding);
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
