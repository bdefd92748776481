#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/serving/capture.h"

namespace recipelint::serving::sglang {

/// What a decode step runs on: SGLang's words for the backend of decode graphs.
enum class GraphBackend : std::uint8_t { kDisabled, kFull, kBreakable, kPiecewise };
/// Nullopt for a word that is none.
std::optional<GraphBackend> parse_graph_backend(std::string_view text);

/// What the captured sizes depend on. All of one rank, unless it says otherwise.
struct CaptureInput {
  GraphBackend backend = GraphBackend::kFull;
  /// The list, if it is given; it wins over the maximum.
  std::optional<std::vector<std::int64_t>> given_sizes;
  std::int64_t maximum = 1;           // requests; given or by default
  bool maximum_appended = true;       // the maximum is a size of its own
  bool padding = true;                // without it, a batch needs a size of its own
  bool speculation = false;           // decides the ladder
  std::int64_t width = 1;             // tokens of a request in one step
  std::int64_t most_requests = 1;     // that can run at once
  std::int64_t pool = 1;              // slots for requests: bounds the sizes
  bool two_batch_overlap = false;     // two batches at once
  std::int64_t attention_tensor = 1;  // ranks that share an attention layer
  std::int64_t attention_context = 1;
  bool gathers = false;  // ranks exchange a buffer, which all of them have to divide
};

/// Bounds on hostile input.
inline constexpr std::int64_t kMostRequests = 1 << 16;

/// The sizes that SGLang makes of a maximum, before anything bounds them
/// (server_args.py 5191-5222).
std::vector<std::int64_t> capture_ladder(const CaptureInput& input);

/// What is captured, and what decode batches from 1 to `most_requests` run as. Requests and sizes
/// above the bound are cut to it (base_cuda_graph_runner.py 64-102).
Capture capture(const CaptureInput& input);

/// The largest size that is captured by default (server_args.py 4884-4947), largest memory first.
struct MemoryTier {
  std::int64_t gib_from = 0;
  std::int64_t chunk = 0;          // tokens of a prefill chunk by default
  std::int64_t maximum_small = 0;  // with TP below 4
  std::int64_t maximum_large = 0;  // with TP of 4 and more, DP attention or not
};
/// The tiers, largest memory first. `small_tier_raised`: GPUs below 35 GiB capture 48 or 160.
std::vector<MemoryTier> memory_tiers(bool small_tier_raised);

}  // namespace recipelint::serving::sglang
