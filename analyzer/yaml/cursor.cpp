#include "analyzer/yaml/cursor.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/yaml/failure.h"

namespace recipelint::yaml {

bool Cursor::is_followed_by_space() const {
  const char next = peek(1);
  return next == '\0' || next == ' ' || next == '\t' || next == '\n' || next == '\r';
}

void Cursor::skip_line() {
  at_ = static_cast<std::uint32_t>(std::min(bytes_.find('\n', at_), bytes_.size()));
}

void Cursor::skip_space() {
  while (true) {
    switch (peek()) {
      case ' ':
      case '\r':
        ++at_;
        break;
      case '\n':
        line_begin_ = ++at_;
        break;
      case '#':
        skip_line();
        break;
      case '\t':
        refuse_tab();
      default:
        return;
    }
  }
}

void Cursor::take(std::uint32_t size) {
  at_ += size;
  token_end_ = at_;
  token_line_ = line_begin_;
}

void Cursor::take(const ScannedScalar& scalar) {
  const std::string_view passed = bytes_.substr(at_, scalar.next - at_);
  if (const std::size_t last_break = passed.rfind('\n'); last_break != std::string_view::npos) {
    line_begin_ = at_ + static_cast<std::uint32_t>(last_break) + 1;
  }
  at_ = scalar.next;
  token_end_ = scalar.end;
  token_line_ = line_begin_;
}

void Cursor::refuse_tab() const {
  const std::string_view before = bytes_.substr(line_begin_, at_ - line_begin_);
  const bool indents = before.find_first_not_of(" \t") == std::string_view::npos;
  throw Failure{indents
                    ? "A tab is used as indentation; YAML allows only spaces there."
                    : "A tab stands between two parts of a line; PyYAML allows only spaces there.",
                at_, at_ + 1};
}

void Cursor::refuse_layout() const {
  throw Failure{"PyYAML does not accept this layout, or reads it differently; write it simpler.",
                at_, after_character(bytes_, at_)};
}

void Cursor::refuse_expecting(std::string_view what) const {
  throw Failure{fmt::format("PyYAML does not accept this; it expects {} here.", what), at_,
                after_character(bytes_, at_)};
}

}  // namespace recipelint::yaml
