#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analyzer/text/result.h"

/// Bash patterns: case, [[ == ]], ${v#p}, ${v/p/r}, file names.
namespace recipelint::shell {

/// A run of pattern text. Quoted characters stand for themselves; in unquoted text a backslash
/// quotes the next character.
struct PatternPart {
  std::string_view text;
  bool quoted = false;
};

struct PatternOptions {
  bool extended = false;  // shopt extglob; [[ == ]] always has it
  /// shopt nocasematch, for ASCII letters. Bash heeds it in case, [[ == ]] and ${v/p/r}, but not in
  /// ${v#p} and ${v%p}.
  bool ignore_case = false;
};

/// Bytes [begin, end) of the text that was searched.
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  friend bool operator==(const TextRange&, const TextRange&) = default;
};

enum class Extent : std::uint8_t { kShortest, kLongest };

/// A pattern, compiled once. "?" and brackets match one UTF-8 character (or one byte that is not
/// part of any); ranges are in code point order, classes hold ASCII characters only. Time is
/// bounded by length of pattern times length of text except under !(...); every function fails,
/// with a reason, rather than exceed a fixed number of steps.
/// Not followed are some slips of bash 5.2, mostly about a group directly behind "*" or "?"
/// ("*!(a)" matches too much at the end of a text) and ${v/[!]a]/r}, which finds nothing there.
class Pattern {
 public:
  explicit Pattern(std::span<const PatternPart> parts, PatternOptions options = {});
  Pattern(Pattern&&) noexcept;
  Pattern& operator=(Pattern&&) noexcept;
  ~Pattern();

  /// Whether the whole text matches.
  text::Result<bool> matches(std::string_view text) const;
  /// Bytes of the prefix or suffix that ${v#p}, ${v##p}, ${v%p}, ${v%%p} remove; none if no match.
  text::Result<std::optional<std::size_t>> prefix_length(std::string_view text,
                                                         Extent extent) const;
  text::Result<std::optional<std::size_t>> suffix_length(std::string_view text,
                                                         Extent extent) const;
  /// What ${v/p/r} replaces: the leftmost match, as long as possible.
  text::Result<std::optional<TextRange>> find_first(std::string_view text) const;
  /// What ${v//p/r} replaces, left to right, empty matches included where bash has them.
  text::Result<std::vector<TextRange>> find_all(std::string_view text) const;

  /// Whether no character of the pattern is special.
  bool is_literal() const;

 private:
  struct Program;
  std::unique_ptr<const Program> program_;
};

/// Whether unquoted text contains a character that makes bash look for file names.
bool has_pattern_characters(std::string_view unquoted, PatternOptions options);

}  // namespace recipelint::shell
