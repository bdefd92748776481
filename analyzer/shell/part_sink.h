#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/shell/word_scanner.h"

namespace recipelint::shell {

/// Puts the parts of a word together: adjacent literal text of the same quoting becomes one
/// literal.
class PartSink {
 public:
  PartSink(const WordScanner& scanner, Word& word) : scanner_(scanner), word_(word) {}

  /// The bytes [begin, end) as they stand.
  void add(std::uint32_t begin, std::uint32_t end, Quoting quoting) {
    add_text(begin, end, scanner_.bytes(begin, end), quoting);
  }
  /// `text`, which the bytes [begin, end) stand for; may be empty.
  void add_text(std::uint32_t begin, std::uint32_t end, std::string_view text, Quoting quoting) {
    if (open_ && quoting != quoting_) flush();
    if (!open_) begin_ = begin;
    open_ = true;
    quoting_ = quoting;
    end_ = end;
    literal_ += text;
  }
  template <typename Content>
  void add_expansion(std::uint32_t begin, std::uint32_t end, Content content, Quoting quoting) {
    flush();
    word_.parts.push_back(
        {std::move(content), scanner_.span(begin, end), quoting == Quoting::kQuoted});
  }
  void flush() {
    if (!open_) return;
    word_.parts.push_back(
        {Literal{std::move(literal_)}, scanner_.span(begin_, end_), quoting_ == Quoting::kQuoted});
    literal_.clear();
    open_ = false;
  }

  /// Parts so far, without literal text that is not flushed.
  std::size_t part_count() const { return word_.parts.size(); }
  /// The unquoted text so far ends with a character that makes "(" open an extended pattern.
  bool ends_with_pattern_operator() const {
    return open_ && quoting_ == Quoting::kUnquoted && !literal_.empty() &&
           std::string_view("?*+@!").find(literal_.back()) != std::string_view::npos;
  }

 private:
  const WordScanner& scanner_;
  Word& word_;
  bool open_ = false;
  Quoting quoting_ = Quoting::kUnquoted;
  std::uint32_t begin_ = 0;
  std::uint32_t end_ = 0;
  std::string literal_;
};

}  // namespace recipelint::shell
