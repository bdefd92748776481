#include "analyzer/shell/ansi_quotes.h"

#include <cstdint>
#include <optional>

#include "analyzer/text/utf8.h"

namespace recipelint::shell {

namespace {

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

/// Up to `most` digits of `base` at the front of `text`, which moves past them; nullopt without
/// any.
std::optional<std::uint32_t> take_number(std::string_view& text, int base, std::size_t most) {
  std::uint32_t value = 0;
  std::size_t count = 0;
  while (count < most && count < text.size() && digit_value(text[count]) < base) {
    value = value * static_cast<std::uint32_t>(base) +
            static_cast<std::uint32_t>(digit_value(text[count]));
    ++count;
  }
  if (count == 0) return std::nullopt;
  text.remove_prefix(count);
  return value;
}

std::optional<char> simple_escape(char c) {
  switch (c) {
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'e':
    case 'E':
      return '\x1b';
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
    case '\'':
    case '"':
    case '?':
      return c;
    default:
      return std::nullopt;
  }
}

/// Reads what follows a backslash, appends what it stands for; false if that is NUL.
bool take_escape(std::string_view& rest, std::string& out) {
  const char c = rest.front();
  if (const auto simple = simple_escape(c)) {
    rest.remove_prefix(1);
    out += *simple;
    return true;
  }
  if (c >= '0' && c <= '7') {
    const auto byte = static_cast<char>(*take_number(rest, 8, 3) & 0xffu);
    out += byte;
    return byte != '\0';
  }
  if (c == 'c' && rest.size() > 1) {
    const auto byte = static_cast<char>(rest[1] & 0x1f);
    rest.remove_prefix(2);
    out += byte;
    return byte != '\0';
  }
  rest.remove_prefix(1);
  std::optional<std::uint32_t> number;
  if (c == 'x') number = take_number(rest, 16, 2);
  if (c == 'u') number = take_number(rest, 16, 4);
  if (c == 'U') number = take_number(rest, 16, 8);
  if (!number) {
    out += '\\';
    out += c;
    return true;
  }
  if (c == 'x') {
    out += static_cast<char>(*number);
  } else {
    text::append_utf8(out, static_cast<char32_t>(*number));
  }
  return *number != 0;
}

}  // namespace

std::string decode_ansi_quotes(std::string_view quoted) {
  std::string out;
  out.reserve(quoted.size());
  while (!quoted.empty()) {
    const char c = quoted.front();
    quoted.remove_prefix(1);
    if (c != '\\' || quoted.empty()) {
      out += c;
    } else if (!take_escape(quoted, out)) {
      out.pop_back();
      break;
    }
  }
  return out;
}

}  // namespace recipelint::shell
