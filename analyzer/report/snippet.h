#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/report/style.h"
#include "analyzer/text/span.h"

namespace recipelint::report {

/// A place to mark in a snippet.
struct Annotation {
  text::Span span;
  /// May be empty.
  std::string label;
  char mark = '-';
  Style style = Style::kFrame;
};

struct SnippetLayout {
  const Painter& painter;
  /// Columns of the line numbers.
  std::size_t gutter = 1;
  /// Columns of the whole.
  std::size_t width = 100;
};

/// Source lines with their numbers, marks below the annotated parts and labels beside the marks.
/// All annotations belong to one file. Of an annotation of several lines the first is shown.
std::string render_snippet(std::vector<Annotation> annotations, const SnippetLayout& layout);

/// The frame at the left of a line that has no number, and the line `content` beside it.
std::string framed(std::string_view content, const SnippetLayout& layout);

}  // namespace recipelint::report
