#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/findings/finding.h"
#include "analyzer/text/source_file.h"
#include "analyzer/text/span.h"

namespace recipelint::findings {

/// One rule of an ignore: "# recipelint: ignore[RULE,RULE] reason" names one or more.
struct Ignore {
  /// The name of the rule as written, and where.
  std::string rule;
  text::Span span;
  /// The whole comment, from its '#' on.
  text::Span comment;
  std::string reason;
  /// Lines (1-based, both included) whose findings it is about: a command with its continuation
  /// lines, or all of the file.
  std::uint32_t first_line = 1;
  std::uint32_t last_line = 1;
};

/// The ignores of a bash or YAML file, in its order. A comment stands for the line that it ends, or
/// alone for the next line that is no such comment; "ignore-file" stands for the whole file and
/// counts in its first 20 lines only. A line stands for the command that it is part of: lines that
/// end in a backslash go on in the next one.
std::vector<Ignore> read_ignores(const text::SourceFile& file);

/// The ignores of many files and what they suppress.
class IgnoreList {
 public:
  /// `id_of` gives the id of a rule by the name that a comment uses, "" if there is no such rule.
  explicit IgnoreList(std::function<std::string(std::string_view)> id_of)
      : id_of_(std::move(id_of)) {}

  void add(const text::SourceFile& file);
  /// The ignore that a finding falls under by its primary place; null if none. Remembered as used.
  const Ignore* suppressing(const Finding& finding);

  struct Entry {
    Ignore ignore;
    std::string id;  // empty: there is no such rule
    bool used = false;
  };
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::function<std::string(std::string_view)> id_of_;
  std::vector<Entry> entries_;
};

}  // namespace recipelint::findings
