#include "analyzer/report/visible.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analyzer/report/character_width.h"
#include "analyzer/text/utf8.h"

namespace recipelint::report {
namespace {

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_letter(char c) {
  return is_upper(c) || is_lower(c);
}

/// "##[name" with a name as commands have them; "##[a-z]" of a parameter expansion is none.
bool starts_runner_command(std::string_view bytes) {
  constexpr std::string_view kStart = "##[";
  constexpr std::size_t kShortestName = 4;
  if (!bytes.starts_with(kStart)) return false;
  const std::string_view name = bytes.substr(kStart.size());
  const auto end = std::ranges::find_if_not(name, [](char c) { return is_letter(c) || c == '-'; });
  const auto length = static_cast<std::size_t>(end - name.begin());
  return length >= kShortestName && is_letter(name[0]) && is_letter(name[1]);
}

std::string escaped(char32_t code_point) {
  const auto value = static_cast<std::uint32_t>(code_point);
  return value < 0x80 ? fmt::format("<{:02X}>", value) : fmt::format("<U+{:04X}>", value);
}

Glyph escaped_glyph(std::uint32_t offset, char32_t code_point) {
  Glyph glyph{offset, 0, escaped(code_point)};
  glyph.columns = static_cast<std::uint32_t>(glyph.text.size());
  return glyph;
}

Glyph tab_glyph(std::uint32_t offset, std::size_t column) {
  const std::size_t blanks = kTabColumns - column % kTabColumns;
  return {offset, static_cast<std::uint32_t>(blanks), std::string(blanks, ' ')};
}

Glyph plain_glyph(std::uint32_t offset, char32_t code_point) {
  Glyph glyph{offset, character_width(code_point), {}};
  text::append_utf8(glyph.text, code_point);
  return glyph;
}

}  // namespace

std::vector<Glyph> to_glyphs(std::string_view bytes, Tabs tabs) {
  std::vector<Glyph> glyphs;
  glyphs.reserve(bytes.size());
  std::size_t column = 0;
  std::size_t command_bracket = std::string_view::npos;
  for (std::size_t at = 0; at < bytes.size();) {
    const text::Utf8Character character = text::decode_utf8(bytes.substr(at));
    const auto offset = static_cast<std::uint32_t>(at);
    if (starts_runner_command(bytes.substr(at))) command_bracket = at + 2;
    if (character.code_point == '\t' && tabs == Tabs::kExpand) {
      glyphs.push_back(tab_glyph(offset, column));
    } else if (is_invisible(character.code_point) || at == command_bracket) {
      glyphs.push_back(escaped_glyph(offset, character.code_point));
    } else {
      glyphs.push_back(plain_glyph(offset, character.code_point));
    }
    column += glyphs.back().columns;
    at += character.size;
  }
  return glyphs;
}

std::string visible(std::string_view bytes) {
  const auto needs_no_change = [](char c) { return c >= 0x20 && c < 0x7F && c != '#'; };
  if (std::ranges::all_of(bytes, needs_no_change)) return std::string(bytes);
  std::string out;
  for (const Glyph& glyph : to_glyphs(bytes, Tabs::kEscape)) out += glyph.text;
  return out;
}

std::size_t columns_of(std::string_view visible_text) {
  std::size_t columns = 0;
  while (!visible_text.empty()) {
    const text::Utf8Character character = text::decode_utf8(visible_text);
    columns += character_width(character.code_point);
    visible_text.remove_prefix(character.size);
  }
  return columns;
}

std::string without_leading_command(std::string text) {
  const auto start = text.find_first_not_of(' ');
  if (start != std::string::npos && std::string_view(text).substr(start).starts_with("::")) {
    text.replace(start, 1, escaped(':'));
  }
  return text;
}

std::vector<std::string> wrap(std::string_view visible_text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  std::size_t line_columns = 0;
  bool is_first_word = true;
  while (is_first_word || !visible_text.empty()) {
    // A word includes the blanks before it, so that runs of them survive within a line.
    const std::size_t blanks = visible_text.find_first_not_of(' ');
    if (blanks == std::string_view::npos) break;
    const std::size_t end = std::min(visible_text.find(' ', blanks), visible_text.size());
    std::string_view word = visible_text.substr(0, end);
    visible_text.remove_prefix(end);
    if (!is_first_word && line_columns + columns_of(word) > width) {
      lines.push_back(std::exchange(line, {}));
      word.remove_prefix(blanks);
      line = without_leading_command(std::string(word));
      line_columns = columns_of(line);
    } else {
      line += word;
      line_columns += columns_of(word);
    }
    is_first_word = false;
  }
  lines.push_back(std::move(line));
  return lines;
}

Sentences split_first_sentence(std::string_view message) {
  for (auto at = message.find(". "); at != std::string_view::npos;
       at = message.find(". ", at + 1)) {
    const std::string_view rest = message.substr(at + 2);
    if (rest.empty()) break;
    const bool starts_like_a_name = rest.size() > 1 && is_lower(rest[0]) && is_upper(rest[1]);
    if (is_upper(rest[0]) || rest[0] == '\'' || starts_like_a_name) {
      return {message.substr(0, at + 1), rest};
    }
  }
  return {message, {}};
}

}  // namespace recipelint::report
