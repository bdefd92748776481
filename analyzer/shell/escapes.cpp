#include "analyzer/shell/escapes.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "analyzer/text/utf8.h"

namespace recipelint::shell {
namespace {

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

/// The control character that every style writes this way, or NUL.
char simple_escape(char letter) {
  switch (letter) {
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'e':
    case 'E':
      return '\033';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'v':
      return '\v';
    case '\\':
      return '\\';
    default:
      return '\0';
  }
}

class Unescaper {
 public:
  Unescaper(std::string_view text, EscapeStyle style) : text_(text), style_(style) {}

  UnescapedText run() {
    while (at_ < text_.size() && !result_.stopped) {
      if (text_[at_] != '\\' || at_ + 1 == text_.size()) {
        result_.text += text_[at_++];
        continue;
      }
      ++at_;
      read_escape();
    }
    if (style_ == EscapeStyle::kAnsiC) {
      result_.text.resize(std::min(result_.text.size(), result_.text.find('\0')));
    }
    return std::move(result_);
  }

 private:
  bool writes_quotes() const {
    return style_ == EscapeStyle::kPrintfFormat || style_ == EscapeStyle::kAnsiC;
  }

  /// `at_` is behind the backslash.
  void read_escape() {
    const char letter = text_[at_++];
    if (const char simple = simple_escape(letter); simple != '\0') {
      result_.text += simple;
    } else if (letter >= '0' && letter <= '7') {
      read_octal(letter);
    } else if (letter == 'x') {
      read_hexadecimal();
    } else if (letter == 'u' || letter == 'U') {
      read_code_point(letter);
    } else if (letter == 'c' && style_ != EscapeStyle::kPrintfFormat) {
      read_control();
    } else if ((letter == '"' || letter == '\'' || letter == '?') && writes_quotes()) {
      result_.text += letter;
    } else {
      keep(letter);
    }
  }

  void keep(char letter) { result_.text.append(1, '\\').append(1, letter); }

  /// \nnn and, where the leading zero does not count, \0nnn.
  void read_octal(char first) {
    const bool extra_zero = style_ == EscapeStyle::kEcho || style_ == EscapeStyle::kPrintfB;
    if (style_ == EscapeStyle::kEcho && first != '0') return keep(first);
    if (!extra_zero || first != '0') --at_;
    result_.text += static_cast<char>(read_digits(8, 3));
  }

  void read_hexadecimal() {
    const bool braces = style_ == EscapeStyle::kAnsiC && at_ < text_.size() && text_[at_] == '{';
    if (braces) ++at_;
    // Bash makes a NUL of "\x{" without digits.
    const bool has_digits = at_ < text_.size() && digit_value(text_[at_]) < 16;
    if (!has_digits && !braces) return keep('x');
    result_.text += static_cast<char>(read_digits(16, braces ? text_.size() : 2));
    if (braces && at_ < text_.size() && text_[at_] == '}') ++at_;
  }

  void read_code_point(char letter) {
    if (at_ >= text_.size() || digit_value(text_[at_]) >= 16) return keep(letter);
    text::append_utf8(result_.text, read_digits(16, letter == 'u' ? 4 : 8));
  }

  void read_control() {
    if (style_ != EscapeStyle::kAnsiC) {
      result_.stopped = true;
    } else if (at_ < text_.size()) {
      // The control character of a backslash is written with two.
      if (text_.substr(at_).starts_with("\\\\")) ++at_;
      result_.text += static_cast<char>(static_cast<unsigned char>(text_[at_++]) & 0x1Fu);
    } else {
      keep('c');
    }
  }

  std::uint32_t read_digits(int base, std::size_t most) {
    std::uint32_t value = 0;
    for (; most > 0 && at_ < text_.size() && digit_value(text_[at_]) < base; --most, ++at_) {
      value = value * static_cast<std::uint32_t>(base) +
              static_cast<std::uint32_t>(digit_value(text_[at_]));
    }
    return value;
  }

  std::string_view text_;
  EscapeStyle style_;
  std::size_t at_ = 0;
  UnescapedText result_;
};

bool is_printable(const text::Utf8Character& character) {
  const char32_t code = character.code_point;
  const bool control =
      code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029;
  return character.valid && !control;
}

bool all_printable(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const text::Utf8Character character = text::decode_utf8(text.substr(at));
    if (!is_printable(character)) return false;
    at += character.size;
  }
  return true;
}

void append_octal(std::string& out, char byte) {
  const auto value = static_cast<unsigned char>(byte);
  out += '\\';
  for (const unsigned shift : {6u, 3u, 0u}) out += static_cast<char>('0' + ((value >> shift) & 7u));
}

/// $'...'.
std::string quote_ansi_c(std::string_view text) {
  constexpr std::string_view kControls = "\a\b\033\f\n\r\t\v\\'";
  constexpr std::string_view kLetters = "abEfnrtv\\'";
  std::string out = "$'";
  for (std::size_t at = 0; at < text.size();) {
    const text::Utf8Character character = text::decode_utf8(text.substr(at));
    const std::string_view bytes = text.substr(at, character.size);
    if (const std::size_t i = kControls.find(bytes[0]); i != std::string_view::npos) {
      out.append(1, '\\').append(1, kLetters[i]);
    } else if (is_printable(character)) {
      out += bytes;
    } else {
      for (const char byte : bytes) append_octal(out, byte);
    }
    at += character.size;
  }
  return out + "'";
}

bool needs_backslash(std::string_view text, std::size_t at) {
  constexpr std::string_view kSpecial = " !\"$&'()*,;<>?[\\]^`{|}";
  const char c = text[at];
  if (c == '#') return at == 0;
  if (c == '~') return at == 0 || text[at - 1] == ':' || text[at - 1] == '=';
  return kSpecial.find(c) != std::string_view::npos;
}

}  // namespace

UnescapedText expand_escapes(std::string_view text, EscapeStyle style) {
  return Unescaper(text, style).run();
}

std::string quote_with_backslashes(std::string_view text) {
  if (text.empty()) return "''";
  if (!all_printable(text)) return quote_ansi_c(text);
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (needs_backslash(text, at)) out += '\\';
    out += text[at];
  }
  return out;
}

std::string quote_with_single_quotes(std::string_view text) {
  if (text == "'") return "\\'";
  if (!all_printable(text)) return quote_ansi_c(text);
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

}  // namespace recipelint::shell
