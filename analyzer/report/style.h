#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "analyzer/findings/finding.h"
#include "analyzer/report/report.h"

namespace recipelint::report {

enum class Style : std::uint8_t { kPlain, kStrong, kError, kWarning, kNote, kFrame };

Style style_of(findings::Level level);

/// Puts the escape codes of a style around text, or none without colour.
class Painter {
 public:
  explicit Painter(Color color) : color_(color) {}

  std::string paint(Style style, std::string_view text) const;
  /// An OSC 8 hyperlink; only the text without colour or without an address.
  std::string link(std::string text, std::string_view uri) const;

 private:
  Color color_;
};

}  // namespace recipelint::report
