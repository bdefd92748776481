#pragma once

#include <cstdint>

namespace recipelint::report {

/// True for characters that must not reach a terminal as they are: control characters and those
/// that have no shape of their own but change how others are shown (bidirectional overrides,
/// zero-width characters).
bool is_invisible(char32_t code_point);

/// Terminal columns of a character that is_invisible() is false for: 0 for combining marks, 2 for
/// wide East Asian characters and emoji, else 1.
std::uint32_t character_width(char32_t code_point);

}  // namespace recipelint::report
