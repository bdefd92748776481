#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/serving/capture.h"
#include "analyzer/serving/turning_points.h"

namespace recipelint::serving::atom {

/// What becomes of a size that no decode step can have.
enum class Oversized : std::uint8_t {
  kRefused,        // the server does not start
  kSequencesOnly,  // dropped above the most sequences; above the tokens of a step it does not start
  kDropped,        // dropped
};

/// How a version of ATOM works out what to capture.
struct CaptureRules {
  Oversized oversized = Oversized::kDropped;
  bool default_512 = true;  // the default list ends with 512; before, with 256

  friend bool operator==(const CaptureRules&, const CaptureRules&) = default;
};

CaptureRules capture_rules(const TurningPoints& changes);

/// What the capture depends on.
struct CaptureInput {
  std::int64_t max_sequences = 1;       // S, of one rank; at least 1
  std::int64_t speculative_tokens = 0;  // N
  std::int64_t step_tokens = 1;         // B, of one rank
  bool eager = false;
  bool piecewise = false;  // the graph mode captures pieces of a step
  /// Pieces of more tokens are not captured, if ranks speculate together.
  std::optional<std::int64_t> most_piece_tokens;
  std::optional<std::vector<std::int64_t>> given_sizes;
};

/// Which pieces of a step a mode captures: "FULL_AND_PIECEWISE" captures pieces only, too.
bool is_piecewise(std::string_view mode);

/// The sizes count sequences: min(S, B // (1 + N)) of them are the most that a step can hold, and
/// larger ones are dropped. Nothing is added, so a maximum between two sizes is not covered.
/// Source: ROCm/ATOM atom/model_engine/model_runner.py, capture_cudagraph; atom/utils/
/// forward_context.py, ForwardMode.decide.
Capture capture(const CaptureRules& rules, const CaptureInput& input);

}  // namespace recipelint::serving::atom
