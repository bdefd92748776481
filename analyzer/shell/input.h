#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/text/source_file.h"

namespace recipelint::shell {

/// A text to parse and, for each of its bytes, the place in a source file it stands for. Texts that
/// differ from the file (a backquoted command without its backslashes, a here-document without its
/// tabs, a value built at run time) parse like the file itself and still give spans into it.
class Input {
 public:
  /// `text` is `file`'s bytes from `offset` on.
  Input(std::string_view text, const text::SourceFile& file, std::uint32_t offset);
  /// Every byte of `text` stands for `blame`.
  Input(std::string_view text, text::Span blame);

  std::string_view text() const { return text_; }
  text::Span span(std::uint32_t begin, std::uint32_t end) const;

 private:
  friend class DerivedText;

  /// From byte `at` of the text on, bytes follow each other as they do in the file from `source`
  /// on.
  struct Run {
    std::uint32_t at = 0;
    std::uint32_t source = 0;
  };
  Input() = default;
  std::uint32_t source_of(std::uint32_t offset) const;

  std::string_view text_;
  const text::SourceFile* file_ = nullptr;
  std::vector<Run> runs_;
  text::Span blame_;  // valid: the only span there is
};

/// Collects the bytes of an input that remain after some are left out.
class DerivedText {
 public:
  explicit DerivedText(const Input& original) : original_(original) {}

  /// Keeps the bytes [begin, end) of the original.
  void keep(std::uint32_t begin, std::uint32_t end);
  /// The collected text; valid as long as this object lives and nothing more is kept.
  Input input() const;

 private:
  const Input& original_;
  std::string text_;
  std::vector<Input::Run> runs_;
};

}  // namespace recipelint::shell
