#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/shell/pattern.h"

namespace recipelint::shell {

/// The outcome of [[ text =~ expression ]].
struct RegexMatch {
  enum class Outcome : std::uint8_t {
    kMatched,
    kNotMatched,
    kInvalid,  // not a regular expression: status 2
    kRefused,  // could cost too much to try: the outcome is unknown
  };
  Outcome outcome = Outcome::kNotMatched;
  /// kMatched: BASH_REMATCH; element 0 is the whole match, a group that took no part is empty.
  std::vector<TextRange> groups;
  /// kInvalid, kRefused: why.
  std::string message;
};

/// Matches as bash does, with POSIX extended regular expressions; quoted parts stand for
/// themselves. `ignore_case` of the options is shopt nocasematch.
RegexMatch match_regex(std::string_view text, std::span<const PatternPart> expression,
                       PatternOptions options = {});

}  // namespace recipelint::shell
