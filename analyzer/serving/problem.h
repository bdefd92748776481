#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/text/span.h"

namespace recipelint::serving {

// The rules that report what decoding finds.
inline constexpr std::string_view kRepeatedFlagRule = "RL6006";
inline constexpr std::string_view kInvalidDocumentRule = "RL6009";
inline constexpr std::string_view kUnknownFlagRule = "RL8001";
inline constexpr std::string_view kOutdatedFlagRule = "RL8002";
inline constexpr std::string_view kInvalidValueRule = "RL8003";
inline constexpr std::string_view kConflictRule = "RL8004";
inline constexpr std::string_view kUnknownVariableRule = "RL8005";

enum class Severity : std::uint8_t { kNote, kWarning, kError };

/// A further place that helps to understand a problem.
struct RelatedPlace {
  text::Span span;
  std::string label;
};

/// Something in a launch that the engine refuses, ignores or replaces. Whoever reports it turns it
/// into a finding; the members mean what they mean there.
struct Problem {
  std::string_view rule;  // one of the constants above
  Severity severity = Severity::kError;
  /// Whole sentences; the first one stands alone. Dynamic parts stand in 'single quotes'.
  std::string message;
  /// The word of the command line that is to blame; missing for the environment.
  std::optional<std::size_t> word;
  /// The blamed bytes; invalid if nobody knows where they are written.
  text::Span span;
  std::vector<RelatedPlace> related;
  /// What to write instead, best first.
  std::vector<std::string> remedies;
  /// The name in question: an option, a key, a variable.
  std::string subject;
  /// The facts that were used, each with its source.
  std::vector<std::string> facts;
};

}  // namespace recipelint::serving
