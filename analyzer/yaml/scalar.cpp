#include "analyzer/yaml/scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <system_error>
#include <vector>

#include "analyzer/yaml/tag.h"
#include "analyzer/yaml/timestamp.h"

namespace recipelint::yaml {
namespace {

/// A natural number of 64 bits that notices when it overflows.
class SmallNatural {
 public:
  /// this = this * factor + term; false if it does not fit.
  bool multiply_add(std::uint32_t factor, std::uint32_t term) {
    return !__builtin_mul_overflow(value_, std::uint64_t{factor}, &value_) &&
           !__builtin_add_overflow(value_, std::uint64_t{term}, &value_);
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

/// A natural number of up to kLongestInteger decimal digits.
class BigNatural {
 public:
  bool multiply_add(std::uint32_t factor, std::uint32_t term) {
    std::uint64_t carry = term;
    for (std::uint32_t& limb : limbs_) {
      carry += std::uint64_t{limb} * factor;
      limb = static_cast<std::uint32_t>(carry % kBase);
      carry /= kBase;
    }
    for (; carry != 0; carry /= kBase) limbs_.push_back(static_cast<std::uint32_t>(carry % kBase));
    return limbs_.size() <= kLongestInteger / kDigitsPerLimb + 1;
  }

  std::string digits() const {
    std::string text;
    for (std::size_t i = limbs_.size(); i-- > 0;) {
      const std::string limb = std::to_string(limbs_[i]);
      if (!text.empty()) text.append(kDigitsPerLimb - limb.size(), '0');
      text += limb;
    }
    return text.empty() ? "0" : text;
  }

 private:
  static constexpr std::uint64_t kBase = 1'000'000'000;
  static constexpr std::size_t kDigitsPerLimb = 9;

  std::vector<std::uint32_t> limbs_;  // least significant first
};

std::optional<std::uint32_t> digit_value(char c, std::uint32_t base) {
  std::uint32_t value = base;
  if (c >= '0' && c <= '9') value = static_cast<std::uint32_t>(c - '0');
  if (c >= 'a' && c <= 'f') value = static_cast<std::uint32_t>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') value = static_cast<std::uint32_t>(c - 'A') + 10;
  if (value >= base) return std::nullopt;
  return value;
}

template <typename Natural>
bool read_digits(std::string_view digits, std::uint32_t base, Natural& number) {
  for (const char c : digits) {
    const auto digit = digit_value(c, base);
    if (!digit || !number.multiply_add(base, *digit)) return false;
  }
  return !digits.empty();
}

/// `1:30:00`: every part after the first counts sixtieths of the one before.
template <typename Natural>
bool read_sexagesimal(std::string_view text, Natural& number) {
  const std::size_t colon = text.find(':');
  if (!read_digits(text.substr(0, colon), 10, number)) return false;
  for (std::size_t at = colon; at != std::string_view::npos;) {
    const std::size_t next = text.find(':', at + 1);
    SmallNatural part;
    if (!read_digits(text.substr(at + 1, next - at - 1), 10, part)) return false;
    if (part.value() > std::numeric_limits<std::uint32_t>::max()) return false;
    if (!number.multiply_add(60, static_cast<std::uint32_t>(part.value()))) return false;
    at = next;
  }
  return true;
}

template <typename Natural>
bool read_natural(std::string_view text, Natural& number) {
  if (text.starts_with("0b")) return read_digits(text.substr(2), 2, number);
  if (text.starts_with("0x")) return read_digits(text.substr(2), 16, number);
  if (text.starts_with('0')) return read_digits(text, 8, number);
  if (text.find(':') != std::string_view::npos) return read_sexagesimal(text, number);
  return read_digits(text, 10, number);
}

std::string without_underscores(std::string_view text) {
  std::string result(text);
  result.erase(std::remove(result.begin(), result.end(), '_'), result.end());
  return result;
}

/// Removes one sign; true if it is '-'.
bool take_sign(std::string_view& text) {
  if (text.empty() || (text[0] != '-' && text[0] != '+')) return false;
  const bool negative = text[0] == '-';
  text.remove_prefix(1);
  return negative;
}

std::optional<Scalar> construct_int(std::string_view text) {
  const std::string plain = without_underscores(text);
  std::string_view rest = plain;
  const bool negative = take_sign(rest);
  constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();
  SmallNatural small;
  if (read_natural(rest, small) && small.value() <= kLargest + (negative ? 1 : 0)) {
    const std::uint64_t bits = negative ? 0 - small.value() : small.value();
    return Scalar(static_cast<std::int64_t>(bits));
  }
  BigNatural big;
  if (!read_natural(rest, big)) return std::nullopt;
  const std::string digits = big.digits();
  if (digits.size() > kLongestInteger) return std::nullopt;
  return Scalar(BigInteger{(negative ? "-" : "") + digits});
}

/// Whether a decimal number out of the range of double is too large rather than too small.
bool is_huge(std::string_view text) {
  const std::size_t exponent_at = std::min(text.find('e'), text.size());
  const std::string_view mantissa = text.substr(0, exponent_at);
  const auto point = static_cast<std::int64_t>(std::min(mantissa.find('.'), mantissa.size()));
  const auto leading = static_cast<std::int64_t>(mantissa.find_first_not_of("0."));
  std::string_view exponent_text = text.substr(std::min(exponent_at + 1, text.size()));
  const bool negative = take_sign(exponent_text);
  std::int64_t exponent = 0;
  const auto read =
      std::from_chars(exponent_text.data(), exponent_text.data() + exponent_text.size(), exponent);
  constexpr std::int64_t kBeyondAnyText = std::int64_t{1} << 40u;
  if (read.ec == std::errc::result_out_of_range || exponent > kBeyondAnyText) return !negative;
  return point - leading + (negative ? -exponent : exponent) > 0;
}

/// Python's float() of lower-case text without sign, blanks and underscores.
std::optional<double> read_float(std::string_view text) {
  if (text == "inf" || text == "infinity") return std::numeric_limits<double>::infinity();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text.empty() || (text[0] != '.' && !digit_value(text[0], 10))) return std::nullopt;
  double value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ptr != end || read.ec == std::errc::invalid_argument) return std::nullopt;
  if (read.ec == std::errc::result_out_of_range) {
    return is_huge(text) ? std::numeric_limits<double>::infinity() : 0.0;
  }
  return value;
}

/// The float nearest to 60^exponent, as Python converts its exact integer; nullopt if too large.
std::optional<double> power_of_sixty(std::size_t exponent) {
  BigNatural power;
  power.multiply_add(1, 1);
  for (std::size_t i = 0; i < exponent; ++i) {
    if (!power.multiply_add(60, 0)) return std::nullopt;
  }
  const auto value = read_float(power.digits());
  if (!value || std::isinf(*value)) return std::nullopt;
  return value;
}

std::optional<double> read_sexagesimal_float(std::string_view text) {
  double sum = 0;
  std::size_t exponent = 0;
  while (true) {
    const std::size_t colon = text.rfind(':');
    const std::size_t begin = colon == std::string_view::npos ? 0 : colon + 1;
    const auto digit = read_float(text.substr(begin));
    const auto base = power_of_sixty(exponent++);
    if (!digit || !base) return std::nullopt;
    sum += *digit * *base;
    if (begin == 0) return sum;
    text = text.substr(0, colon);
  }
}

std::optional<Scalar> construct_float(std::string_view text) {
  std::string plain = without_underscores(text);
  for (char& c : plain) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  std::string_view rest = plain;
  const bool negative = take_sign(rest);
  if (rest == ".nan" || rest == ".inf") rest.remove_prefix(1);
  const auto value =
      rest.find(':') == std::string_view::npos ? read_float(rest) : read_sexagesimal_float(rest);
  if (!value) return std::nullopt;
  return Scalar(negative ? -*value : *value);
}

std::optional<Scalar> construct_bool(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  if (lower == "yes" || lower == "true" || lower == "on") return Scalar(true);
  if (lower == "no" || lower == "false" || lower == "off") return Scalar(false);
  return std::nullopt;
}

}  // namespace

std::optional<Scalar> construct(Tag tag, std::string_view text) {
  switch (tag) {
    case Tag::kNull:
      return Scalar(Null{});
    case Tag::kBool:
      return construct_bool(text);
    case Tag::kInt:
      return construct_int(text);
    case Tag::kFloat:
      return construct_float(text);
    case Tag::kTimestamp:
      if (!is_valid_timestamp(text)) return std::nullopt;
      return Scalar(Timestamp{std::string(text)});
    default:
      return Scalar(std::string(text));
  }
}

Scalar resolve_plain(std::string_view text) {
  auto value = construct(resolve_tag(text), text);
  return value ? *std::move(value) : Scalar(std::string(text));
}

std::string_view type_name(const Scalar& scalar) {
  constexpr std::array<std::string_view, std::variant_size_v<Scalar>> kNames = {
      "null", "bool", "int", "int", "float", "date", "str"};
  return kNames[scalar.index()];
}

}  // namespace recipelint::yaml
