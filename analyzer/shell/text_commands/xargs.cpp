#include <algorithm>

#include "analyzer/shell/text_commands/command.h"

namespace recipelint::shell {
namespace {

/// The words of the input: separated by blanks and newlines, quotes and backslashes as xargs has
/// them.
std::optional<std::vector<std::string>> split_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == ' ' || c == '\t' || c == '\n') {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
      continue;
    }
    in_word = true;
    if (c == '\'' || c == '"') {
      const std::size_t end = text.find(c, at + 1);
      if (end == std::string_view::npos || text.substr(at, end - at).find('\n') != text.npos) {
        return std::nullopt;
      }
      word += text.substr(at + 1, end - at - 1);
      at = end;
    } else if (c == '\\') {
      if (++at == text.size()) return std::nullopt;
      word += text[at];
    } else {
      word += c;
    }
  }
  if (in_word) words.push_back(std::move(word));
  return words;
}

}  // namespace

/// Only as a way to print: without a command, or with a plain echo.
CommandResult run_xargs(Arguments arguments, const TextCommandInput& input) {
  const auto parsed = parse_options("xargs", arguments, "n:r", {}, OptionOrder::kBeforeOperands);
  if (!parsed.ok()) return parsed.error();
  std::vector<std::string> prefix = parsed->operands;
  if (!prefix.empty()) {
    if (prefix[0] != "echo") return not_modelled("xargs", prefix[0]);
    prefix.erase(prefix.begin());
  }
  const auto most = to_count(parsed->value('n').value_or("18446744073709551615"));
  const auto text = read_input("xargs", {}, input);
  if (!text.ok()) return text.error();
  const auto words = split_words(*text);
  if (!most || *most == 0 || !words) return not_modelled("xargs", "these words");
  // A word like "-n" would be an option of echo; more words than fit make several commands.
  const auto is_option = [](const std::string& word) { return word.starts_with('-'); };
  if (std::any_of(words->begin(), words->end(), is_option) ||
      std::any_of(prefix.begin(), prefix.end(), is_option) || text->size() > 64u << 10u) {
    return not_modelled("xargs", "these words");
  }
  TextCommandResult result;
  std::size_t next = 0;
  do {
    if (words->empty() && parsed->has('r')) break;
    std::string line;
    for (const std::string& word : prefix) line += word + " ";
    for (std::size_t i = 0; i < *most && next < words->size(); ++i) line += (*words)[next++] + " ";
    if (!line.empty()) line.pop_back();
    result.output += line + "\n";
  } while (next < words->size());
  return result;
}

}  // namespace recipelint::shell
