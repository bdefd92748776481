#include "analyzer/report/source_line.h"

#include <algorithm>

#include "analyzer/text/source_file.h"

namespace recipelint::report {
namespace {

constexpr std::string_view kCut = "...";
/// No character takes more bytes than this.
constexpr std::size_t kBytesPerColumn = 4;

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0u) == 0x80u;
}

}  // namespace

SourceLine::SourceLine(text::Span line, text::Span focus, std::size_t width) : width_(width) {
  const auto reach = static_cast<std::uint32_t>(width * kBytesPerColumn);
  const std::uint32_t focus_begin = std::clamp(focus.begin, line.begin, line.end);
  const std::string_view bytes = line.file->bytes();
  base_ = focus_begin - std::min(focus_begin - line.begin, reach);
  starts_cut_ = base_ > line.begin;
  while (starts_cut_ && base_ < focus_begin && is_continuation(bytes[base_])) ++base_;
  std::uint32_t end = focus_begin + std::min(line.end - focus_begin, 2 * reach);
  ends_cut_ = end < line.end;
  while (ends_cut_ && end > focus_begin && is_continuation(bytes[end])) --end;
  glyphs_ = to_glyphs(bytes.substr(base_, end - base_), Tabs::kExpand);
  begins_.reserve(glyphs_.size());
  for (const Glyph& glyph : glyphs_) {
    begins_.push_back(total_);
    total_ += glyph.columns;
  }
}

std::size_t SourceLine::column_at(std::uint32_t offset) const {
  const std::uint32_t relative = offset - std::min(offset, base_);
  const auto at = std::ranges::lower_bound(glyphs_, relative, {}, &Glyph::offset);
  return at == glyphs_.end() ? total_ : begins_[static_cast<std::size_t>(at - glyphs_.begin())];
}

Columns SourceLine::columns(text::Span span) const {
  const Columns columns = {column_at(span.begin), column_at(span.end)};
  return {columns.begin, std::max(columns.end, columns.begin + 1)};
}

std::size_t SourceLine::widest_extent() const {
  return width_ - 2 * kCut.size();
}

SourceLine::Window SourceLine::window(Columns extent) const {
  Columns want = {0, total_};
  if (!fits()) {
    const std::size_t room = widest_extent();
    const std::size_t margin = (room - std::min(room, extent.end - extent.begin)) / 2;
    want.begin = extent.begin - std::min(extent.begin, margin);
    if (!ends_cut_ && want.begin + room > total_) want.begin = total_ - std::min(total_, room);
    want.end = want.begin + room;
  }
  Window window;
  bool is_first = true;
  for (std::size_t i = 0; i < glyphs_.size(); ++i) {
    const std::size_t end = begins_[i] + glyphs_[i].columns;
    if (begins_[i] < want.begin || end > want.end) continue;
    if (is_first) window.seen.begin = begins_[i];
    is_first = false;
    window.seen.end = end;
    window.text += glyphs_[i].text;
  }
  if (starts_cut_ || window.seen.begin > 0) {
    window.text.insert(0, kCut);
    window.indent = kCut.size();
  }
  if (ends_cut_ || window.seen.end < total_) window.text += kCut;
  return window;
}

Columns SourceLine::Window::place(Columns columns) const {
  const std::size_t begin = std::clamp(columns.begin, seen.begin, seen.end) - seen.begin + indent;
  const std::size_t end = std::clamp(columns.end, seen.begin, seen.end) - seen.begin + indent;
  return {begin, std::max(end, begin + 1)};
}

}  // namespace recipelint::report
