#pragma once

#include <cstdint>
#include <string>

#include "analyzer/text/source_file.h"
#include "analyzer/text/span.h"

namespace recipelint::report {

/// Lines and columns of a span, 1-based; the end is exclusive.
struct Place {
  std::string path;
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::uint32_t end_line = 1;
  std::uint32_t end_column = 1;
};

/// A valid span without a byte order mark at its start and without the line breaks at its end,
/// unless it consists of them.
text::Span trimmed(text::Span span);

/// Where a valid span, trimmed, is.
Place place_of(text::Span span, text::ColumnUnit unit = text::ColumnUnit::kCharacter);

/// The part of a valid span in the line it begins in. GitHub shows an alert in a pull request only
/// if every line of its region is part of the change.
text::Span in_first_line(text::Span span);

/// "path:line:column" of a valid span, made visible.
std::string location(text::Span span);

}  // namespace recipelint::report
