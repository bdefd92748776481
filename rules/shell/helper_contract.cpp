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
constexpr std::array kKinds = {DiagnosticKind::kRefusedArgument, DiagnosticKind::kMissingArgument,
                               DiagnosticKind::kIgnoredArgument};

std::string said(const Diagnostic& diagnostic) {
  return diagnostic.message.empty() ? std::string()
                                    : fmt::format(" It says '{}'.", diagnostic.message);
}

/// Whether the script is prepared for the failure: it asks for the status of the call. A word that
/// is dropped fails nothing.
Level level_of(const PlacedDiagnostic& placed) {
  const DiagnosticKind kind = placed.diagnostic.kind;
  if (kind == DiagnosticKind::kIgnoredArgument) return Level::kError;
  if (placed.diagnostic.tested) return Level::kNote;
  const bool is_word = kind == DiagnosticKind::kRefusedArgument;
  return is_word || placed.environment_known || placed.by_hand ? Level::kError : Level::kNote;
}

void say_refused(const Diagnostic& diagnostic, Finding& finding) {
  finding.message =
      fmt::format("The function that is called here does not take '{}', and fails for it.{}",
                  diagnostic.subject, said(diagnostic));
  finding.remedies = {"Remove the word.", "Write the option that the function knows."};
}

void say_missing(const Diagnostic& diagnostic, Finding& finding) {
  finding.message =
      fmt::format("'{}' is called without an option that it demands, and fails for it.{}",
                  diagnostic.subject, said(diagnostic));
  finding.remedies = {"Give it the option, with a value that is not empty."};
}

void say_ignored(const Diagnostic& diagnostic, Finding& finding) {
  finding.message = fmt::format(
      "'{}' does not know '{}', and drops words that it does not know: the option does nothing.",
      diagnostic.message, diagnostic.subject);
  finding.remedies = {"Write the option that the function knows.",
                      "Remove the word, and its value if it has one.",
                      fmt::format("Let '{}' read it.", diagnostic.message)};
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  for (const PlacedDiagnostic& placed : placed_diagnostics(context, kKinds)) {
    const Diagnostic& diagnostic = placed.diagnostic;
    Finding finding = finding_at(placed, kId, level_of(placed));
    switch (diagnostic.kind) {
      case DiagnosticKind::kRefusedArgument:
        say_refused(diagnostic, finding);
        break;
      case DiagnosticKind::kIgnoredArgument:
        say_ignored(diagnostic, finding);
        break;
      default:
        say_missing(diagnostic, finding);
    }
    sink.report(std::move(finding));
  }
}

}  // namespace

Rule helper_contract() {
  return {kId,
          "helper-contract",
          Level::kError,
          Precision::kHigh,
          "A function of the scripts is called with a word that it refuses or drops, or without an "
          "option that it demands.",
          embedded_pages("helper_contract.md"),
          run};
}

}  // namespace recipelint::rules
