#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/report/visible.h"
#include "analyzer/text/span.h"

namespace recipelint::report {

/// A half-open range of terminal columns, from 0.
struct Columns {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// One line of a file as terminal columns. Of a very long line only the neighbourhood of the place
/// of interest is decoded, so that the cost does not depend on its length.
class SourceLine {
 public:
  /// `line` is a whole line; `focus` a place in it that must be there; `width` the columns to fill.
  SourceLine(text::Span line, text::Span focus, std::size_t width);

  /// The columns of the part of `span` in this line; at least one wide.
  Columns columns(text::Span span) const;
  /// True if all of it fits into the width.
  bool fits() const { return !starts_cut_ && !ends_cut_ && total_ <= width_; }

  /// What is shown of the line, with "..." where it is cut.
  struct Window {
    std::string text;
    /// Columns of the line that can be seen, and what to add to one for its column in `text`.
    Columns seen;
    std::size_t indent = 0;

    /// Columns in `text` of columns in the line, as far as they can be seen; at least one wide.
    Columns place(Columns columns) const;
  };
  /// A window that shows `extent`, in the middle if the line is long; its start if it is too wide.
  Window window(Columns extent) const;
  /// The widest extent that any window can show.
  std::size_t widest_extent() const;

 private:
  std::size_t column_at(std::uint32_t offset) const;

  std::size_t width_;
  std::uint32_t base_ = 0;  // offset in the file of the first decoded byte
  bool starts_cut_ = false;
  bool ends_cut_ = false;
  std::vector<Glyph> glyphs_;
  std::vector<std::size_t> begins_;  // column of each glyph
  std::size_t total_ = 0;
};

}  // namespace recipelint::report
