#pragma once

#include <optional>

#include "analyzer/facts/catalog.h"
#include "analyzer/launch/launch.h"
#include "analyzer/serving/server_config.h"

namespace recipelint::serving::sglang {

/// What only the memory of a server depends on; missing if it cannot be told.
struct MemoryOptions {
  /// Tokens of sliding windows for each token of the pool, as given; 0 if it is not.
  std::optional<double> window_ratio = 0;
  /// States of linear attention of the whole server, as given; 0 if they are not.
  std::optional<double> states = 0;
  /// What the states take otherwise, times what keys and values take.
  std::optional<double> state_share = 0;
  /// Bytes of a number of a state, as given; 0 if they are not.
  std::optional<double> state_element = 0;
};

/// Reads the command line of a launch of SGLang that was decoded to `config`.
MemoryOptions memory_options(const launch::Launch& launch, const ServerConfig& config,
                             const facts::Catalog& catalog);

}  // namespace recipelint::serving::sglang
