#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "analyzer/yaml/scan.h"

namespace recipelint::yaml {

/// A place in the bytes of a file, moving over what stands between the nodes: spaces, comments and
/// indicators. Throws Failure where PyYAML raises.
class Cursor {
 public:
  Cursor(std::string_view bytes, std::uint32_t begin)
      : bytes_(bytes), at_(begin), line_begin_(begin), token_end_(begin), token_line_(begin) {}

  std::uint32_t at() const { return at_; }
  bool at_end() const { return at_ >= bytes_.size(); }
  char peek(std::uint32_t ahead = 0) const { return byte_at(bytes_, at_ + ahead); }
  /// Where the line begins. Block collections begin after ASCII only, so that bytes count columns.
  std::uint32_t line_begin() const { return line_begin_; }
  std::int32_t column() const { return static_cast<std::int32_t>(at_ - line_begin_); }
  /// Whether the character is an indicator by what follows it.
  bool is_followed_by_space() const;
  bool is_at_document_marker() const { return column() == 0 && is_document_marker(bytes_, at_); }

  /// Skips spaces, line breaks and comments.
  void skip_space();
  /// Moves behind a token of that size, which has no line breaks.
  void take(std::uint32_t size);
  /// Moves behind a scalar.
  void take(const ScannedScalar& scalar);
  void skip_line();

  /// The end of the token that was taken last.
  std::uint32_t token_end() const { return token_end_; }
  /// Whether no line break stands between that token and this place.
  bool is_on_line_of_token() const { return token_line_ == line_begin_; }
  /// Makes the place count as on the line of the last token.
  void stay_on_line() { token_line_ = line_begin_; }

  /// For a layout that yaml-cpp takes, but PyYAML takes differently or not at all.
  [[noreturn]] void refuse_layout() const;
  /// As refuse_layout(), where it is known what PyYAML expects.
  [[noreturn]] void refuse_expecting(std::string_view what) const;

 private:
  [[noreturn]] void refuse_tab() const;

  std::string_view bytes_;
  std::uint32_t at_;
  std::uint32_t line_begin_;
  std::uint32_t token_end_;
  std::uint32_t token_line_;
};

}  // namespace recipelint::yaml
