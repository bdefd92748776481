#pragma once

#include <cstdint>

namespace recipelint::serving::memory {

inline constexpr double kGib = static_cast<double>(std::int64_t{1} << 30);

/// A number of bytes that is not known exactly: the least that can be, what is most likely, and the
/// most that can be.
struct Interval {
  double low = 0;
  double nominal = 0;
  double high = 0;

  static Interval exactly(double value) { return {value, value, value}; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

}  // namespace recipelint::serving::memory
