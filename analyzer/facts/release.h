#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace recipelint::facts {

/// The number of a release: "0.27.1", "1.3.0rc22", "0.5.10.post1". In the order of PEP 440: a
/// release candidate comes before its release, a post-release after it.
struct Release {
  /// Of a final release: above every number of a candidate.
  static constexpr std::uint32_t kFinal = std::numeric_limits<std::uint32_t>::max();

  std::array<std::uint32_t, 3> number{};
  std::uint32_t candidate = kFinal;
  std::uint32_t post = 0;  // 0: no post-release

  friend auto operator<=>(const Release&, const Release&) = default;
};

/// Two or three numbers, then "rc<n>", then ".post<n>", with or without a "v" before them; nullopt
/// for anything else and for numbers above 999999.
std::optional<Release> parse_release(std::string_view text);
/// "0.27.1"; always three numbers.
std::string to_string(const Release& release);

}  // namespace recipelint::facts
