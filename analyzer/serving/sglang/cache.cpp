#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/serving/sglang/decoding.h"

namespace recipelint::serving::sglang {
namespace {

/// Where the KV cache lies, and how large it may get.
class CacheReader {
 public:
  CacheReader(const Decoding& decoding, ServerConfig& config)
      : decoding_(decoding), arguments_(decoding.arguments), config_(config) {}

  void run() {
    CacheSettings& cache = config_.cache;
    cache.memory_fraction = arguments_.number("--mem-fraction-static");
    if (!cache.memory_fraction.value && cache.memory_fraction.known()) {
      cache.memory_fraction =
          Setting<double>::unknown("graphs, prefill chunk and parallelism decide");
    }
    cache.bytes = Setting<std::int64_t>::none();
    cache.dtype = kv_dtype();
    cache.block_size = arguments_.integer("--page-size");
    if (!cache.block_size.value && cache.block_size.known()) {
      cache.block_size = Setting<std::int64_t>::unknown("the attention backend decides");
    }
    cache.prefix_caching = prefix_caching();
    cache.offloads = offloads();
    cache.weight_offload_gib = or_default(arguments_.number("--cpu-offload-gb"), 0.0);
  }

 private:
  /// mem_cache/kv_cache_dtype.py, arg_groups/overrides.py 1610-1660.
  Setting<std::string> kv_dtype() const {
    auto setting = or_default(arguments_.string("--kv-cache-dtype"), std::string("auto"));
    if (setting.value != "auto" || decoding_.model == nullptr) return setting;
    const std::string fp8 = "fp8_e4m3";
    const std::string bf16 = "bfloat16";
    if (decoding_.is_deepseek_v4()) return with_value(setting, fp8, "DeepSeek-V4");
    if (decoding_.family()->attention == "mla_dsa") {
      const auto* gpu = decoding_.situation.gpu;
      if (gpu == nullptr) return Setting<std::string>::unknown("the GPU is unknown");
      const bool blackwell = gpu->is_sm_10x() || gpu->architecture.starts_with("sm_12");
      return with_value(setting, blackwell ? fp8 : bf16, "sparse attention on this GPU");
    }
    switch (decoding_.model->kv_scheme) {
      case facts::Model::KvScheme::kFp8:
        return with_value(setting, fp8, "the quantization settings of the checkpoint");
      case facts::Model::KvScheme::kNone:
        return with_value(setting, bf16, "the checkpoint says nothing else");
      case facts::Model::KvScheme::kUnknown:
        break;
    }
    return setting;
  }

  Setting<bool> prefix_caching() const {
    const auto off = arguments_.boolean("--disable-radix-cache");
    if (!off.known()) return Setting<bool>::unknown(off.reason);
    return off.value ? with_value(off, false) : Setting<bool>::by_default(true);
  }

  Setting<std::vector<Offload>> offloads() const {
    using Result = Setting<std::vector<Offload>>;
    if (!arguments_.open().empty()) return Result::unknown(arguments_.open());
    std::vector<Offload> list;
    Setting<bool> first;
    const auto add = [&](std::string_view option, Offload offload) {
      const auto given = arguments_.boolean(option);
      if (!given.value_or(false)) return;
      if (list.empty()) first = given;
      list.push_back(std::move(offload));
    };
    add("--enable-hierarchical-cache", hierarchical());
    if (!list.empty()) {
      const auto storage = arguments_.string("--hicache-storage-backend");
      if (storage.value) list.push_back({*storage.value, {}, std::nullopt, false, {}});
    }
    add("--enable-lmcache", {"lmcache", {}, std::nullopt, false, {}});
    add("--enable-flexkv", {"flexkv", {}, std::nullopt, false, {}});
    add("--disaggregation-decode-enable-offload-kvcache",
        {"decode-offload", {}, std::nullopt, false, {}});
    if (list.empty()) return Result::by_default({});
    Result setting;
    setting.source = Source::kExplicit;
    setting.origin = first.origin;
    setting.span = first.span;
    setting.word = first.word;
    setting.value = std::move(list);
    return setting;
  }

  /// --hicache-size is in units of 10^9 bytes of each rank; without it, a multiple of the cache.
  Offload hierarchical() const {
    constexpr std::int64_t kBytes = 1000 * 1000 * 1000;
    constexpr std::int64_t kMost = 1 << 24;
    Offload offload{"hicache", {}, std::nullopt, false, {}};
    const auto given = arguments_.integer("--hicache-size");
    const auto& size = given.value;
    if (!size && !given.known()) return offload;
    if (size && *size > 0 && *size < kMost) {
      offload.bytes = *size * kBytes;
      offload.bytes_per_rank = true;
      return offload;
    }
    constexpr double kDefaultRatio = 2;
    const auto ratio = or_default(arguments_.number("--hicache-ratio"), kDefaultRatio);
    if (size.value_or(0) <= 0 && ratio.value_or(0) > 0) offload.device_ratio = ratio.value;
    return offload;
  }

  const Decoding& decoding_;
  const Arguments& arguments_;
  ServerConfig& config_;
};

}  // namespace

void read_cache(const Decoding& decoding, ServerConfig& config) {
  CacheReader(decoding, config).run();
}

}  // namespace recipelint::serving::sglang
