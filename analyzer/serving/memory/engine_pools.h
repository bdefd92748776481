#pragma once

#include "analyzer/launch/launch.h"
#include "analyzer/serving/memory/interval.h"
#include "analyzer/serving/memory/kv_need.h"
#include "analyzer/serving/memory/memory_fit.h"
#include "analyzer/text/result.h"

namespace recipelint::serving::memory {

/// What a request takes in the token pool of SGLang, TensorRT-LLM or ATOM, in bytes of one rank.
/// None of them refuses to start for it. Fails with the missing fact.
text::Result<KvNeed> pool_need(launch::Engine engine, const facts::ModelFamily& family,
                               const KvRequest& request);

/// Bytes that these engines have for the pool on a GPU of `total` bytes. The most: as if they took
/// nothing besides the weights.
Interval pool_of(const MemoryQuestion& question, const Interval& weights, double total);

}  // namespace recipelint::serving::memory
