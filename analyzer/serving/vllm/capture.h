#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analyzer/facts/engine_version.h"
#include "analyzer/serving/capture.h"

namespace recipelint::serving::vllm {

/// vLLM's cudagraph_mode: what decode batches and what mixed batches run as.
enum class GraphMode : std::uint8_t {
  kNone,
  kPiecewise,
  kFull,
  kFullDecodeOnly,
  kFullAndPiecewise
};
/// "NONE", "FULL_AND_PIECEWISE" and so on.
std::string_view to_string(GraphMode mode);
/// In any case; nullopt for another word.
std::optional<GraphMode> parse_graph_mode(std::string_view text);
/// Pure decode batches run as full graphs.
bool has_full_decode(GraphMode mode);
/// Some batches run as piecewise graphs.
bool has_piecewise(GraphMode mode);

enum class Runner : std::uint8_t { kV1, kV2 };
/// "V1", "V2".
std::string_view to_string(Runner runner);

/// How a version of vLLM works out what to capture.
struct CaptureRules {
  bool maximum_setting = true;      // max_cudagraph_capture_size exists; before: --cuda-graph-sizes
  bool small_sizes_clipped = true;  // 1, 2, 4 are dropped above the maximum
  bool list_within_budget = true;   // an explicit list loses what exceeds the token budget
  bool counts_speculation = true;   // the default maximum counts 1+N tokens a sequence
  bool default_1024 = true;         // the default maximum on sm_10x
  bool rounding = true;             // sizes become multiples of 1+N
  bool rounding_tp_only_with_sp = true;
  bool rounding_fallback = true;  // rounding that leaves nothing takes 1+N, or fails
  bool rounding_in_full_mode = true;
  bool budget_appended = true;        // the token budget is a size if it is within the maximum
  bool uniform_sizes = true;          // n*(1+N) for the n that decode batches have
  bool uniform_sizes_capped = true;   // not above the default maximum
  bool uniform_single = true;         // S itself without speculation
  bool v2_candidate_rounding = true;  // the V2 runner rounds each decode graph, not the list
  bool v2_full_first = true;  // the V2 runner prefers a full graph to a smaller piecewise one

  friend bool operator==(const CaptureRules&, const CaptureRules&) = default;
};

/// The rules of a version. What the version leaves open counts as not there yet; use
/// VersionFacts::alternatives() to leave nothing open.
CaptureRules capture_rules(const facts::EngineVersion& version,
                           const facts::VersionFacts& versions);

/// What the capture depends on.
struct CaptureInput {
  Runner runner = Runner::kV1;
  GraphMode mode = GraphMode::kFullAndPiecewise;
  std::int64_t max_sequences = 1;       // S, of one rank; at least 1
  std::int64_t speculative_tokens = 0;  // N
  std::int64_t step_tokens = 1;         // B, of one rank
  std::int64_t tensor_parallel = 1;
  bool sequence_parallelism = false;  // pass_config.enable_sp
  bool sm_10x = false;                // B200, B300, GB200, GB300
  bool interactivity = false;         // --performance-mode interactivity
  std::optional<std::int64_t> given_maximum;
  std::optional<std::vector<std::int64_t>> given_sizes;
  /// --cuda-graph-sizes of versions without a maximum setting.
  std::optional<std::vector<std::int64_t>> given_graph_sizes;
};

/// Bounds on hostile input: settings beyond them are not vLLM's problem alone.
inline constexpr std::int64_t kMostSequences = 1 << 16;
inline constexpr std::int64_t kMostTokens = 1 << 20;

/// What vLLM captures, and what decode batches run as. Sequences, tokens and sizes above the bounds
/// are cut to them.
Capture capture(const CaptureRules& rules, const CaptureInput& input);

/// The ids of data/engine_changes.tsv that capture_rules() asks for.
std::span<const std::string_view> capture_changes();

}  // namespace recipelint::serving::vllm
