#include "analyzer/shell/expansion_sinks.h"

#include "analyzer/shell/witness.h"

namespace recipelint::shell {
namespace {

constexpr std::string_view kBlanks = " \t\n";

bool is_blank(char c) {
  return kBlanks.find(c) != std::string_view::npos;
}

// Joins values with a separator that has no origin of its own.
Value join(std::vector<Value> values, char separator) {
  Value out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i != 0) out.append(Piece{std::string(1, separator), true, {}, {}});
    out.append(std::move(values[i]));
  }
  return out;
}

void append_escaped(std::string& pattern, std::string_view text) {
  for (const char c : text) {
    pattern += '\\';
    pattern += c;
  }
}

}  // namespace

FieldSink::FieldSink(std::string_view separators, PatternOptions options, text::Span span)
    : separators_(separators), options_(options), span_(span) {}

void FieldSink::add(Piece piece, bool is_quoted) {
  alive_ = true;
  after_space_ = false;
  if (piece.known &&
      (!current_.pattern.empty() || (!is_quoted && piece.text.parameter() == 0 &&
                                     has_pattern_characters(piece.text.get(), options_)))) {
    if (current_.pattern.empty()) append_escaped(current_.pattern, current_.field.value.text());
    if (is_quoted) {
      append_escaped(current_.pattern, piece.text.get());
    } else {
      current_.pattern += piece.text.get();
    }
  }
  current_.field.value.append(std::move(piece));
}

void FieldSink::next_field() {
  current_.field.span = span_;
  fields_.push_back(std::move(current_));
  current_ = Pending();
  alive_ = false;
}

void FieldSink::finish() {
  if (alive_) next_field();
  after_space_ = false;
}

void FieldSink::quoted(Value value) {
  alive_ = true;
  after_space_ = false;
  for (Piece& piece : value.pieces()) add(std::move(piece), true);
}

void FieldSink::literal(std::string_view text, text::Origin origin) {
  if (text.empty()) return;
  add(Piece{std::string(text), true, origin, {}}, false);
}

bool FieldSink::is_one_word(const PieceText& text) const {
  const bool by_kind = text.parameter() != 0 &&
                       kParameterAlphabet.find_first_of(separators_) == std::string_view::npos;
  return by_kind || text.get().find_first_of(separators_) == std::string::npos;
}

void FieldSink::unquoted(Value value) {
  for (Piece& piece : value.pieces()) {
    if (!piece.known) {
      // It may hold separators, or nothing at all.
      if (piece.shape != Shape::kNumber) current_.field.uncertain_count = piece.text.get();
      add(std::move(piece), false);
    } else if (is_one_word(piece.text)) {
      if (!piece.text.empty()) add(std::move(piece), false);
    } else {
      add_split(piece);
    }
  }
}

// POSIX 2.6.5: a run of IFS white space separates, with at most one other IFS character in it;
// every further one of those ends a field, even an empty one.
void FieldSink::add_split(const Piece& piece) {
  const std::string& text = piece.text.get();
  std::size_t i = 0;
  while (i < text.size()) {
    if (!is_separator(text[i])) {
      std::size_t end = i;
      while (end < text.size() && !is_separator(text[end])) ++end;
      add(Piece{text.substr(i, end - i), true, piece.origin, {}}, false);
      i = end;
    } else if (is_blank(text[i])) {
      if (alive_) {
        next_field();
        after_space_ = true;
      }
      ++i;
    } else {
      if (alive_ || !after_space_) next_field();
      after_space_ = false;
      ++i;
    }
  }
}

void FieldSink::separate(std::vector<Value> values, bool is_quoted, const std::string& cause) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i != 0) {
      if (alive_) next_field();
      after_space_ = false;
    }
    if (!cause.empty()) current_.field.uncertain_count = cause;
    if (is_quoted) {
      quoted(std::move(values[i]));
    } else {
      unquoted(std::move(values[i]));
    }
  }
}

void TextSink::separate(std::vector<Value> values, bool, const std::string& cause) {
  if (!cause.empty()) {
    value_.append(Piece{cause, false, {}, Shape::kAny});
    return;
  }
  value_.append(join(std::move(values), ' '));
}

std::vector<PatternPart> PatternText::parts() const {
  std::vector<PatternPart> out;
  out.reserve(runs.size());
  for (const auto& [text, is_quoted] : runs) out.push_back({text, is_quoted});
  return out;
}

void PatternSink::literal(std::string_view text, text::Origin origin) {
  add(Value::of(std::string(text), origin), false);
}

void PatternSink::add(const Value& value, bool is_quoted) {
  for (const Piece& piece : value.pieces()) {
    if (!piece.known && pattern_.cause.empty()) pattern_.cause = piece.text.get();
    if (!pattern_.origin.known()) pattern_.origin = piece.origin;
    pattern_.runs.emplace_back(piece.text.get(), is_quoted);
  }
}

void PatternSink::separate(std::vector<Value> values, bool is_quoted, const std::string& cause) {
  if (!cause.empty()) pattern_.cause = cause;
  add(join(std::move(values), ' '), is_quoted);
}

}  // namespace recipelint::shell
