#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace recipelint::facts {

/// A calendar day in UTC.
struct Date {
  int year = 1970;
  int month = 1;
  int day = 1;

  friend auto operator<=>(const Date&, const Date&) = default;
};

/// "2026-08-17" or "20260817"; nullopt if it is no real day.
std::optional<Date> parse_date(std::string_view text);
/// "2026-08-17".
std::string to_string(const Date& date);
/// Days since 1970-01-01; negative before.
long days_since_epoch(const Date& date);

}  // namespace recipelint::facts
