#include "analyzer/shell/parse.h"

#include "analyzer/shell/command_scanner.h"
#include "analyzer/shell/input.h"
#include "analyzer/shell/word_scanner.h"

namespace recipelint::shell {

namespace {

std::shared_ptr<const Script> parse_input(const Input& input) {
  auto script = std::make_shared<Script>();
  ScanState state(input.text().size());
  WordScanner words(state, input, 0, static_cast<std::uint32_t>(input.text().size()));
  CommandScanner commands(words, CommandScanner::Until::kEndWithRepair);
  if (!commands.scan(script->body)) {
    state.report(input.span(0, 0), "the script could not be read");
  }
  script->problems = state.take_problems();
  return script;
}

/// Parses without the carriage returns of CRLF line breaks.
std::shared_ptr<const Script> parse_lines(const Input& input) {
  const std::string_view text = input.text();
  if (text.find("\r\n") == std::string_view::npos) return parse_input(input);
  DerivedText lines(input);
  std::size_t kept = 0;
  for (std::size_t at = text.find("\r\n"); at != std::string_view::npos;
       at = text.find("\r\n", at + 1)) {
    lines.keep(static_cast<std::uint32_t>(kept), static_cast<std::uint32_t>(at));
    kept = at + 1;
  }
  lines.keep(static_cast<std::uint32_t>(kept), static_cast<std::uint32_t>(text.size()));
  return parse_input(lines.input());
}

}  // namespace

std::shared_ptr<const Script> parse_script(const text::SourceFile& file) {
  return parse_lines(Input(file.content(), file, file.bom_size()));
}

std::shared_ptr<const Script> parse_text(std::string_view text, text::Span blame) {
  return parse_lines(Input(text, blame));
}

}  // namespace recipelint::shell
