#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/text/source_file.h"
#include "rules/cell_diagnostics.h"
#include "rules/pages.h"
#include "rules/shell/shell_flow.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;

constexpr std::string_view kId = "RL6003";
constexpr std::array kKinds = {layout::DiagnosticKind::kCommandNotFound};

std::string_view without_blanks_behind(std::string_view text) {
  const auto last = text.find_last_not_of(" \t\r");
  return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

/// The line that should have gone on, and why it does not.
struct LostContinuation {
  std::uint32_t line = 0;
  text::Span span;
  std::string_view reason;
};

// The words stand on the next line of a command of several lines, or behind a backslash that is not
// the last character of its line.
std::optional<LostContinuation> lost_continuation(const text::Span& words) {
  const text::SourceFile& file = *words.file;
  const std::uint32_t line = file.position(words.begin).line;
  if (line < 2) return std::nullopt;
  const text::Span above = file.line(line - 1);
  const std::string_view text = without_blanks_behind(above.bytes());
  if (text.ends_with('\\')) {
    if (text.size() == above.length()) return std::nullopt;
    return LostContinuation{line - 1, above, "its backslash is followed by a blank"};
  }
  const bool is_comment = text.find_first_not_of(" \t") == text.find('#');
  const bool goes_on_above =
      line > 2 && without_blanks_behind(file.line(line - 2).bytes()).ends_with('\\');
  if (!goes_on_above || text.empty()) return std::nullopt;
  return LostContinuation{line - 1, above,
                          is_comment ? "a comment ends the command" : "it has no backslash"};
}

void explain(const LostContinuation& lost, Finding& finding) {
  finding.message += fmt::format(" The command above ends in line {}: {}.", lost.line, lost.reason);
  finding.related.push_back({lost.span, "this line does not go on"});
  finding.remedies = {fmt::format("Make a backslash the last character of line {}.", lost.line),
                      "Remove the words, if they are left over."};
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  for (const PlacedDiagnostic& placed : placed_diagnostics(context, kKinds)) {
    const layout::Diagnostic& diagnostic = placed.diagnostic;
    if (diagnostic.silenced) continue;
    Finding finding = finding_at(placed, kId, diagnostic.certain ? Level::kError : Level::kNote);
    finding.message =
        fmt::format("'{}' is run as a command, but it is an argument.", diagnostic.subject);
    finding.remedies = {"Put the words behind the command that they belong to, or remove them."};
    if (const auto lost = lost_continuation(diagnostic.span)) explain(*lost, finding);
    sink.report(std::move(finding));
  }
}

}  // namespace

Rule stray_command() {
  return {kId,
          "stray-command",
          Level::kError,
          Precision::kVeryHigh,
          "A lost line continuation makes a command of words that are arguments.",
          embedded_pages("stray_command.md"),
          run};
}

}  // namespace recipelint::rules
