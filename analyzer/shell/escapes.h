#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// Backslash escapes and their reverse.
namespace recipelint::shell {

enum class EscapeStyle : std::uint8_t {
  kEcho,          // echo -e: \0nnn octal, \c stops
  kPrintfFormat,  // the format of printf: \nnn octal, \c is not special
  kPrintfB,       // the argument of %b: both octal forms, \c stops
  kAnsiC,         // $'...' and ${v@E}: \nnn octal, \cx control character
};

struct UnescapedText {
  std::string text;
  /// \c was met: nothing more is to be written, not even a newline.
  bool stopped = false;
};

/// Replaces the escapes; an unknown one stays with its backslash. In kAnsiC a NUL ends the text.
UnescapedText expand_escapes(std::string_view text, EscapeStyle style);

/// printf %q and the words of "set -x": backslashes, '' for an empty text, $'...' if it has control
/// characters.
std::string quote_with_backslashes(std::string_view text);

/// ${v@Q}: single quotes, or $'...' if it has control characters.
std::string quote_with_single_quotes(std::string_view text);

}  // namespace recipelint::shell
