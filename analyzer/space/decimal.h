#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace recipelint::space {

/// A decimal number mantissa * 10^-scale with at most 18 digits: what Python's Decimal makes of a
/// short text, without the detour over a binary fraction.
struct Decimal {
  std::int64_t mantissa = 0;
  std::int32_t scale = 0;  // 0 to 18

  /// Reads "12", "-0.8", ".5", "8e-1"; nullopt for anything else, and for a number that needs more
  /// than 18 digits before or behind the point.
  static std::optional<Decimal> parse(std::string_view text);
  /// The shortest decimal that reads back as this double, which is what Python's str() shows.
  static std::optional<Decimal> from_double(double number);

  friend bool operator==(const Decimal&, const Decimal&) = default;
};

/// -1, 0 or 1: how a compares with the integer b.
int compare(const Decimal& a, std::int64_t b);

}  // namespace recipelint::space
