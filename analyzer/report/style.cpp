#include "analyzer/report/style.h"

#include <fmt/format.h>

namespace recipelint::report {
namespace {

std::string_view sgr(Style style) {
  switch (style) {
    case Style::kPlain:
      return "";
    case Style::kStrong:
      return "1";
    case Style::kError:
      return "1;31";
    case Style::kWarning:
      return "1;33";
    case Style::kNote:
      return "1;36";
    case Style::kFrame:
      return "1;34";
  }
  return "";
}

}  // namespace

Style style_of(findings::Level level) {
  switch (level) {
    case findings::Level::kError:
      return Style::kError;
    case findings::Level::kWarning:
      return Style::kWarning;
    case findings::Level::kNote:
      return Style::kNote;
  }
  return Style::kPlain;
}

std::string Painter::paint(Style style, std::string_view text) const {
  if (color_ == Color::kNever || style == Style::kPlain || text.empty()) return std::string(text);
  return fmt::format("\x1B[{}m{}\x1B[0m", sgr(style), text);
}

std::string Painter::link(std::string text, std::string_view uri) const {
  if (color_ == Color::kNever || uri.empty()) return text;
  return fmt::format("\x1B]8;;{}\x1B\\{}\x1B]8;;\x1B\\", uri, text);
}

}  // namespace recipelint::report
