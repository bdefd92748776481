#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace recipelint::yaml {

/// Where a scalar ends and what its text is.
struct ScannedScalar {
  /// The byte after the scalar: after the closing quote, after the last character of a plain one,
  /// after the last line (without its line break) of a block scalar.
  std::uint32_t end = 0;
  /// Where scanning goes on; differs from `end` only for block scalars, which take the lines that
  /// follow them along.
  std::uint32_t next = 0;
  /// The text: these bytes of the file, or of `decoded` if `is_decoded`.
  std::uint32_t text_begin = 0;
  std::uint32_t text_size = 0;
  bool is_decoded = false;
};

enum class Context : std::uint8_t { kBlock, kFlow };

/// Reads scalars from the bytes of a file by the rules of PyYAML's scanner. All functions take the
/// offset of the first byte (an opening quote or `|` included) and throw Failure where PyYAML
/// raises. The bytes must have passed check_characters().
class ScalarScanner {
 public:
  /// Text that differs from the bytes of the file is appended to `decoded`.
  ScalarScanner(std::string_view bytes, std::string& decoded) : bytes_(bytes), decoded_(decoded) {}

  /// `indent`: column of the innermost block collection, or -1.
  ScannedScalar plain(std::uint32_t begin, Context context, std::int32_t indent) const;
  ScannedScalar quoted(std::uint32_t begin) const;
  ScannedScalar block(std::uint32_t begin, std::int32_t indent) const;

  /// Whether a plain scalar may start there.
  bool starts_plain(std::uint32_t at, Context context) const;

 private:
  std::string_view bytes_;
  std::string& decoded_;
};

/// The byte at an offset; NUL behind the end.
inline char byte_at(std::string_view bytes, std::uint32_t offset) {
  return offset < bytes.size() ? bytes[offset] : '\0';
}

/// The offset behind the character at `offset`; the offset itself at the end.
std::uint32_t after_character(std::string_view bytes, std::uint32_t offset);

/// Whether `---` or `...` stands at `offset` (the start of a line) as a marker of its own.
bool is_document_marker(std::string_view bytes, std::uint32_t offset);

/// Throws Failure at the first byte that PyYAML's reader refuses (malformed UTF-8, control
/// characters) or that only PyYAML takes as a line break (a lone CR, U+0085, U+2028, U+2029).
void check_characters(std::string_view bytes, std::uint32_t begin);

}  // namespace recipelint::yaml
