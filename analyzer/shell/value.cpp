#include "analyzer/shell/value.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace recipelint::shell {

Value Value::of(std::string text, text::Origin origin) {
  Value value;
  if (!text.empty()) value.pieces_.push_back({std::move(text), true, origin, Shape::kAny});
  return value;
}

Value Value::unknown(std::string cause, text::Origin origin, Shape shape) {
  Value value;
  value.pieces_.push_back({std::move(cause), false, origin, shape});
  return value;
}

bool Value::is_known() const {
  return std::all_of(pieces_.begin(), pieces_.end(), [](const Piece& p) { return p.known; });
}

bool Value::may_be_empty() const {
  return std::all_of(pieces_.begin(), pieces_.end(), [](const Piece& piece) {
    return piece.known ? piece.text.empty() : piece.shape == Shape::kAny;
  });
}

std::string Value::text() const {
  std::string out;
  for (const Piece& piece : pieces_) {
    if (piece.known) {
      out += piece.text;
    } else {
      out.append("${").append(piece.text).append("}");
    }
  }
  return out;
}

std::string_view Value::view(std::string& buffer) const {
  if (pieces_.empty()) return {};
  if (pieces_.size() == 1 && pieces_.front().known) return pieces_.front().text;
  buffer = text();
  return buffer;
}

text::Origin Value::origin() const {
  for (const Piece& piece : pieces_) {
    if (piece.origin.known()) return piece.origin;
  }
  return {};
}

std::string_view Value::cause() const {
  for (const Piece& piece : pieces_) {
    if (!piece.known) return piece.text;
  }
  return {};
}

std::size_t Value::size() const {
  std::size_t size = 0;
  for (const Piece& piece : pieces_) size += piece.text.size();
  return size;
}

void Value::append(const Value& other) {
  pieces_.insert(pieces_.end(), other.pieces_.begin(), other.pieces_.end());
}

void Value::append(Value&& other) {
  if (pieces_.empty()) {
    pieces_ = std::move(other.pieces_);
    return;
  }
  pieces_.insert(pieces_.end(), std::make_move_iterator(other.pieces_.begin()),
                 std::make_move_iterator(other.pieces_.end()));
}

void Value::append(Piece piece) {
  if (piece.known && piece.text.empty()) return;
  if (piece.known && !pieces_.empty() && pieces_.back().known &&
      pieces_.back().origin == piece.origin) {
    pieces_.back().text += piece.text;
    return;
  }
  pieces_.push_back(std::move(piece));
}

Value Value::slice(std::size_t begin, std::size_t end) const {
  Value out;
  std::size_t offset = 0;
  for (const Piece& piece : pieces_) {
    const std::size_t from = std::max(begin, offset);
    const std::size_t to = std::min(end, offset + piece.text.size());
    if (from < to) {
      out.append(Piece{piece.text.substr(from - offset, to - from), true, piece.origin, {}});
    }
    offset += piece.text.size();
    if (offset >= end) break;
  }
  return out;
}

bool same_text(const Value& a, const Value& b) {
  const auto& left = a.pieces();
  const auto& right = b.pieces();
  if (left.size() == right.size() &&
      std::equal(left.begin(), left.end(), right.begin(), [](const Piece& x, const Piece& y) {
        return x.known == y.known && x.text == y.text;
      })) {
    return true;
  }
  // The same text can be cut into pieces in several ways.
  return a.is_known() && b.is_known() && a.text() == b.text();
}

}  // namespace recipelint::shell
