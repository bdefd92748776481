#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/shell/piece_text.h"
#include "analyzer/text/origin.h"

namespace recipelint::shell {

/// What is certain about the text of an unknown piece.
enum class Shape : std::uint8_t {
  kAny,
  kNotEmpty,
  kNumber,  // a decimal number; never empty
};

/// A run of text with one origin: known bytes, or something that only the host knows, with the
/// cause
/// ("output of nvidia-smi", "environment variable USER").
struct Piece {
  PieceText text;  // the bytes, or the cause if !known
  bool known = true;
  text::Origin origin;
  Shape shape = Shape::kAny;  // only if !known

  friend bool operator==(const Piece&, const Piece&) = default;
};

/// The value of a variable or word: pieces in order. An empty list is the empty string.
class Value {
 public:
  Value() = default;
  static Value of(std::string text, text::Origin origin = {});
  static Value unknown(std::string cause, text::Origin origin = {}, Shape shape = Shape::kAny);

  const std::vector<Piece>& pieces() const { return pieces_; }
  std::vector<Piece>& pieces() { return pieces_; }
  bool is_known() const;
  bool empty() const { return pieces_.empty(); }
  /// Whether the text could be, or, of a known value, is the empty string.
  bool may_be_empty() const;
  /// The text of a known value; unknown pieces stand as "${cause}".
  std::string text() const;
  /// The text without a copy if the value is one known piece or empty, else put into `buffer`.
  std::string_view view(std::string& buffer) const;
  /// The origin of the first piece that has one.
  text::Origin origin() const;
  /// The cause of the first unknown piece; empty if all is known.
  std::string_view cause() const;
  /// Bytes of known text and causes, and some for each piece: what a copy of it costs.
  std::size_t size() const;

  void append(const Value& other);
  void append(Value&& other);
  void append(Piece piece);
  /// The known bytes [begin, end) of a value of which every piece is known.
  Value slice(std::size_t begin, std::size_t end) const;

  friend bool operator==(const Value&, const Value&) = default;

 private:
  std::vector<Piece> pieces_;
};

/// Whether both mean the same text; origins do not count.
bool same_text(const Value& a, const Value& b);

}  // namespace recipelint::shell
