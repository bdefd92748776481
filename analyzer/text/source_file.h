#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/text/span.h"

namespace recipelint::text {

/// Line and column, both 1-based.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;

  friend bool operator==(const Position&, const Position&) = default;
};

/// What a column counts. A byte that is not part of valid UTF-8 counts as one character, since it
/// is shown as one replacement character.
enum class ColumnUnit { kByte, kCharacter, kUtf16 };

/// One file as it was read: its path relative to the root (with '/'), its bytes unchanged, and an
/// index of its lines. Lines end at LF; a CR before it belongs to the line break, not to the line.
/// Immutable, so that spans may point into it from any thread.
class SourceFile {
 public:
  SourceFile(std::string path, std::string bytes);
  SourceFile(const SourceFile&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;

  const std::string& path() const { return path_; }
  std::string_view bytes() const { return bytes_; }
  /// 3 if the file starts with a UTF-8 byte order mark, else 0.
  std::uint32_t bom_size() const { return bom_size_; }
  /// The bytes without the byte order mark.
  std::string_view content() const { return bytes().substr(bom_size_); }

  Span span(std::uint32_t begin, std::uint32_t end) const { return {this, begin, end}; }
  Span whole() const { return span(0, static_cast<std::uint32_t>(bytes_.size())); }

  /// At least 1; a final line break does not start a further line.
  std::uint32_t line_count() const;
  /// The line (1-based, clamped to the last) without its line break and without a byte order mark.
  Span line(std::uint32_t number) const;
  /// Position of an offset (clamped to the end of the file). A byte order mark takes no column.
  Position position(std::uint32_t offset, ColumnUnit unit = ColumnUnit::kCharacter) const;
  /// Offset of the first byte of a line (1-based, clamped to the last), a byte order mark skipped.
  std::uint32_t line_begin(std::uint32_t number) const;

 private:
  std::string path_;
  std::string bytes_;
  std::uint32_t bom_size_ = 0;
  std::vector<std::uint32_t> line_begins_;
};

}  // namespace recipelint::text
