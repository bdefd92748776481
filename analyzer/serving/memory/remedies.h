#pragma once

#include <vector>

#include "analyzer/serving/memory/memory_fit.h"

namespace recipelint::serving::memory {

/// The answer as it is, as opposed to what could be done about it.
MemoryFit memory_fit_without_remedies(const MemoryQuestion& question,
                                      const facts::MemoryFacts& facts);

/// Changes of one setting each after which it fits by the most likely numbers, cheapest first: a
/// smaller token budget, a smaller KV dtype, a larger fraction of the GPU, more ranks, a shorter
/// length.
std::vector<Remedy> find_remedies(const MemoryQuestion& question, const MemoryFit& fit,
                                  const facts::MemoryFacts& facts);

}  // namespace recipelint::serving::memory
