#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <map>
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

/// Where a backslash in front of a blank makes an argument of that blank; invalid if nowhere.
text::Span escaped_blank(const shell::Value& word) {
  if (!word.is_known() || word.empty()) return {};
  if (word.text().find_first_not_of(" \t") != std::string::npos) return {};
  const text::Span span = word.origin().span();
  const bool is_written = span.valid() && (span.bytes() == "\\ " || span.bytes() == "\\\t");
  if (!is_written) return {};
  const text::SourceFile& file = *span.file;
  const std::string_view rest = file.bytes().substr(span.end);
  const auto next = rest.find_first_not_of(" \t\r");
  return next == std::string_view::npos || rest[next] == '\n' ? span : text::Span{};
}

// In a command the line ends there, and the words of the next one are what is reported.
bool ends_command(const text::Span& blank, const text::Span& command) {
  if (!command.valid() || blank.file != command.file || blank.begin < command.begin ||
      blank.end > command.end) {
    return false;
  }
  const std::string_view rest = blank.file->bytes().substr(blank.end);
  const auto line_end = rest.find('\n');
  if (line_end == std::string_view::npos) return false;
  const auto next = rest.find_first_not_of(" \t", line_end + 1);
  return next != std::string_view::npos && rest[next] != '\n' && rest[next] != '\r';
}

// At the end of a line of a list, where the next line goes on all the same, or of a command.
void report_blank_arguments(const RuleContext& context, findings::FindingSink& sink) {
  std::map<std::uint32_t, std::map<std::string, Finding>> found;
  for (const layout::EvaluatedCell& cell : context.cells.all()) {
    for (const launch::Launch& launch : cell.launches->launches) {
      for (const shell::Value& word : launch.argv) {
        const text::Span span = escaped_blank(word);
        if (!span.valid() || ends_command(span, launch.span)) continue;
        Finding& finding = found[span.begin][span.file->path()];
        finding.primary = span;
        finding.cells.push_back(cell.name());
        if (!launch.certain && finding.rule.empty()) finding.level = Level::kNote;
        if (launch.certain) finding.level = Level::kError;
        finding.rule = kId;
        if (finding.related.empty() && launch.span.valid()) {
          finding.related.push_back({launch.span, "started here"});
        }
      }
    }
  }
  for (auto& [offset, files] : found) {
    for (auto& [path, finding] : files) {
      make_set(finding.cells);
      finding.message =
          "The backslash is followed by a blank, so the command gets a blank as an argument of its "
          "own.";
      finding.remedies = {"Remove the backslash, or the blanks behind it."};
      finding.identity = "blank";
      sink.report(std::move(finding));
    }
  }
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  report_blank_arguments(context, sink);
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
