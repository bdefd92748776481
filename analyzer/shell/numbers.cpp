#include "analyzer/shell/numbers.h"

#include <charconv>
#include <system_error>

namespace recipelint::shell {

bool compare_numbers(std::string_view op, std::int64_t left, std::int64_t right) {
  if (op == "-eq") return left == right;
  if (op == "-ne") return left != right;
  if (op == "-lt") return left < right;
  if (op == "-le") return left <= right;
  if (op == "-gt") return left > right;
  return left >= right;
}

std::optional<std::int64_t> decimal(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n";
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return std::nullopt;
  text = text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace recipelint::shell
