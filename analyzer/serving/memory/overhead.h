#pragma once

#include <string_view>

#include "analyzer/facts/memory_facts.h"
#include "analyzer/serving/memory/interval.h"

namespace recipelint::serving::memory {

struct Overhead {
  Interval bytes;
  /// Somebody measured this family of models with this engine on this GPU; otherwise the likely one
  /// is the smallest of all, and the largest one that of other models or GPUs.
  bool measured_here = false;
};

/// Whose overhead is asked for.
struct OverheadQuestion {
  std::string_view engine;
  std::string_view family;  // of models
  std::string_view gpu;
  bool data_parallel = false;
  double tensor = 1;  // ranks that share the activations
};

/// Bytes of a GPU that are neither weights nor KV cache: activations, graphs, communication, what
/// lies outside of the engine's own pool. The least is what no launch was seen to stay below, the
/// likely one the smallest that was measured with this family on this GPU, the largest one that of
/// any model on this GPU, or on any if nobody measured it. Data-parallel attention takes much more
/// than tensor parallelism, so that the two are never mixed on one GPU. Activations shrink with the
/// ranks that share them: who measured with as many of them is asked first.
Overhead overhead_of(const facts::MemoryFacts& facts, const OverheadQuestion& question);

}  // namespace recipelint::serving::memory
