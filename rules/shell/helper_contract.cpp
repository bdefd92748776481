#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "rules/cell_diagnostics.h"
#include "rules/pages.h"
#include "rules/shell/shell_flow.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using layout::Diagnostic;
using layout::DiagnosticKind;

constexpr std::string_view kId = "RL6004";
constexpr std::array kKinds = {DiagnosticKind::kRefusedArgument, DiagnosticKind::kMissingArgument};

std::string said(const Diagnostic& diagnostic) {
  return diagnostic.message.empty() ? std::string()
                                    : fmt::format(" It says '{}'.", diagnostic.message);
}

/// Whether the script is prepared for the failure: it asks for the status of the call.
Level level_of(const PlacedDiagnostic& placed) {
  if (placed.diagnostic.tested) return Level::kNote;
  const bool is_word = placed.diagnostic.kind == DiagnosticKind::kRefusedArgument;
  return is_word || placed.environment_known || placed.by_hand ? Level::kError : Level::kNote;
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  for (const PlacedDiagnostic& placed : placed_diagnostics(context, kKinds)) {
    const Diagnostic& diagnostic = placed.diagnostic;
    Finding finding = finding_at(placed, kId, level_of(placed));
    if (diagnostic.kind == DiagnosticKind::kRefusedArgument) {
      finding.message =
          fmt::format("The function that is called here does not take '{}', and fails for it.",
                      diagnostic.subject);
      finding.remedies = {"Remove the word.", "Write the option that the function knows."};
    } else {
      finding.message =
          fmt::format("'{}' is called without an option that it demands, and fails for it.",
                      diagnostic.subject);
      finding.remedies = {"Give it the option, with a value that is not empty."};
    }
    finding.message += said(diagnostic);
    sink.report(std::move(finding));
  }
}

}  // namespace

Rule helper_contract() {
  return {kId,
          "helper-contract",
          Level::kError,
          Precision::kHigh,
          "A function of the scripts is called with a word that it refuses, or without an option "
          "that it demands.",
          embedded_pages("helper_contract.md"),
          run};
}

}  // namespace recipelint::rules
