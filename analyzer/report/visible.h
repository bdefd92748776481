#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recipelint::report {

/// One character of input as it is shown on a terminal or in a log.
struct Glyph {
  /// Offset of its first byte in the input.
  std::uint32_t offset = 0;
  std::uint32_t columns = 0;
  std::string text;
};

/// What becomes of a tab: blanks up to the next multiple of kTabColumns, or "<09>".
enum class Tabs : std::uint8_t { kExpand, kEscape };
inline constexpr std::size_t kTabColumns = 4;

/// The characters of `bytes` so that none can act on a terminal: control characters become "<1B>",
/// invisible ones "<U+202E>", malformed bytes U+FFFD. The start of a GitHub Actions command of the
/// form "##[name" is broken up, since a runner acts on it anywhere in a line of its log.
std::vector<Glyph> to_glyphs(std::string_view bytes, Tabs tabs);
/// The same as one text.
std::string visible(std::string_view bytes);

/// Terminal columns of text that is visible() already.
std::size_t columns_of(std::string_view visible_text);

/// Breaks visible text at blanks into lines of at most `width` columns (a longer word gets a line
/// of its own, whole, so that it can be copied). No line but the first starts with "::", which
/// GitHub Actions would read as a command. Gives at least one line.
std::vector<std::string> wrap(std::string_view visible_text, std::size_t width);

/// The text with a "::" at its start (after blanks) made harmless in the same way.
std::string without_leading_command(std::string text);

struct Sentences {
  std::string_view first;
  std::string_view rest;
};

/// Splits a message after its first sentence: a period and a blank before a capital, a quote or a
/// name like "vLLM".
Sentences split_first_sentence(std::string_view message);

}  // namespace recipelint::report
