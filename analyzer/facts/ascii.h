#pragma once

namespace recipelint::facts {

// Character classes that, unlike those of <cctype>, depend on no locale and take any char.
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
constexpr bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
constexpr bool is_alnum(char c) {
  return is_digit(c) || is_lower(c) || is_upper(c);
}
constexpr bool is_lower_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f');
}
constexpr char to_lower(char c) {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}
/// Printable and no space.
constexpr bool is_graphic(char c) {
  return c > ' ' && c < '\x7f';
}

}  // namespace recipelint::facts
