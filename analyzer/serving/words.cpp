#include "analyzer/serving/words.h"

#include <algorithm>
#include <iterator>

namespace recipelint::serving {
namespace {

/// The part of `span` that `part`, bytes [begin, end) of `text`, was made from: exactly, if the
/// text stands in the source as it is; otherwise all of it.
text::Span part_of(text::Span span, std::string_view text, std::size_t begin, std::size_t end) {
  const auto bytes = span.bytes();
  const auto at = bytes.find(text);
  const bool once =
      at != std::string_view::npos && bytes.find(text, at + 1) == std::string_view::npos;
  if (text.empty() || !once) return span;
  const auto offset = span.begin + static_cast<std::uint32_t>(at);
  return {span.file, offset + static_cast<std::uint32_t>(begin),
          offset + static_cast<std::uint32_t>(end)};
}

}  // namespace

std::size_t Words::add(const shell::Value& value, std::size_t argument) {
  Word word;
  word.argument = argument;
  for (const auto& piece : value.pieces()) {
    const std::size_t begin = word.text.size();
    if (piece.known) {
      // A script can hold that byte, and bash drops it.
      const std::string& text = piece.text.get();
      std::copy_if(text.begin(), text.end(), std::back_inserter(word.text),
                   [](char c) { return c != kHole; });
    } else {
      word.text += kHole;
    }
    word.pieces.push_back(
        {begin, word.text.size(), piece.origin, piece.known ? std::string() : piece.text.get()});
  }
  words_.push_back(std::move(word));
  return words_.size() - 1;
}

std::string_view Words::text(Place place) const {
  return text(place.word).substr(place.begin, place.end - place.begin);
}

text::Span Words::span(Place place) const {
  const Word& word = words_[place.word];
  text::Span result;
  for (const Piece& piece : word.pieces) {
    const bool inside =
        piece.begin < std::max(place.end, place.begin + 1) && piece.end > place.begin;
    if (!inside || !piece.origin.known()) continue;
    const auto whole = std::string_view(word.text).substr(piece.begin, piece.end - piece.begin);
    const auto begin = std::max(place.begin, piece.begin) - piece.begin;
    const auto end = std::clamp(place.end, piece.begin + begin, piece.end) - piece.begin;
    const auto span = part_of(piece.origin.span(), whole, begin, end);
    if (!result.valid()) {
      result = span;
    } else if (result.file == span.file) {
      result = result.joined_with(span);
    }
  }
  if (result.valid() || word.pieces.empty()) return result;
  // A place at the very end of a word belongs to its last piece.
  return word.pieces.back().origin.span();
}

text::Origin Words::origin(Place place) const {
  text::Origin first;
  for (const Piece& piece : words_[place.word].pieces) {
    if (!piece.origin.known()) continue;
    if (piece.end > place.begin) return piece.origin;
    first = piece.origin;
  }
  return first;
}

std::string_view Words::cause(Place place) const {
  for (const Piece& piece : words_[place.word].pieces) {
    if (!piece.cause.empty() && piece.begin >= place.begin && piece.end <= place.end) {
      return piece.cause;
    }
  }
  return {};
}

}  // namespace recipelint::serving
