#include "analyzer/space/coerce.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <system_error>

namespace recipelint::space {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\r\f\v";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

/// "8.000" -> "8"; a fraction other than zeros stays and fails later.
std::string_view without_zero_fraction(std::string_view text) {
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos || point + 1 == text.size()) return text;
  const bool zeros = text.find_first_not_of('0', point + 1) == std::string_view::npos;
  return zeros ? text.substr(0, point) : text;
}

/// Copies the digits of "1_000"; false unless every underscore stands between two digits.
bool collect_digits(std::string_view text, std::string& digits) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_digit(text[i])) {
      digits += text[i];
      continue;
    }
    const bool between =
        i > 0 && i + 1 < text.size() && is_digit(text[i - 1]) && is_digit(text[i + 1]);
    if (text[i] != '_' || !between) return false;
  }
  return !text.empty();
}

std::optional<std::int64_t> integer_from_text(std::string_view text) {
  text = without_zero_fraction(trimmed(text));
  std::string digits;
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
    if (text.front() == '-') digits += '-';
    text.remove_prefix(1);
  }
  if (!collect_digits(text, digits)) return std::nullopt;
  std::int64_t number = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

std::optional<std::int64_t> integer_from_double(double number) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (!(number >= -kLimit && number < kLimit)) return std::nullopt;
  if (number != std::trunc(number)) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::optional<bool> boolean_from_text(std::string_view text) {
  constexpr std::array<std::string_view, 6> kTrue = {"1", "on", "t", "true", "y", "yes"};
  constexpr std::array<std::string_view, 6> kFalse = {"0", "off", "f", "false", "n", "no"};
  if (text.size() > 5) return std::nullopt;
  const std::string lower = lower_case(text);
  for (const std::string_view word : kTrue) {
    if (lower == word) return true;
  }
  for (const std::string_view word : kFalse) {
    if (lower == word) return false;
  }
  return std::nullopt;
}

std::optional<bool> boolean_from_number(double number) {
  if (number == 0) return false;
  if (number == 1) return true;
  return std::nullopt;
}

/// Python's repr of a float: shortest digits, exponents from 1e16 and below 1e-4.
std::string python_repr(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  const double magnitude = std::fabs(number);
  const bool exponent = magnitude != 0 && (magnitude >= 1e16 || magnitude < 1e-4);
  std::array<char, 64> buffer{};
  const auto format = exponent ? std::chars_format::scientific : std::chars_format::fixed;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, format);
  std::string text(buffer.data(), result.ptr);
  if (!exponent && text.find('.') == std::string::npos) text += ".0";
  return text;
}

}  // namespace

std::optional<std::int64_t> lax_integer(const yaml::Scalar& scalar) {
  if (const auto* number = std::get_if<std::int64_t>(&scalar)) return *number;
  if (const auto* flag = std::get_if<bool>(&scalar)) return *flag ? 1 : 0;
  if (const auto* number = std::get_if<double>(&scalar)) return integer_from_double(*number);
  if (const auto* text = std::get_if<std::string>(&scalar)) return integer_from_text(*text);
  return std::nullopt;
}

std::optional<std::int64_t> strict_integer(const yaml::Scalar& scalar) {
  if (const auto* number = std::get_if<std::int64_t>(&scalar)) return *number;
  return std::nullopt;
}

std::optional<bool> lax_boolean(const yaml::Scalar& scalar) {
  if (const auto* flag = std::get_if<bool>(&scalar)) return *flag;
  if (const auto* text = std::get_if<std::string>(&scalar)) return boolean_from_text(*text);
  return literal_boolean(scalar);
}

std::optional<bool> literal_boolean(const yaml::Scalar& scalar) {
  if (const auto* flag = std::get_if<bool>(&scalar)) return *flag;
  if (const auto* number = std::get_if<std::int64_t>(&scalar)) {
    return *number == 0 || *number == 1 ? std::optional<bool>(*number == 1) : std::nullopt;
  }
  if (const auto* number = std::get_if<double>(&scalar)) return boolean_from_number(*number);
  return std::nullopt;
}

std::optional<Decimal> lax_decimal(const yaml::Scalar& scalar) {
  if (const auto* number = std::get_if<std::int64_t>(&scalar)) return Decimal{*number, 0};
  if (const auto* number = std::get_if<double>(&scalar)) return Decimal::from_double(*number);
  if (const auto* text = std::get_if<std::string>(&scalar)) return Decimal::parse(trimmed(*text));
  return std::nullopt;
}

bool is_truthy(const yaml::Scalar& scalar) {
  if (std::holds_alternative<yaml::Null>(scalar)) return false;
  if (const auto* flag = std::get_if<bool>(&scalar)) return *flag;
  if (const auto* number = std::get_if<std::int64_t>(&scalar)) return *number != 0;
  if (const auto* number = std::get_if<double>(&scalar)) return *number != 0;
  if (const auto* text = std::get_if<std::string>(&scalar)) return !text->empty();
  return true;
}

std::string python_str(const yaml::Scalar& scalar) {
  if (std::holds_alternative<yaml::Null>(scalar)) return "None";
  if (const auto* flag = std::get_if<bool>(&scalar)) return *flag ? "True" : "False";
  if (const auto* number = std::get_if<std::int64_t>(&scalar)) return std::to_string(*number);
  if (const auto* number = std::get_if<yaml::BigInteger>(&scalar)) return number->digits;
  if (const auto* number = std::get_if<double>(&scalar)) return python_repr(*number);
  if (const auto* date = std::get_if<yaml::Timestamp>(&scalar)) return date->text;
  return std::get<std::string>(scalar);
}

std::string describe(const yaml::Scalar& scalar) {
  constexpr std::size_t kLongest = 60;
  if (std::holds_alternative<yaml::Null>(scalar)) return "null";
  std::string text = python_str(scalar);
  if (text.size() > kLongest) {
    std::size_t cut = kLongest;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0u) == 0x80u) --cut;
    text = text.substr(0, cut) + "...";
  }
  if (const auto* flag = std::get_if<bool>(&scalar)) return *flag ? "true" : "false";
  if (std::holds_alternative<std::string>(scalar)) return "the string '" + text + "'";
  if (std::holds_alternative<double>(scalar)) return "the number '" + text + "'";
  if (std::holds_alternative<yaml::Timestamp>(scalar)) return "the date '" + text + "'";
  return "'" + text + "'";
}

}  // namespace recipelint::space
