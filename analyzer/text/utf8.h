#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace recipelint::text {

/// One decoded character. `valid` is false for a byte that does not belong to well-formed UTF-8
/// (overlong forms, surrogates and values above U+10FFFF included); then `size` is 1 and
/// `code_point` is U+FFFD.
struct Utf8Character {
  char32_t code_point = 0;
  std::uint8_t size = 1;
  bool valid = true;
};

/// Decodes the character that starts at `bytes[0]`; `bytes` must not be empty.
Utf8Character decode_utf8(std::string_view bytes);

/// Number of characters and of UTF-16 code units; each malformed byte counts as one.
std::uint32_t count_characters(std::string_view bytes);
std::uint32_t count_utf16(std::string_view bytes);

/// The text with every malformed byte replaced by U+FFFD, for output formats that must be UTF-8.
std::string to_valid_utf8(std::string_view bytes);

void append_utf8(std::string& out, char32_t code_point);

}  // namespace recipelint::text
