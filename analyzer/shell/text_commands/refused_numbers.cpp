#include "analyzer/shell/text_commands/refused_numbers.h"

#include <algorithm>
#include <cctype>

namespace recipelint::shell {
namespace {

bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

/// No spelling of a number is without a digit but those of infinity and "not a number".
bool is_no_number(std::string_view text) {
  if (std::any_of(text.begin(), text.end(), is_digit)) return false;
  std::string lower;
  for (const char byte : text) {
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(byte)));
  }
  return lower.find("inf") == std::string::npos && lower.find("nan") == std::string::npos;
}

/// "0", "-0.00".
bool is_zero(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.front() == '0' &&
         text.find_first_not_of("0.") == std::string_view::npos &&
         std::count(text.begin(), text.end(), '.') <= 1;
}

// coreutils, seq.c: operands are FIRST, INCREMENT, LAST.
std::string refused_by_seq(std::span<const std::string> arguments) {
  const auto is_option = [](const std::string& text) {
    return text.size() > 1 && text.front() == '-' && !is_digit(text[1]) && text[1] != '.';
  };
  // Which words are the values of options does not matter, for a call without any.
  if (std::any_of(arguments.begin(), arguments.end(), is_option)) return {};
  if (arguments.empty() || arguments.size() > 3) return {};
  for (const std::string& operand : arguments) {
    if (is_no_number(operand)) return "'seq' cannot count with '" + operand + "'";
  }
  if (arguments.size() == 3 && is_zero(arguments[1])) {
    return "'seq' cannot count in steps of '" + arguments[1] + "'";
  }
  return {};
}

// coreutils, head.c and tail.c: -n NUM, --lines=NUM. Only as the first option, so that the word is
// certainly no value of another one.
std::string refused_count(std::string_view name, std::span<const std::string> arguments) {
  constexpr std::string_view kLong = "--lines=";
  std::string_view count;
  if (arguments.size() > 1 && arguments[0] == "-n") {
    count = arguments[1];
  } else if (!arguments.empty() && arguments[0].starts_with(kLong)) {
    count = std::string_view(arguments[0]).substr(kLong.size());
  } else {
    return {};
  }
  if (!is_no_number(count)) return {};
  return "'" + std::string(name) + "' cannot count '" + std::string(count) + "' lines";
}

}  // namespace

std::string refused_numbers(std::string_view name, std::span<const std::string> arguments) {
  if (name == "seq") return refused_by_seq(arguments);
  if (name == "head" || name == "tail") return refused_count(name, arguments);
  return {};
}

}  // namespace recipelint::shell
