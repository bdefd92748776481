#pragma once

#include "analyzer/serving/memory/kv_need.h"
#include "analyzer/serving/memory/shape.h"

namespace recipelint::serving::memory {

/// DeepSeek-V4: caches compressed by 4 and by 128, a window in every layer, and the states of the
/// compressors; all draw from one pool in tuples of pages (vLLM kv_cache_utils.py). Replicated on
/// every tensor-parallel rank.
text::Result<KvNeed> dsv4_need(const Shape& shape, const KvRequest& request);

}  // namespace recipelint::serving::memory
