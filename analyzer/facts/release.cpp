#include "analyzer/facts/release.h"

#include <fmt/format.h>

#include "analyzer/facts/ascii.h"

namespace recipelint::facts {
namespace {

/// Takes things off the front of a text.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }

  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  std::optional<std::uint32_t> number() {
    constexpr std::size_t kMostDigits = 6;
    std::uint32_t value = 0;
    std::size_t digits = 0;
    for (; digits < rest_.size() && is_digit(rest_[digits]); ++digits) {
      if (digits == kMostDigits) return std::nullopt;
      value = value * 10 + static_cast<std::uint32_t>(rest_[digits] - '0');
    }
    if (digits == 0) return std::nullopt;
    rest_.remove_prefix(digits);
    return value;
  }

 private:
  std::string_view rest_;
};

/// Reads the number after `word` if the word is there; false if the number is missing.
bool optional_number(Cursor& cursor, std::string_view word, std::uint32_t& value) {
  if (!cursor.take(word)) return true;
  const auto number = cursor.number();
  if (number) value = *number;
  return number.has_value();
}

}  // namespace

std::optional<Release> parse_release(std::string_view text) {
  Cursor cursor(text);
  cursor.take("v");
  Release release;
  for (std::size_t i = 0; i < release.number.size(); ++i) {
    if (i > 0 && !cursor.take(".")) {
      if (i < 2) return std::nullopt;
      break;
    }
    const auto number = cursor.number();
    if (!number) return std::nullopt;
    release.number[i] = *number;
  }
  if (!optional_number(cursor, "rc", release.candidate)) return std::nullopt;
  if (!optional_number(cursor, ".post", release.post)) return std::nullopt;
  if (!cursor.at_end()) return std::nullopt;
  return release;
}

std::string to_string(const Release& release) {
  std::string text =
      fmt::format("{}.{}.{}", release.number[0], release.number[1], release.number[2]);
  if (release.candidate != Release::kFinal) text += fmt::format("rc{}", release.candidate);
  if (release.post != 0) text += fmt::format(".post{}", release.post);
  return text;
}

}  // namespace recipelint::facts
