#include "analyzer/yaml/timestamp.h"

#include <optional>

namespace recipelint::yaml {
namespace {

struct Parts {
  int year = 0;
  int month = 0;
  int day = 0;
  bool has_time = false;
  int hour = 0;
  int minute = 0;
  int second = 0;
  /// Size of the offset from UTC.
  int offset_minutes = 0;
};

/// Reads the text from the left; every take_... removes what it accepts.
class Reader {
 public:
  explicit Reader(std::string_view rest) : rest_(rest) {}

  bool at_end() const { return rest_.empty(); }

  bool take(std::string_view any_of) {
    if (rest_.empty() || any_of.find(rest_[0]) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool take_blanks() {
    bool any = false;
    while (take(" \t")) any = true;
    return any;
  }

  bool take_number(std::size_t least_digits, std::size_t most_digits, int& number) {
    std::size_t digits = 0;
    number = 0;
    while (digits < most_digits && digits < rest_.size() && is_digit(rest_[digits])) {
      number = number * 10 + (rest_[digits] - '0');
      ++digits;
    }
    if (digits < least_digits) return false;
    rest_.remove_prefix(digits);
    return true;
  }

  void take_digits() {
    while (!rest_.empty() && is_digit(rest_[0])) rest_.remove_prefix(1);
  }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  std::string_view rest_;
};

/// [ \t]*(Z|[-+][0-9][0-9]?(:[0-9][0-9])?)
bool read_zone(Reader& reader, Parts& parts) {
  reader.take_blanks();
  if (reader.take("Z")) return true;
  int hours = 0;
  int minutes = 0;
  if (!reader.take("-+") || !reader.take_number(1, 2, hours)) return false;
  if (reader.take(":") && !reader.take_number(2, 2, minutes)) return false;
  parts.offset_minutes = hours * 60 + minutes;
  return true;
}

bool read_time(Reader& reader, Parts& parts) {
  parts.has_time = true;
  if (!reader.take("Tt") && !reader.take_blanks()) return false;
  if (!reader.take_number(1, 2, parts.hour) || !reader.take(":")) return false;
  if (!reader.take_number(2, 2, parts.minute) || !reader.take(":")) return false;
  if (!reader.take_number(2, 2, parts.second)) return false;
  if (reader.take(".")) reader.take_digits();
  return reader.at_end() || read_zone(reader, parts);
}

std::optional<Parts> read(std::string_view text) {
  Reader reader(text);
  Parts parts;
  if (!reader.take_number(4, 4, parts.year) || !reader.take("-")) return std::nullopt;
  if (!reader.take_number(1, 2, parts.month) || !reader.take("-")) return std::nullopt;
  if (!reader.take_number(1, 2, parts.day)) return std::nullopt;
  if (!reader.at_end() && !read_time(reader, parts)) return std::nullopt;
  if (!reader.at_end()) return std::nullopt;
  return parts;
}

int days_in_month(int year, int month) {
  if (month == 2) return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

}  // namespace

bool is_timestamp(std::string_view text) {
  constexpr std::size_t kDateLength = 10;
  const auto parts = read(text);
  return parts && (parts->has_time || text.size() == kDateLength);
}

bool is_valid_timestamp(std::string_view text) {
  constexpr int kMinutesPerDay = 24 * 60;
  const auto parts = read(text);
  if (!parts || parts->year < 1 || parts->month < 1 || parts->month > 12) return false;
  if (parts->day < 1 || parts->day > days_in_month(parts->year, parts->month)) return false;
  return parts->hour < 24 && parts->minute < 60 && parts->second < 60 &&
         parts->offset_minutes < kMinutesPerDay;
}

}  // namespace recipelint::yaml
