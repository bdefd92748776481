#pragma once

#include <optional>

#include "analyzer/facts/catalog.h"
#include "analyzer/launch/launch.h"
#include "analyzer/serving/server_config.h"

namespace recipelint::serving::vllm {

/// What only the memory of a server depends on.
struct MemoryOptions {
  /// Layers of different kinds share one pool; missing if a KV connector decides.
  std::optional<bool> hybrid_layers = true;
  /// The index of sparse attention takes half a byte for a number; missing if it is not known.
  std::optional<bool> fp4_index = false;
  bool language_model_only = false;  // a vision tower is not loaded, or may not be
  bool blocks_given = false;         // a number of blocks replaces what is measured
};

/// Reads the command line of a launch of vLLM that was decoded to `config`.
MemoryOptions memory_options(const launch::Launch& launch, const ServerConfig& config,
                             const facts::Catalog& catalog);

}  // namespace recipelint::serving::vllm
