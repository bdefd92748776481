#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/facts/date.h"

namespace recipelint::facts {

/// When a commit was made.
struct CommitTime {
  std::string hash;  // its first 12 digits
  Date day;          // UTC
  std::int64_t seconds_since_epoch = 0;

  friend bool operator==(const CommitTime&, const CommitTime&) = default;
};

/// A table of commits and their times (data/*_commits.tsv): comment lines that begin with '#', then
/// lines of one width "<12 digits of the hash>TAB<YYYYMMDD>T<HHMMSS>LF", sorted by hash. Nothing is
/// read before a commit is asked for, and then only the lines that a binary search touches.
class CommitIndex {
 public:
  static constexpr std::size_t kHashDigits = 12;
  static constexpr std::size_t kShortestPrefix = 7;

  enum class Outcome : std::uint8_t { kFound, kUnknown, kAmbiguous };
  struct Answer {
    Outcome outcome = Outcome::kUnknown;
    std::optional<CommitTime> commit;  // with kFound
  };

  /// `bytes` must outlive the index. Bytes that are no such table give an empty index.
  explicit CommitIndex(std::string_view bytes);

  /// The commit whose hash begins with `prefix`: 7 to 40 lower-case hexadecimal digits, of which
  /// the first 12 are compared. Anything else is unknown.
  Answer find(std::string_view prefix) const;

  std::size_t size() const;
  /// What the comment line "# Source: ..." or "# Date: ..." says; empty if there is none.
  std::string_view header(std::string_view name) const;
  /// The commit at a position in the order of the hashes, below size(); nullopt if its time is no
  /// real one.
  std::optional<CommitTime> at(std::size_t position) const;

 private:
  std::string_view hash(std::size_t position) const;

  std::string_view header_;
  std::string_view lines_;
};

}  // namespace recipelint::facts
