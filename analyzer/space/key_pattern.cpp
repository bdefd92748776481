#include "analyzer/space/key_pattern.h"

#include <cstddef>

namespace recipelint::space {
namespace {

/// What one element of a pattern says about one character.
struct Element {
  std::size_t size = 1;  // bytes of the pattern
  bool matches = false;
};

bool in_set(std::string_view set, char c) {
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (i + 2 < set.size() && set[i + 1] == '-') {
      if (set[i] <= c && c <= set[i + 2]) return true;
      i += 2;
    } else if (set[i] == c) {
      return true;
    }
  }
  return false;
}

Element literal(std::string_view pattern, char c) {
  return {1, pattern.front() == c};
}

Element glob(std::string_view pattern, char c) {
  if (pattern.front() == '?') return {1, true};
  if (pattern.front() != '[') return literal(pattern, c);
  const bool negated = pattern.size() > 1 && pattern[1] == '!';
  const std::size_t begin = negated ? 2 : 1;
  const std::size_t close = pattern.find(']', begin + 1);  // a ']' in front is a member
  if (close == std::string_view::npos) return literal(pattern, c);
  return {close + 1, in_set(pattern.substr(begin, close - begin), c) != negated};
}

/// Matches with at most |pattern| * |key| steps: only the last '*' is ever tried again.
template <class Read>
bool matches(std::string_view pattern, std::string_view key, Read read) {
  constexpr std::size_t kNoStar = std::string_view::npos;
  std::size_t at = 0;
  std::size_t position = 0;
  std::size_t star = kNoStar;
  std::size_t star_position = 0;
  while (position < key.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = ++at;
      star_position = position;
      continue;
    }
    const Element element =
        at < pattern.size() ? read(pattern.substr(at), key[position]) : Element{};
    if (element.matches) {
      at += element.size;
      ++position;
    } else if (star != kNoStar) {
      at = star;
      position = ++star_position;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

}  // namespace

bool matches_changelog_key(std::string_view pattern, std::string_view key) {
  return matches(pattern, key, literal);
}

bool matches_glob(std::string_view pattern, std::string_view key) {
  return matches(pattern, key, glob);
}

}  // namespace recipelint::space
