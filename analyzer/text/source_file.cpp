#include "analyzer/text/source_file.h"

#include <algorithm>
#include <utility>

#include "analyzer/text/utf8.h"

namespace recipelint::text {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::uint32_t columns(std::string_view bytes, ColumnUnit unit) {
  switch (unit) {
    case ColumnUnit::kByte:
      return static_cast<std::uint32_t>(bytes.size());
    case ColumnUnit::kCharacter:
      return count_characters(bytes);
    case ColumnUnit::kUtf16:
      return count_utf16(bytes);
  }
  return 0;
}

}  // namespace

SourceFile::SourceFile(std::string path, std::string bytes)
    : path_(std::move(path)), bytes_(std::move(bytes)) {
  if (bytes_.starts_with(kByteOrderMark)) {
    bom_size_ = static_cast<std::uint32_t>(kByteOrderMark.size());
  }
  line_begins_.push_back(bom_size_);
  for (auto at = bytes_.find('\n'); at != std::string::npos; at = bytes_.find('\n', at + 1)) {
    if (at + 1 < bytes_.size()) line_begins_.push_back(static_cast<std::uint32_t>(at + 1));
  }
}

std::uint32_t SourceFile::line_count() const {
  return static_cast<std::uint32_t>(line_begins_.size());
}

std::uint32_t SourceFile::line_begin(std::uint32_t number) const {
  return line_begins_[std::clamp<std::uint32_t>(number, 1, line_count()) - 1];
}

Span SourceFile::line(std::uint32_t number) const {
  const std::uint32_t begin = line_begin(number);
  auto end = bytes_.find('\n', begin);
  if (end == std::string::npos) {
    end = bytes_.size();
  } else if (end > begin && bytes_[end - 1] == '\r') {
    --end;
  }
  return span(begin, static_cast<std::uint32_t>(end));
}

Position SourceFile::position(std::uint32_t offset, ColumnUnit unit) const {
  const auto clamped = std::clamp(offset, bom_size_, static_cast<std::uint32_t>(bytes_.size()));
  const auto next = std::upper_bound(line_begins_.begin(), line_begins_.end(), clamped);
  const auto line_number = static_cast<std::uint32_t>(next - line_begins_.begin());
  const std::uint32_t begin = line_begins_[line_number - 1];
  return {line_number, 1 + columns(bytes().substr(begin, clamped - begin), unit)};
}

std::string_view Span::bytes() const {
  return valid() ? file->bytes().substr(begin, end - begin) : std::string_view();
}

Span Span::joined_with(Span other) const {
  return {file, std::min(begin, other.begin), std::max(end, other.end)};
}

std::strong_ordering compare(const Span& a, const Span& b) {
  if (a.valid() != b.valid()) return a.valid() <=> b.valid();
  if (a.file != b.file) {
    if (const auto order = a.file->path() <=> b.file->path(); order != 0) return order;
  }
  if (const auto order = a.begin <=> b.begin; order != 0) return order;
  return a.end <=> b.end;
}

}  // namespace recipelint::text
