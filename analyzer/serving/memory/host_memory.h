#pragma once

#include <string>

#include "analyzer/serving/server_config.h"
#include "analyzer/text/result.h"

namespace recipelint::serving::memory {

/// Host memory that a server pins for KV cache.
struct HostPools {
  std::string connector;  // what pins most of it
  double ranks = 0;       // GPUs of the server
  double per_rank = 0;    // bytes; 0 if it is one pool for all
  double total = 0;       // bytes of all ranks, at least; 0 if the server pins none
};

/// Fails with the missing fact if it cannot be told how much: a size that is not said, ranks that
/// are not known or lie on several nodes.
text::Result<HostPools> host_pools(const ServerConfig& config);

}  // namespace recipelint::serving::memory
