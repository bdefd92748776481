#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/text/origin.h"

namespace recipelint::shell {

/// A run of text with one origin: known bytes, or something that only the host knows, with the
/// cause
/// ("output of nvidia-smi", "environment variable USER").
struct Piece {
  std::string text;  // the bytes, or the cause if !known
  bool known = true;
  text::Origin origin;

  friend bool operator==(const Piece&, const Piece&) = default;
};

/// The value of a variable or word: pieces in order. An empty list is the empty string.
class Value {
 public:
  Value() = default;
  static Value of(std::string text, text::Origin origin = {});
  static Value unknown(std::string cause, text::Origin origin = {});

  const std::vector<Piece>& pieces() const { return pieces_; }
  bool is_known() const;
  bool empty() const { return pieces_.empty(); }
  /// The text of a known value; unknown pieces stand as "${cause}".
  std::string text() const;
  /// The origin of the first piece that has one.
  text::Origin origin() const;

  void append(const Value& other);
  void append(Piece piece);

  friend bool operator==(const Value&, const Value&) = default;

 private:
  std::vector<Piece> pieces_;
};

}  // namespace recipelint::shell
