#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/serving/capture.h"

namespace recipelint::serving::trtllm {

/// How a version of TensorRT-LLM works out what to capture.
struct CaptureRules {
  bool steps_of_64 = true;  // generated sizes go on in steps of 64; before, in powers of two
};

/// Whether a batch is padded to the next captured size.
enum class Padding : std::uint8_t { kOff, kOn };

/// What the capture depends on.
struct CaptureInput {
  std::int64_t max_batch_size = 1;      // of one rank; at least 1
  std::int64_t step_tokens = 1;         // max_num_tokens, of one rank
  std::int64_t tokens_per_request = 1;  // 1 and the draft tokens
  bool enabled = true;
  Padding padding = Padding::kOff;
  std::optional<std::vector<std::int64_t>> given_sizes;  // batch_sizes
  std::optional<std::int64_t> given_maximum;             // max_batch_size of the graphs
};

/// The sizes count the requests of one rank: no more than min(max_batch_size, max_num_tokens //
/// tokens_per_request) of them. With padding, the first size above that becomes it; without,
/// batches between two sizes run eagerly.
/// Source: NVIDIA/TensorRT-LLM tensorrt_llm/llmapi/llm_args.py (CudaGraphConfig),
/// tensorrt_llm/_torch/pyexecutor/engine/cuda_graph.py, cuda_graph_runner.py.
Capture capture(const CaptureRules& rules, const CaptureInput& input);

}  // namespace recipelint::serving::trtllm
