#include "analyzer/shell/value.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "analyzer/shell/witness.h"

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
      out += piece.text.get();
    } else {
      out.append("${").append(piece.text.get()).append("}");
    }
  }
  return out;
}

std::string_view Value::view(std::string& buffer) const {
  if (pieces_.empty()) return {};
  if (pieces_.size() == 1 && pieces_.front().known) return pieces_.front().text.get();
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
    if (!piece.known) return piece.text.get();
  }
  return {};
}

std::size_t Value::size() const {
  // A loop that doubles a text of one byte makes as many pieces as bytes.
  constexpr std::size_t kPieceBytes = 8;
  std::size_t size = pieces_.size() * kPieceBytes;
  for (const Piece& piece : pieces_) size += piece.text.unseen().size();
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
      pieces_.back().origin == piece.origin && pieces_.back().text.parameter() == 0 &&
      piece.text.parameter() == 0) {
    pieces_.back().text.write() += piece.text.get();
    return;
  }
  pieces_.push_back(std::move(piece));
}

Value Value::slice(std::size_t begin, std::size_t end) const {
  Value out;
  std::size_t offset = 0;
  for (const Piece& piece : pieces_) {
    const std::size_t from = std::max(begin, offset);
    const std::size_t to = std::min(end, offset + piece.text.get().size());
    if (from < to) {
      out.append(Piece{piece.text.get().substr(from - offset, to - from), true, piece.origin, {}});
    }
    offset += piece.text.get().size();
    if (offset >= end) break;
  }
  return out;
}

namespace {

/// Whether a text that starts with `start` cannot start with the value of the parameter.
bool excludes(const PieceText& parameter, const std::string& start) {
  const Witness* witness = Witness::current();
  if (witness == nullptr || start.empty()) return false;
  const char first = start.front();
  const bool is_digit = first >= '0' && first <= '9';
  return witness->is_number(parameter.parameter())
             ? !is_digit
             : kParameterAlphabet.find(first) == std::string_view::npos;
}

/// Whether two known values differ whatever values their parameters have; may miss it.
bool certainly_differ(const Value& a, const Value& b) {
  std::size_t at = 0;
  const auto& left = a.pieces();
  const auto& right = b.pieces();
  while (at < left.size() && at < right.size() &&
         left[at].text.parameter() == right[at].text.parameter() &&
         left[at].text == right[at].text) {
    ++at;
  }
  // No piece is empty.
  if (at == left.size() || at == right.size()) return left.size() != right.size();
  const PieceText& x = left[at].text;
  const PieceText& y = right[at].text;
  if (x.parameter() != 0 && y.parameter() != 0) return false;
  if (x.parameter() != 0) return excludes(x, y.get());
  if (y.parameter() != 0) return excludes(y, x.get());
  const std::size_t length = std::min(x.get().size(), y.get().size());
  return x.get().compare(0, length, y.get(), 0, length) != 0;
}

}  // namespace

bool same_text(const Value& a, const Value& b) {
  const auto& left = a.pieces();
  const auto& right = b.pieces();
  if (left.size() == right.size() &&
      std::equal(left.begin(), left.end(), right.begin(), [](const Piece& x, const Piece& y) {
        return x.known == y.known && x.text.parameter() == y.text.parameter() && x.text == y.text;
      })) {
    return true;
  }
  // The same text can be cut into pieces in several ways.
  if (!a.is_known() || !b.is_known() || certainly_differ(a, b)) return false;
  return a.text() == b.text();
}

}  // namespace recipelint::shell
