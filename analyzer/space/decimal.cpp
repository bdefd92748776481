#include "analyzer/space/decimal.h"

#include <array>
#include <charconv>
#include <system_error>

namespace recipelint::space {
namespace {

constexpr std::int32_t kMostDigits = 18;  // every such number fits 63 bits

/// Digits with a point somewhere, as written.
struct Digits {
  std::int64_t mantissa = 0;
  std::int32_t behind_point = 0;
  std::size_t size = 0;  // bytes read
};

std::optional<Digits> read_digits(std::string_view text) {
  Digits digits;
  bool point = false;
  bool any = false;
  for (; digits.size < text.size(); ++digits.size) {
    const char c = text[digits.size];
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    if (c < '0' || c > '9') break;
    any = true;
    if (digits.mantissa >= 100'000'000'000'000'000) return std::nullopt;
    digits.mantissa = digits.mantissa * 10 + (c - '0');
    if (point) ++digits.behind_point;
  }
  if (!any) return std::nullopt;
  return digits;
}

/// The number behind an 'e'; nullopt if `text` is not one.
std::optional<std::int32_t> read_exponent(std::string_view text) {
  if (text.empty()) return 0;
  if (text.front() != 'e' && text.front() != 'E') return std::nullopt;
  text.remove_prefix(1);
  if (!text.empty() && text.front() == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text.front() == '-') return std::nullopt;
  }
  std::int32_t exponent = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  if (exponent < -kMostDigits || exponent > kMostDigits) return std::nullopt;
  return exponent;
}

/// mantissa * 10^-scale with the smallest scale that is not negative.
std::optional<Decimal> normalized(std::int64_t mantissa, std::int32_t scale) {
  while (scale > 0 && mantissa % 10 == 0) {
    mantissa /= 10;
    --scale;
  }
  for (; scale < 0; ++scale) {
    if (__builtin_mul_overflow(mantissa, std::int64_t{10}, &mantissa)) return std::nullopt;
  }
  if (scale > kMostDigits) return std::nullopt;
  return Decimal{mantissa, scale};
}

}  // namespace

std::optional<Decimal> Decimal::parse(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  const auto digits = read_digits(text);
  if (!digits) return std::nullopt;
  const auto exponent = read_exponent(text.substr(digits->size));
  if (!exponent) return std::nullopt;
  return normalized(negative ? -digits->mantissa : digits->mantissa,
                    digits->behind_point - *exponent);
}

std::optional<Decimal> Decimal::from_double(double number) {
  std::array<char, 64> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                    std::chars_format::scientific);
  return parse(
      std::string_view(buffer.data(), static_cast<std::size_t>(result.ptr - buffer.data())));
}

int compare(const Decimal& a, std::int64_t b) {
  std::int64_t unit = 1;
  for (std::int32_t i = 0; i < a.scale; ++i) unit *= 10;
  const std::int64_t whole = a.mantissa / unit;
  const std::int64_t rest = a.mantissa % unit;
  if (whole != b) return whole < b ? -1 : 1;
  return rest == 0 ? 0 : (rest < 0 ? -1 : 1);
}

}  // namespace recipelint::space
