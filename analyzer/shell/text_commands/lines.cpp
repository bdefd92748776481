#include <algorithm>

#include "analyzer/shell/text_commands/command.h"
#include "analyzer/text/utf8.h"

/// head, tail, wc, rev.
namespace recipelint::shell {
namespace {

/// How much of the input head or tail takes: a number of lines or bytes with an optional sign.
struct Amount {
  bool bytes = false;
  char sign = '\0';
  std::size_t count = 10;
};

text::Result<Amount> read_amount(std::string_view command, const ParsedOptions& parsed) {
  Amount amount;
  for (const ParsedOptions::Option& option : parsed.options) {
    if (option.letter == 'q') continue;
    std::string_view value = option.value;
    amount.bytes = option.letter == 'c';
    amount.sign = '\0';
    if (!value.empty() && (value[0] == '-' || value[0] == '+')) {
      amount.sign = value[0];
      value.remove_prefix(1);
    }
    const std::optional<std::uint64_t> count = to_count(value);
    if (!count) return not_modelled(command, option.value);
    amount.count = *count;
  }
  return amount;
}

/// The offset behind the first `count` lines, or bytes.
std::size_t offset_of(std::string_view text, const Amount& amount, std::size_t count) {
  if (amount.bytes) return std::min(count, text.size());
  std::size_t at = 0;
  for (; count > 0 && at < text.size(); --count) {
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  }
  return at;
}

std::size_t total(std::string_view text, const Amount& amount) {
  return amount.bytes ? text.size() : split_lines(text).size();
}

/// "head -5" is an old spelling of "head -n 5".
std::vector<std::string> modernize(Arguments arguments) {
  std::vector<std::string> modern(arguments.begin(), arguments.end());
  if (modern.empty() || modern[0].size() < 2 || modern[0][0] != '-') return modern;
  if (to_count(std::string_view(modern[0]).substr(1))) modern[0].insert(1, "n");
  return modern;
}

text::Result<std::pair<Amount, std::string>> read_amount_and_text(std::string_view command,
                                                                  Arguments arguments,
                                                                  const TextCommandInput& input) {
  static constexpr LongOption kLong[] = {{"lines", 'n'}, {"bytes", 'c'}, {"quiet", 'q'}};
  const auto parsed = parse_options(command, modernize(arguments), "n:c:q", kLong);
  if (!parsed.ok()) return parsed.error();
  if (parsed->operands.size() > 1) return not_modelled(command, "several files");
  const auto amount = read_amount(command, *parsed);
  if (!amount.ok()) return amount.error();
  auto text = read_input(command, parsed->operands, input);
  if (!text.ok()) return text.error();
  return std::pair(*amount, std::move(*text));
}

std::string reversed(std::string_view line) {
  std::string out;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t size = text::decode_utf8(line.substr(at)).size;
    out.insert(0, line.substr(at, size));
    at += size;
  }
  return out;
}

std::size_t count_words(std::string_view text) {
  std::size_t words = 0;
  bool in_word = false;
  for (const char c : text) {
    const bool blank = c == ' ' || (c >= '\t' && c <= '\r');
    if (!blank && !in_word) ++words;
    in_word = !blank;
  }
  return words;
}

}  // namespace

CommandResult run_head(Arguments arguments, const TextCommandInput& input) {
  const auto read = read_amount_and_text("head", arguments, input);
  if (!read.ok()) return read.error();
  const auto& [amount, text] = *read;
  if (amount.sign == '+') return not_modelled("head", "a count with a plus");
  std::size_t count = amount.count;
  if (amount.sign == '-') {
    const std::size_t all = total(text, amount);
    count = all - std::min(all, count);
  }
  return TextCommandResult{text.substr(0, offset_of(text, amount, count)), 0};
}

CommandResult run_tail(Arguments arguments, const TextCommandInput& input) {
  const auto read = read_amount_and_text("tail", arguments, input);
  if (!read.ok()) return read.error();
  const auto& [amount, text] = *read;
  std::size_t skipped = amount.count == 0 ? 0 : amount.count - 1;
  if (amount.sign != '+') {
    const std::size_t all = total(text, amount);
    skipped = all - std::min(all, amount.count);
  }
  return TextCommandResult{text.substr(offset_of(text, amount, skipped)), 0};
}

CommandResult run_wc(Arguments arguments, const TextCommandInput& input) {
  static constexpr LongOption kLong[] = {
      {"lines", 'l'}, {"words", 'w'}, {"bytes", 'c'}, {"chars", 'm'}};
  const auto parsed = parse_options("wc", arguments, "lwcm", kLong);
  if (!parsed.ok()) return parsed.error();
  // The width of the columns depends on what kind of file the input is.
  if (parsed->options.size() != 1) return not_modelled("wc", "other than one count");
  if (!parsed->operands.empty()) return not_modelled("wc", "a named file");
  const auto text = read_input("wc", {}, input);
  if (!text.ok()) return text.error();
  const char letter = parsed->options[0].letter;
  if ((letter == 'm' || letter == 'w') && !is_ascii(*text)) {
    return not_modelled("wc", "text beyond ASCII");
  }
  const auto newlines = std::count(text->begin(), text->end(), '\n');
  const std::size_t count = letter == 'l'   ? static_cast<std::size_t>(newlines)
                            : letter == 'w' ? count_words(*text)
                                            : text->size();
  return TextCommandResult{std::to_string(count) + "\n", 0};
}

CommandResult run_rev(Arguments arguments, const TextCommandInput& input) {
  const auto parsed = parse_options("rev", arguments, "");
  if (!parsed.ok()) return parsed.error();
  const auto text = read_input("rev", parsed->operands, input);
  if (!text.ok()) return text.error();
  TextCommandResult result;
  for (const std::string_view line : split_lines(*text)) result.output += reversed(line) + "\n";
  if (!text->empty() && !text->ends_with('\n')) result.output.pop_back();
  return result;
}

}  // namespace recipelint::shell
