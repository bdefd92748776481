#include "analyzer/facts/date.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>

namespace recipelint::facts {
namespace {

std::optional<int> digits(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool complete = error == std::errc() && end == text.data() + text.size();
  if (!complete || text.front() == '-') return std::nullopt;
  return value;
}

std::chrono::year_month_day to_chrono(const Date& date) {
  return std::chrono::year(date.year) / std::chrono::month(static_cast<unsigned>(date.month)) /
         std::chrono::day(static_cast<unsigned>(date.day));
}

}  // namespace

std::optional<Date> parse_date(std::string_view text) {
  std::string compact(text);
  if (text.size() == 10 && text[4] == '-' && text[7] == '-') {
    compact = fmt::format("{}{}{}", text.substr(0, 4), text.substr(5, 2), text.substr(8, 2));
  }
  if (compact.size() != 8) return std::nullopt;
  const std::string_view all = compact;
  const auto year = digits(all.substr(0, 4));
  const auto month = digits(all.substr(4, 2));
  const auto day = digits(all.substr(6, 2));
  if (!year || !month || !day) return std::nullopt;
  const Date date{*year, *month, *day};
  return to_chrono(date).ok() ? std::optional(date) : std::nullopt;
}

std::string to_string(const Date& date) {
  return fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day);
}

long days_since_epoch(const Date& date) {
  return std::chrono::sys_days(to_chrono(date)).time_since_epoch().count();
}

}  // namespace recipelint::facts
