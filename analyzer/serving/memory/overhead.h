#pragma once

#include <string_view>

#include "analyzer/facts/memory_facts.h"
#include "analyzer/serving/memory/interval.h"

namespace recipelint::serving::memory {

struct Overhead {
  Interval bytes;
  /// Somebody measured this engine on this GPU; otherwise the largest one is that of other GPUs.
  bool measured_here = false;
};

/// Bytes of a GPU that are neither weights nor KV cache: activations, graphs, communication, what
/// lies outside of the engine's own pool. The least is what no launch was seen to stay below; the
/// others are the smallest and the largest that was measured with this engine on this GPU, or on
/// any if nobody measured it. Data-parallel attention (`data_parallel`) takes much more than tensor
/// parallelism, so that the two are never mixed on one GPU. Activations shrink with the ranks that
/// share them: who measured with as many of them (`tensor`) is asked first.
Overhead overhead_of(const facts::MemoryFacts& facts, std::string_view engine, std::string_view gpu,
                     bool data_parallel, double tensor);

}  // namespace recipelint::serving::memory
