#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/findings/finding.h"

namespace recipelint::findings {

/// GitHub's primaryLocationLineHash of every line of a file (element 0 is line 1), equal to what
/// codeql-action computes, so that alerts keep their identity whoever uploads them. Takes the whole
/// file, a byte order mark included. There is one more line than SourceFile has if the last line
/// break is followed by nothing, and a lone CR ends a line.
std::vector<std::string> line_hashes(std::string_view bytes);

/// Line hashes of many files, each computed once. Not thread-safe.
class LineHashCache {
 public:
  /// The hash of the line (1-based) that a valid span begins in.
  const std::string& at(text::Span span);

 private:
  std::map<const text::SourceFile*, std::vector<std::string>> hashes_;
};

/// 64-bit FNV-1a over the parts, each preceded by its length, as 16 hexadecimal digits.
std::string stable_hash(std::initializer_list<std::string_view> parts);

/// Sets the fingerprint "recipelint/v1" of each: a hash of rule, path, text of the primary line
/// (white space and a continuation aside) and identity, then ":" and the number of the occurrence.
/// It does not change when lines move or cells come and go. Must see all findings of a run, before
/// any are filtered out, in their final order.
void set_fingerprints(std::span<Finding> findings);

}  // namespace recipelint::findings
