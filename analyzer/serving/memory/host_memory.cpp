#include "analyzer/serving/memory/host_memory.h"

namespace recipelint::serving::memory {
namespace {

/// GPUs of the server; nothing if they are not known or lie on several nodes.
std::optional<double> ranks_of(const ServerConfig& config) {
  const Parallelism& parallel = config.parallel;
  if (!parallel.nodes.known() || parallel.nodes.value_or(1) != 1) return std::nullopt;
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

}  // namespace

std::optional<HostPools> host_pools(const ServerConfig& config) {
  const auto& offloads = config.cache.offloads;
  const auto ranks = ranks_of(config);
  if (!offloads.value || !ranks) return std::nullopt;
  HostPools pools;
  pools.ranks = *ranks;
  double largest = 0;
  for (const Offload& offload : *offloads.value) {
    if (!offload.bytes || *offload.bytes <= 0) continue;
    const auto bytes = static_cast<double>(*offload.bytes);
    const double all = offload.bytes_per_rank ? bytes * *ranks : bytes;
    pools.total += all;
    if (all <= largest) continue;
    largest = all;
    pools.connector = offload.connector;
    pools.per_rank = offload.bytes_per_rank ? bytes : 0;
  }
  if (pools.total <= 0) return std::nullopt;
  return pools;
}

}  // namespace recipelint::serving::memory
