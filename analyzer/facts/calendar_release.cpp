#include "analyzer/facts/calendar_release.h"

#include <fmt/format.h>

namespace recipelint::facts {

std::optional<Date> day_of(const Release& release) {
  constexpr std::uint32_t kFirstYear = 2020;
  if (release.number[0] < kFirstYear) return std::nullopt;
  return parse_date(
      fmt::format("{:04}-{:02}-{:02}", release.number[0], release.number[1], release.number[2]));
}

}  // namespace recipelint::facts
