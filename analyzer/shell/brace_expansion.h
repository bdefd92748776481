#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "analyzer/text/result.h"

namespace recipelint::shell {

/// A part of a word before any other expansion.
struct BracePiece {
  /// Unquoted literal text, in which braces are special. Ignored if `opaque`.
  std::string text;
  /// A quoted part or an expansion: taken over as it is.
  bool opaque = false;
  /// The caller's number of the part that this came from; copied to the results. A generated number
  /// or letter has that of the piece with its opening brace.
  std::size_t part = 0;

  friend bool operator==(const BracePiece&, const BracePiece&) = default;
};

using BraceWord = std::vector<BracePiece>;

/// {a,b}, {1..10}, {01..10}, {a..e}, {1..10..2}, nested; anything that is not a complete brace
/// expression is left alone. Gives the resulting words in order, at least one; words without any
/// piece occur ("{,}") and vanish later as bash's empty unquoted words do. Fails if there would be
/// more than `most_words`.
text::Result<std::vector<BraceWord>> expand_braces(std::span<const BracePiece> word,
                                                   std::size_t most_words = 100'000);

}  // namespace recipelint::shell
