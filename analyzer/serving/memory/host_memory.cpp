#include "analyzer/serving/memory/host_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "analyzer/facts/kv_connectors.h"

namespace recipelint::serving::memory {
namespace {

/// GPUs of the server; nothing if they are not known.
std::optional<double> ranks_of(const ServerConfig& config) {
  const Parallelism& parallel = config.parallel;
  double ranks = 1;
  const auto multiply = [&](const Setting<std::int64_t>& size) {
    if (!size.known() || size.value_or(1) < 1) return false;
    ranks *= static_cast<double>(size.value_or(1));
    return true;
  };
  if (!multiply(parallel.tensor) || !multiply(parallel.pipeline)) return std::nullopt;
  // Data-parallel attention of SGLang divides the tensor-parallel ranks.
  const bool divides =
      config.engine == launch::Engine::kSglang && parallel.attention_data.value_or(1) > 1;
  if (!divides && !multiply(parallel.data)) return std::nullopt;
  return ranks;
}

/// The server's part of the fullest machine.
struct Share {
  double ranks = 0;   // GPUs on it
  bool whole = true;  // all of the server's
};

std::optional<Share> share_of(const ServerConfig& config, const HostSituation& situation) {
  const auto ranks = ranks_of(config);
  const auto& nodes = config.parallel.nodes;
  if (!ranks || !nodes.known() || nodes.value_or(1) < 1) return std::nullopt;
  Share share{*ranks, true};
  const auto limit = [&](double most) {
    if (share.ranks <= most) return;
    share = {most, false};
  };
  limit(std::ceil(*ranks / static_cast<double>(nodes.value_or(1))));
  if (situation.gpus_per_node > 0) limit(situation.gpus_per_node);
  return share;
}

/// vLLM's data-parallel ranks are engines, each with a pool of its own that its workers share
/// (simple_cpu_offload_connector.py: divided by world_size, which leaves data parallelism out).
double pools_of_a_server(const ServerConfig& config) {
  const bool engines = config.engine == launch::Engine::kVllm;
  return engines ? static_cast<double>(config.parallel.data.value_or(1)) : 1;
}

}  // namespace

text::Result<HostPools> host_pools(const ServerConfig& config, const HostSituation& situation) {
  const auto& offloads = config.cache.offloads;
  if (!offloads.known()) return text::Error{"where the KV cache is offloaded to", {}};
  HostPools pools;
  if (!offloads.value || offloads.value->empty()) return pools;
  const auto share = share_of(config, situation);
  if (!share) return text::Error{"how many ranks of the server share a machine", {}};
  pools.ranks = share->ranks;
  pools.servers = share->whole ? situation.servers : 1;
  double largest = 0;
  for (const Offload& offload : *offloads.value) {
    if (facts::kv_movement(offload.connector) == facts::KvMovement::kHandsOver) continue;
    const bool by_ratio = !offload.bytes && offload.device_ratio && situation.device_pool > 0;
    if (!offload.bytes && !by_ratio) {
      return text::Error{fmt::format("how much host memory '{}' takes", offload.connector), {}};
    }
    const bool each = offload.bytes_per_rank || by_ratio;
    if (!each && !share->whole) {
      return text::Error{fmt::format("how '{}' lies on several machines", offload.connector), {}};
    }
    const double bytes = by_ratio ? *offload.device_ratio * situation.device_pool
                                  : static_cast<double>(*offload.bytes);
    if (bytes <= 0) continue;
    const double all = pools.servers * bytes * (each ? share->ranks : pools_of_a_server(config));
    pools.total += all;
    if (by_ratio) pools.device_ratio = *offload.device_ratio;
    if (all <= largest) continue;
    largest = all;
    pools.connector = offload.connector;
    pools.per_rank = each ? bytes : 0;
  }
  return pools;
}

bool depends_on_device_pool(const ServerConfig& config) {
  const auto& offloads = config.cache.offloads.value;
  return offloads && std::ranges::any_of(*offloads, [](const Offload& offload) {
           return !offload.bytes && offload.device_ratio;
         });
}

}  // namespace recipelint::serving::memory
