#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/text/span.h"

namespace recipelint::space {

inline constexpr std::string_view kUnknownRunnerRule = "RL5003";
inline constexpr std::string_view kSchemaRule = "RL9001";
inline constexpr std::string_view kDuplicateKeyRule = "RL9002";
inline constexpr std::string_view kDuplicatePointRule = "RL9003";
inline constexpr std::string_view kTopologyRowRule = "RL9004";
inline constexpr std::string_view kChangelogRule = "RL9005";

enum class Severity : std::uint8_t { kNote, kWarning, kError };

/// A further place that helps to understand a problem.
struct RelatedPlace {
  text::Span span;
  std::string label;
};

/// Something in the search-space files that their reader refuses, drops without a word, or counts
/// twice. Whoever reports it turns it into a finding; the members mean what they mean there.
struct Problem {
  std::string_view rule;  // one of the constants above
  Severity severity = Severity::kError;
  /// Whole sentences; the first one stands alone. Dynamic parts stand in 'single quotes'.
  std::string message;
  /// The offending key or value; for something missing, the key of the mapping that lacks it.
  text::Span span;
  std::vector<RelatedPlace> related;
  /// Keys of the entries concerned, sorted; empty for problems of a whole file.
  std::vector<std::string> entries;
  /// What to write instead, if there is one right answer ("dp-attn"), or a sentence.
  std::vector<std::string> remedies;
  /// Survives edits elsewhere in the file: a path of keys ("key/fixed-seq-len/tp").
  std::string identity;
};

}  // namespace recipelint::space
