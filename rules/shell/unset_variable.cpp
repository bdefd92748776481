#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "analyzer/facts/catalog.h"
#include "analyzer/layout/cell_results.h"
#include "analyzer/text/source_file.h"
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

bool ends_word(std::string_view rest) {
  return rest.empty() ||
         std::string_view(" \t\r\n\"');&|").find(rest.front()) != std::string_view::npos;
}

/// The option whose value the expansion is, if it is all of the value: --option $X, --option "$X",
/// --option=$X, be it in a command or in the text of one.
std::string option_before(const text::Span& expansion) {
  const std::string_view bytes = expansion.file->bytes();
  if (!ends_word(bytes.substr(expansion.end))) return {};
  std::string_view before = bytes.substr(0, expansion.begin);
  if (before.ends_with('"')) before.remove_suffix(before.ends_with("\\\"") ? 2 : 1);
  if (before.ends_with('=')) {
    before.remove_suffix(1);
  } else {
    const auto last = before.find_last_not_of(" \t\\\n");
    if (last == std::string_view::npos || last + 1 == before.size()) return {};
    before = before.substr(0, last + 1);
  }
  const auto start = before.find_last_of(" \t\n\"'(=;");
  const std::string_view word = start == std::string_view::npos ? before : before.substr(start + 1);
  const bool is_option =
      word.size() > 1 && word[0] == '-' &&
      word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") ==
          std::string_view::npos;
  return is_option ? std::string(word) : std::string();
}

/// The engine that is started with this option by one of the cells, if the option takes a value.
std::string_view engine_taking(const RuleContext& context, const PlacedDiagnostic& placed,
                               const std::string& option) {
  for (const layout::EvaluatedCell& cell : context.cells.all()) {
    if (!std::binary_search(placed.cells.begin(), placed.cells.end(), cell.name())) continue;
    for (const launch::Launch& launch : cell.launches->launches) {
      const facts::Vocabulary* words = context.facts.vocabulary(launch::to_string(launch.engine));
      const facts::Flag* flag = words != nullptr ? words->find_flag(option) : nullptr;
      const bool is_given = flag != nullptr && std::any_of(launch.argv.begin(), launch.argv.end(),
                                                           [&](const shell::Value& word) {
                                                             return word.text().starts_with(option);
                                                           });
      if (is_given && flag->takes_value() && flag->kind != facts::FlagKind::kOptionalString) {
        return words->engine();
      }
    }
  }
  return {};
}

// Without "set -u" nothing is said: the option swallows the next word, or gets an empty value.
void report_lost_values(const RuleContext& context, findings::FindingSink& sink) {
  for (const PlacedDiagnostic& placed : placed_diagnostics(context, kSilentKinds)) {
    if (placed.by_hand) continue;
    const std::string option = option_before(placed.diagnostic.span);
    if (option.empty()) continue;
    const std::string_view engine = engine_taking(context, placed, option);
    if (engine.empty()) continue;
    const std::string& name = placed.diagnostic.subject;
    Finding finding =
        finding_at(placed, kId, placed.environment_known ? Level::kWarning : Level::kNote);
    finding.message = fmt::format(
        "'{}' is not set, so '{}' of {} is left without its value, and bash says nothing.", name,
        option, engine);
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
