#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts/image_reference.h"
#include "analyzer/text/result.h"

namespace recipelint::facts {

/// The form of a tag (or of a repository name), in the small language that the head of
/// data/images.yaml describes:
///
///     text        itself
///     {field}     one of the fields below
///     (a|b)       one of the alternatives
///     [a|b]       one of the alternatives, or nothing
///
/// A pattern matches the whole text or not at all. Matching takes time proportional to the product
/// of the sizes of pattern and text, whatever the pattern: override files are input, too.
class TagPattern {
 public:
  enum class Field : std::uint8_t {
    kVersion,      // {version}: 0.27.1, 1.3.0rc22.post1, of the engine
    kDotted,       // {dotted}: 22.04, of anything else
    kNumber,       // {number}: digits
    kDate,         // {date}: a real day, YYYYMMDD
    kMinute,       // {minute}: a real day and time, YYYYMMDDHHMM
    kCommit,       // {commit}: 40 hexadecimal digits
    kShortCommit,  // {short-commit}: 7 to 39 of them
    kHash,  // {hash}: the same with a letter and a digit, where a word or a number could stand
    kWord,  // {word}: letters and digits
    kAny,   // {any}: one or more characters of any kind
  };

  /// What a field stood for.
  struct Capture {
    Field field;
    ByteRange range;

    friend bool operator==(const Capture&, const Capture&) = default;
  };

  static constexpr std::size_t kLongestPattern = 256;

  /// Fails with the column of what is wrong in the message; the place is the caller's to add.
  static text::Result<TagPattern> compile(std::string_view pattern);

  /// The captures in the order of the text; nullopt if it does not match. Of several ways to match,
  /// the one with the longest optional parts and the earliest alternatives.
  std::optional<std::vector<Capture>> match(std::string_view text) const;

  const std::string& text() const { return text_; }

 private:
  friend class TagPatternCompiler;
  friend class TagPatternMatch;

  enum class Operation : std::uint8_t { kLiteral, kField, kSplit, kJump, kEnd };
  /// Jumps and splits lead forward only, so that matching always ends.
  struct Instruction {
    Operation operation;
    char literal = '\0';
    Field field = Field::kAny;
    std::size_t first = 0;   // kSplit: tried first; kJump: the target
    std::size_t second = 0;  // kSplit: tried next
  };

  std::string text_;
  std::vector<Instruction> program_;
};

/// "version", "short-commit" and so on.
std::string_view to_string(TagPattern::Field field);

}  // namespace recipelint::facts
