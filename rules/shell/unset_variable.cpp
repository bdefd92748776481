#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "analyzer/layout/cell_results.h"
#include "rules/cell_diagnostics.h"
#include "rules/pages.h"
#include "rules/lost_value.h"
#include "rules/shell/shell_flow.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using layout::DiagnosticKind;

constexpr std::string_view kId = "RL6002";
constexpr std::array kKinds = {DiagnosticKind::kUnsetVariable, DiagnosticKind::kRequiredVariable};
constexpr std::array kSilentKinds = {DiagnosticKind::kUnsetExpansion};

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

// Without "set -u" nothing is said: the option swallows the next word, or gets an empty value.
void report_lost_values(const RuleContext& context, findings::FindingSink& sink) {
  for (const PlacedDiagnostic& placed : placed_diagnostics(context, kSilentKinds)) {
    if (placed.by_hand) continue;
    const std::optional<LostValue> lost = lost_value(context, placed);
    if (!lost) continue;
    const std::string& name = placed.diagnostic.subject;
    Finding finding =
        finding_at(placed, kId, placed.environment_known ? Level::kWarning : Level::kNote);
    finding.message = fmt::format(
        "'{}' is not set, so '{}' of {} is left without its value, and bash says nothing.", name,
        lost->option, lost->engine);
    if (!placed.environment_known) {
      finding.message += " What the launcher of these cells provides is not known for certain.";
    }
    finding.remedies = {fmt::format("Give it a default: \"${{{}:-...}}\".", name),
                        fmt::format("Demand it, so that the script ends: \"${{{}:?}}\".", name),
                        fmt::format("Set '{}' before, in the script or in its launcher.", name)};
    sink.report(std::move(finding));
  }
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  report_lost_values(context, sink);
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
  return {
      kId,
      "unset-variable",
      Level::kError,
      Precision::kHigh,
      "A script reads a variable that is not set, under 'set -u', by ${X:?} or as the value of an "
      "option, for one of its cells.",
      embedded_pages("unset_variable.md"),
      run};
}

}  // namespace recipelint::rules
