#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace recipelint::text {

class SourceFile;

/// A half-open range of bytes [begin, end) in one source file. Offsets count from the first byte of
/// the file, a byte order mark included. A span without a file stands for "no place".
struct Span {
  const SourceFile* file = nullptr;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool valid() const { return file != nullptr; }
  std::uint32_t length() const { return end - begin; }
  /// The bytes it covers; empty for an invalid span.
  std::string_view bytes() const;
  /// The smallest span that covers both; both must lie in one file.
  Span joined_with(Span other) const;

  friend bool operator==(const Span&, const Span&) = default;
};

/// Total order for output: by path, then begin, then end; invalid spans first. It depends on names
/// and offsets only, never on addresses.
std::strong_ordering compare(const Span& a, const Span& b);

}  // namespace recipelint::text
