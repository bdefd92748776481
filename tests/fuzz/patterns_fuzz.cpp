// What is written in a language of its own inside of scripts, between lines "%": a pattern or a
// program, the text that it is about, and the words of a text command ("sed -n"), one a line.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts/split.h"
#include "analyzer/shell/brace_expansion.h"
#include "analyzer/shell/escapes.h"
#include "analyzer/shell/pattern.h"
#include "analyzer/shell/printf_format.h"
#include "analyzer/shell/regex.h"
#include "analyzer/shell/text_commands/text_commands.h"
#include "tests/fuzz/targets.h"

namespace recipelint::fuzz {
namespace {

void demand_inside(const shell::TextRange& range, std::string_view text) {
  demand(range.begin <= range.end && range.end <= text.size(), "a match lies in the text");
}

void match(std::string_view expression, std::string_view text) {
  const shell::PatternPart part{expression, false};
  for (const bool extended : {false, true}) {
    const shell::Pattern pattern(std::span(&part, 1), {extended, false});
    static_cast<void>(pattern.matches(text).ok());
    for (const auto extent : {shell::Extent::kShortest, shell::Extent::kLongest}) {
      const auto prefix = pattern.prefix_length(text, extent);
      demand(!prefix || !*prefix || **prefix <= text.size(), "a prefix lies in the text");
      const auto suffix = pattern.suffix_length(text, extent);
      demand(!suffix || !*suffix || **suffix <= text.size(), "a suffix lies in the text");
    }
    if (const auto all = pattern.find_all(text)) {
      for (const auto& range : *all) demand_inside(range, text);
    }
  }
  const auto found = shell::match_regex(text, std::span(&part, 1));
  for (const auto& range : found.groups) demand_inside(range, text);
}

void run_command(std::string_view words, std::string_view program, std::string_view text) {
  std::vector<std::string> arguments;
  for (const auto word : facts::split(words, '\n')) arguments.emplace_back(word);
  if (arguments.empty() || !shell::is_text_command(arguments[0])) return;
  const std::string name = arguments[0];
  arguments.erase(arguments.begin());
  arguments.emplace_back(program);
  shell::TextCommandInput input;
  input.standard_input = text;
  static_cast<void>(shell::run_text_command(name, arguments, input).ok());
}

}  // namespace

void patterns(std::string_view input) {
  const auto parts = parts_of(input, 3);
  const auto without_end = [](std::string_view part) {
    return part.ends_with('\n') ? part.substr(0, part.size() - 1) : part;
  };
  const auto program = without_end(parts[0]);
  const auto text = without_end(parts[1]);
  match(program, text);
  const std::vector<std::optional<std::string>> arguments = {std::string(text), std::nullopt, "7"};
  static_cast<void>(shell::format_printf(program, arguments).ok());
  const shell::BracePiece piece{std::string(program), false, 0};
  constexpr std::size_t kMostWords = 1'000;
  static_cast<void>(shell::expand_braces(std::span(&piece, 1), kMostWords).ok());
  for (const auto style : {shell::EscapeStyle::kEcho, shell::EscapeStyle::kPrintfFormat,
                           shell::EscapeStyle::kPrintfB, shell::EscapeStyle::kAnsiC}) {
    static_cast<void>(shell::expand_escapes(program, style));
  }
  run_command(without_end(parts[2]), program, text);
}

}  // namespace recipelint::fuzz
