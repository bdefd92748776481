#include "analyzer/serving/memory/host_memory.h"

#include <fmt/format.h>

#include <optional>

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

/// vLLM's data-parallel ranks are engines, each with a pool of its own that its workers share
/// (simple_cpu_offload_connector.py: divided by world_size, which leaves data parallelism out).
double pools_of_a_server(const ServerConfig& config) {
  const bool engines = config.engine == launch::Engine::kVllm;
  return engines ? static_cast<double>(config.parallel.data.value_or(1)) : 1;
}

}  // namespace

text::Result<HostPools> host_pools(const ServerConfig& config) {
  const auto& offloads = config.cache.offloads;
  if (!offloads.known()) return text::Error{"where the KV cache is offloaded to", {}};
  HostPools pools;
  if (!offloads.value || offloads.value->empty()) return pools;
  const auto ranks = ranks_of(config);
  if (!ranks) return text::Error{"how many ranks of the server share a machine", {}};
  pools.ranks = *ranks;
  double largest = 0;
  for (const Offload& offload : *offloads.value) {
    if (!offload.bytes) {
      return text::Error{fmt::format("how much host memory '{}' takes", offload.connector), {}};
    }
    if (*offload.bytes <= 0) continue;
    const auto bytes = static_cast<double>(*offload.bytes);
    const double all = bytes * (offload.bytes_per_rank ? *ranks : pools_of_a_server(config));
    pools.total += all;
    if (all <= largest) continue;
    largest = all;
    pools.connector = offload.connector;
    pools.per_rank = offload.bytes_per_rank ? bytes : 0;
  }
  return pools;
}

}  // namespace recipelint::serving::memory
