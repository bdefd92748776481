#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/shell/value.h"
#include "analyzer/text/origin.h"
#include "analyzer/text/span.h"

namespace recipelint::serving {

/// Stands for an unknown piece in the text of a word. No word of a command line can hold this byte.
inline constexpr char kHole = '\0';

inline bool has_hole(std::string_view text) {
  return text.find(kHole) != std::string_view::npos;
}

/// Some bytes of a word.
struct Place {
  std::size_t word = 0;  // index in Words
  std::size_t begin = 0;
  std::size_t end = 0;

  friend bool operator==(const Place&, const Place&) = default;
};

/// The texts that a command is made of: the words of the command line, and what its configuration
/// files hold. Unknown pieces are holes, one byte each, so that offsets stay simple.
class Words {
 public:
  /// Adds a word; gives its index. `argument` is the word of the command line that brings it in.
  std::size_t add(const shell::Value& value, std::size_t argument);

  std::string_view text(std::size_t word) const { return words_[word].text; }
  std::string_view text(Place place) const;
  Place whole(std::size_t word) const { return {word, 0, words_[word].text.size()}; }

  /// The word of the command line that a place belongs to.
  std::size_t argument(Place place) const { return words_[place.word].argument; }
  /// Where the bytes are written; the nearest known place around them if they were computed.
  text::Span span(Place place) const;
  /// Where they come from.
  text::Origin origin(Place place) const;
  /// Why the first hole in the place is one; empty if there is none.
  std::string_view cause(Place place) const;

 private:
  struct Piece {
    std::size_t begin = 0;
    std::size_t end = 0;
    text::Origin origin;
    std::string cause;  // of a hole
  };
  struct Word {
    std::string text;
    std::vector<Piece> pieces;
    std::size_t argument = 0;
  };

  std::vector<Word> words_;
};

}  // namespace recipelint::serving
