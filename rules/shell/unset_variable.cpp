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
using layout::DiagnosticKind;

constexpr std::string_view kId = "RL6002";
constexpr std::array kKinds = {DiagnosticKind::kUnsetVariable, DiagnosticKind::kRequiredVariable};

std::string message_of(const layout::Diagnostic& diagnostic) {
  if (diagnostic.kind == DiagnosticKind::kRequiredVariable) {
    return fmt::format("'{}' is required here, but it is unset or empty.", diagnostic.subject);
  }
  return fmt::format("{}, and bash ends the script for it.", diagnostic.message);
}

/// A script that is run by hand is evaluated without arguments; what it is given only the user
/// knows.
bool is_argument(const PlacedDiagnostic& placed) {
  const std::string& name = placed.diagnostic.subject;
  return placed.by_hand && !name.empty() && name.front() >= '0' && name.front() <= '9';
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  for (const PlacedDiagnostic& placed : placed_diagnostics(context, kKinds)) {
    const layout::Diagnostic& diagnostic = placed.diagnostic;
    if (!diagnostic.certain || diagnostic.silenced || is_argument(placed)) continue;
    Finding finding =
        finding_at(placed, kId, placed.environment_known ? Level::kError : Level::kNote);
    finding.message = message_of(diagnostic);
    if (!placed.environment_known) {
      finding.message += " What the launcher of these cells provides is not known for certain.";
    }
    finding.remedies = {
        fmt::format("Give it a default: \"${{{}:-...}}\".", diagnostic.subject),
        fmt::format("Set '{}' before, in the script or in its launcher.", diagnostic.subject)};
    sink.report(std::move(finding));
  }
}

}  // namespace

Rule unset_variable() {
  return {kId,
          "unset-variable",
          Level::kError,
          Precision::kHigh,
          "A script reads a variable that is not set, under 'set -u' or by ${X:?}, for one of its "
          "cells.",
          embedded_pages("unset_variable.md"),
          run};
}

}  // namespace recipelint::rules
