#include "analyzer/facts/commit_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "analyzer/facts/ascii.h"

namespace recipelint::facts {
namespace {

constexpr std::size_t kTimeBegin = CommitIndex::kHashDigits + 1;
constexpr std::size_t kTimeSize = 15;  // YYYYMMDDTHHMMSS
constexpr std::size_t kLineSize = kTimeBegin + kTimeSize + 1;

/// The size of the comment lines at the beginning.
std::size_t header_size(std::string_view bytes) {
  std::size_t at = 0;
  while (at < bytes.size() && bytes[at] == '#') {
    at = std::min(bytes.find('\n', at), bytes.size() - 1) + 1;
  }
  return at;
}

/// Two digits as a number below `limit`.
std::optional<int> two_digits(std::string_view text, int limit) {
  if (text.size() != 2 || !is_digit(text[0]) || !is_digit(text[1])) return std::nullopt;
  const int value = (text[0] - '0') * 10 + (text[1] - '0');
  return value < limit ? std::optional(value) : std::nullopt;
}

}  // namespace

CommitIndex::CommitIndex(std::string_view bytes) {
  const std::size_t begin = header_size(bytes);
  const auto lines = bytes.substr(begin);
  if (lines.size() % kLineSize != 0) return;
  header_ = bytes.substr(0, begin);
  lines_ = lines;
}

std::size_t CommitIndex::size() const {
  return lines_.size() / kLineSize;
}

std::string_view CommitIndex::header(std::string_view name) const {
  const std::string mark = fmt::format("# {}: ", name);
  const auto found = header_.find(mark);
  if (found == std::string_view::npos) return {};
  const auto begin = found + mark.size();
  return header_.substr(begin, header_.find('\n', begin) - begin);
}

std::string_view CommitIndex::hash(std::size_t position) const {
  return lines_.substr(position * kLineSize, kHashDigits);
}

std::optional<CommitTime> CommitIndex::at(std::size_t position) const {
  const auto time = lines_.substr(position * kLineSize + kTimeBegin, kTimeSize);
  const auto day = parse_date(time.substr(0, 8));
  const auto hour = two_digits(time.substr(9, 2), 24);
  const auto minute = two_digits(time.substr(11, 2), 60);
  const auto second = two_digits(time.substr(13, 2), 60);
  if (!day || !hour || !minute || !second) return std::nullopt;
  const std::int64_t hours = std::int64_t{days_since_epoch(*day)} * 24 + *hour;
  return CommitTime{std::string(hash(position)), *day, (hours * 60 + *minute) * 60 + *second};
}

CommitIndex::Answer CommitIndex::find(std::string_view prefix) const {
  const bool hexadecimal = std::all_of(prefix.begin(), prefix.end(), is_lower_hex);
  if (!hexadecimal || prefix.size() < kShortestPrefix || prefix.size() > 40) return {};
  const auto wanted = prefix.substr(0, kHashDigits);
  std::size_t low = 0;
  std::size_t high = size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (hash(middle) < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == size() || !hash(low).starts_with(wanted)) return {};
  if (low + 1 < size() && hash(low + 1).starts_with(wanted)) return {Outcome::kAmbiguous, {}};
  auto commit = at(low);
  if (!commit) return {};
  return {Outcome::kFound, std::move(commit)};
}

}  // namespace recipelint::facts
