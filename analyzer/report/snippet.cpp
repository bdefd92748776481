#include "analyzer/report/snippet.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "analyzer/report/place.h"
#include "analyzer/report/source_line.h"
#include "analyzer/report/visible.h"

namespace recipelint::report {
namespace {

constexpr std::size_t kNarrowestContent = 20;

/// A line of marks with a label behind them.
class MarkRow {
 public:
  void put(Columns columns, char mark, Style style) {
    if (columns.end > marks_.size()) {
      marks_.resize(columns.end, ' ');
      styles_.resize(columns.end, Style::kPlain);
    }
    for (std::size_t i = columns.begin; i < columns.end; ++i) {
      marks_[i] = mark;
      styles_[i] = style;
    }
  }

  /// Puts text at a column behind all marks.
  void set_label(std::size_t column, std::string_view label, Style style) {
    put({column, column}, ' ', Style::kPlain);
    label_ = label;
    label_style_ = style;
  }

  std::string painted(const Painter& painter) const {
    std::string out;
    for (std::size_t begin = 0; begin < marks_.size();) {
      std::size_t end = begin + 1;
      while (end < marks_.size() && styles_[end] == styles_[begin]) ++end;
      out += painter.paint(styles_[begin], std::string_view(marks_).substr(begin, end - begin));
      begin = end;
    }
    return out + painter.paint(label_style_, label_);
  }

 private:
  std::string marks_;
  std::vector<Style> styles_;
  std::string label_;
  Style label_style_ = Style::kPlain;
};

/// An annotation in the columns of a window.
struct Mark {
  const Annotation* annotation = nullptr;
  Columns columns;
  std::string label;
};

/// Draws the marks of one window and their labels: the label of the last mark beside it if there is
/// room, the others below, from right to left, each under the start of its mark.
class MarkDrawing {
 public:
  MarkDrawing(std::vector<Mark> marks, std::size_t width)
      : marks_(std::move(marks)), width_(width) {}

  std::vector<MarkRow> rows() && {
    draw_marks();
    draw_label_beside();
    std::erase_if(marks_, [](const Mark& mark) { return mark.label.empty(); });
    if (!marks_.empty()) rows_.push_back(connectors(marks_.size(), width_));
    for (std::size_t left = marks_.size(); left > 0; --left) draw_label_below(left - 1);
    return std::move(rows_);
  }

 private:
  void draw_marks() {
    MarkRow row;
    for (const bool carets : {false, true}) {  // carets win where marks overlap
      for (const Mark& mark : marks_) {
        if ((mark.annotation->mark == '^') != carets) continue;
        row.put(mark.columns, mark.annotation->mark, mark.annotation->style);
      }
    }
    rows_.push_back(std::move(row));
  }

  void draw_label_beside() {
    Mark& last = marks_.back();
    std::size_t end = 0;
    for (const Mark& mark : marks_) end = std::max(end, mark.columns.end);
    const bool is_behind_all = last.columns.end == end;
    const std::size_t label_end = end + 1 + columns_of(last.label);
    if (last.label.empty() || !is_behind_all || label_end > width_) return;
    rows_.back().set_label(end + 1, last.label, last.annotation->style);
    last.label.clear();
  }

  /// A row with a '|' under the starts of the first `count` marks, as far as they lie before `end`.
  MarkRow connectors(std::size_t count, std::size_t end) const {
    MarkRow row;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t begin = marks_[i].columns.begin;
      if (begin < end) row.put({begin, begin + 1}, '|', marks_[i].annotation->style);
    }
    return row;
  }

  void draw_label_below(std::size_t index) {
    const Mark& mark = marks_[index];
    // A label that does not fit to the right of its mark's start moves to the left as far as
    // needed.
    const std::size_t columns = std::min(columns_of(mark.label), width_);
    const std::size_t begin = std::min(mark.columns.begin, width_ - columns);
    for (const std::string& line : wrap(mark.label, width_ - begin)) {
      MarkRow row = connectors(index, begin);
      row.set_label(begin, line, mark.annotation->style);
      rows_.push_back(std::move(row));
    }
  }

  std::vector<Mark> marks_;
  std::size_t width_;
  std::vector<MarkRow> rows_;
};

std::string numbered(std::string_view number, std::string_view content,
                     const SnippetLayout& layout) {
  const std::string frame = fmt::format("{:>{}} |", number, layout.gutter);
  const char* const separator = content.empty() ? "" : " ";
  return layout.painter.paint(Style::kFrame, frame) + separator + std::string(content) + "\n";
}

std::string without_trailing_blanks(std::string text) {
  text.resize(text.find_last_not_of(' ') + 1);
  return text;
}

std::string label_of(const Annotation& annotation) {
  const Place place = place_of(annotation.span);
  const std::string label = visible(annotation.label);
  if (place.line == place.end_line) return label;
  return fmt::format("{}{}(up to line {})", label, label.empty() ? "" : " ", place.end_line);
}

std::uint32_t line_of(const Annotation& annotation) {
  return annotation.span.file->position(annotation.span.begin).line;
}

/// Renders the lines of one file.
class SnippetWriter {
 public:
  SnippetWriter(const text::SourceFile& file, const SnippetLayout& layout)
      : file_(file), layout_(layout) {
    const std::size_t frame = layout.gutter + std::string_view(" | ").size();
    width_ = std::max(layout.width, frame + kNarrowestContent) - frame;
  }

  void write_plain_line(std::uint32_t number) {
    const text::Span line = file_.line(number);
    const SourceLine shown(line, {&file_, line.begin, line.begin}, width_);
    write_source(number, shown.window({0, 0}));
  }

  /// As often as it takes to show all annotations, which are sorted.
  void write_annotated_line(std::uint32_t number, std::span<const Annotation> annotations) {
    while (!annotations.empty()) {
      const SourceLine line(file_.line(number), annotations.front().span, width_);
      Columns extent = line.columns(in_first_line(annotations.front().span));
      std::size_t count = 1;
      for (; count < annotations.size(); ++count) {
        const Columns next = line.columns(in_first_line(annotations[count].span));
        const Columns both = {extent.begin, std::max(extent.end, next.end)};
        if (!line.fits() && both.end - both.begin > line.widest_extent()) break;
        extent = both;
      }
      write_window(number, line, extent, annotations.first(count));
      annotations = annotations.subspan(count);
    }
  }

  void write_gap() { out_ += layout_.painter.paint(Style::kFrame, "...") + "\n"; }

  std::string take() && { return std::move(out_); }

 private:
  void write_source(std::uint32_t number, const SourceLine::Window& window) {
    out_ += numbered(std::to_string(number), without_trailing_blanks(window.text), layout_);
  }

  void write_window(std::uint32_t number, const SourceLine& line, Columns extent,
                    std::span<const Annotation> annotations) {
    const SourceLine::Window window = line.window(extent);
    write_source(number, window);
    std::vector<Mark> marks;
    for (const Annotation& annotation : annotations) {
      const Columns columns = line.columns(in_first_line(annotation.span));
      marks.push_back({&annotation, window.place(columns), label_of(annotation)});
    }
    for (const MarkRow& row : MarkDrawing(std::move(marks), width_).rows()) {
      out_ += framed(row.painted(layout_.painter), layout_);
    }
  }

  const text::SourceFile& file_;
  const SnippetLayout& layout_;
  std::size_t width_ = 0;
  std::string out_;
};

}  // namespace

std::string framed(std::string_view content, const SnippetLayout& layout) {
  return numbered("", content, layout);
}

std::string render_snippet(std::vector<Annotation> annotations, const SnippetLayout& layout) {
  for (Annotation& annotation : annotations) annotation.span = trimmed(annotation.span);
  std::ranges::stable_sort(annotations, [](const Annotation& a, const Annotation& b) {
    return text::compare(a.span, b.span) < 0;
  });
  SnippetWriter writer(*annotations.front().span.file, layout);
  std::uint32_t last_line = 0;
  for (std::span<const Annotation> rest = annotations; !rest.empty();) {
    const std::uint32_t line = line_of(rest.front());
    const auto next = std::ranges::find_if(
        rest, [line](const Annotation& annotation) { return line_of(annotation) != line; });
    const auto count = static_cast<std::size_t>(next - rest.begin());
    if (last_line != 0 && line == last_line + 2) writer.write_plain_line(last_line + 1);
    if (last_line != 0 && line > last_line + 2) writer.write_gap();
    writer.write_annotated_line(line, rest.first(count));
    last_line = line;
    rest = rest.subspan(count);
  }
  return std::move(writer).take();
}

}  // namespace recipelint::report
