#pragma once

#include <string>

#include "analyzer/serving/server_config.h"
#include "analyzer/text/result.h"

namespace recipelint::serving::memory {

/// Host memory of one machine that servers of one kind pin for KV cache.
struct HostPools {
  std::string connector;  // what pins most of it
  double servers = 1;     // on the machine
  double ranks = 0;       // GPUs of one server on the machine
  double per_rank = 0;    // bytes; 0 if it is one pool for all
  double total = 0;       // bytes of all servers, at least; 0 if they pin none
  /// From the likely size of the cache on the GPU, times this; 0: all sizes are said.
  double device_ratio = 0;

  bool estimated() const { return device_ratio > 0; }
};

/// What decides it besides the configuration of the server.
struct HostSituation {
  double gpus_per_node = 0;  // of a server that may lie on several machines; 0: it lies on one
  double device_pool = 0;    // likely bytes of the KV cache on each GPU; 0: not known
  double servers = 1;        // like this one on the fullest machine, at least
};

/// Fails with the missing fact if it cannot be told how much: a size that is not said, ranks that
/// are not known, one pool that lies on several machines.
text::Result<HostPools> host_pools(const ServerConfig& config, const HostSituation& situation);
/// Whether `situation.device_pool` matters.
bool depends_on_device_pool(const ServerConfig& config);

}  // namespace recipelint::serving::memory
