#include "analyzer/report/place.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/report/visible.h"

namespace recipelint::report {

text::Span trimmed(text::Span span) {
  const std::uint32_t begin = std::max(span.begin, span.file->bom_size());
  const text::Span without_mark = {span.file, begin, std::max(begin, span.end)};
  const auto last = without_mark.bytes().find_last_not_of("\r\n");
  if (last == std::string_view::npos) return without_mark;
  return {span.file, begin, begin + static_cast<std::uint32_t>(last + 1)};
}

Place place_of(text::Span span, text::ColumnUnit unit) {
  const text::Span shown = trimmed(span);
  const text::Position begin = span.file->position(shown.begin, unit);
  const text::Position end = span.file->position(shown.end, unit);
  return {span.file->path(), begin.line, begin.column, end.line, end.column};
}

text::Span in_first_line(text::Span span) {
  const text::Span shown = trimmed(span);
  const text::Span line = span.file->line(span.file->position(shown.begin).line);
  return {span.file, shown.begin, std::max(shown.begin, std::min(shown.end, line.end))};
}

std::string location(text::Span span) {
  const Place place = place_of(span);
  return visible(fmt::format("{}:{}:{}", place.path, place.line, place.column));
}

}  // namespace recipelint::report
