#include <algorithm>
#include <utility>

#include "analyzer/serving/vllm/decoding.h"

namespace recipelint::serving::vllm {
namespace {

constexpr std::int64_t kGib = std::int64_t{1} << 30;

std::optional<std::int64_t> json_number(const Json* value) {
  if (value == nullptr || !value->is(Json::Kind::kInteger)) return std::nullopt;
  return value->integer;
}

/// Where the KV cache lies, and how large it may get.
class CacheReader {
 public:
  CacheReader(const Decoding& decoding, ServerConfig& config)
      : decoding_(decoding), config_(config) {}

  void run() {
    CacheSettings& cache = config_.cache;
    cache.bytes = decoding_.arguments.integer("--kv-cache-memory-bytes");
    cache.memory_fraction = memory_fraction();
    cache.dtype = kv_dtype();
    cache.block_size = decoding_.arguments.integer("--block-size");
    cache.prefix_caching = prefix_caching();
    cache.offloads = offloads();
    cache.weight_offload_gib = or_default(decoding_.arguments.number("--cpu-offload-gb"), 0.0);
  }

 private:
  Setting<double> memory_fraction() const {
    auto setting = either(decoding_.arguments.number("--gpu-memory-utilization"),
                          decoding_.arguments.number("--device-memory-utilization"));
    if (setting.value || !setting.known()) return setting;
    const auto raised = decoding_.semantics.decided("memory-fraction-0.92");
    if (!raised) return Setting<double>::unknown("0.9 or 0.92, the version leaves it open");
    return Setting<double>::by_default(*raised ? 0.92 : 0.9);
  }

  Setting<std::string> kv_dtype() const {
    auto setting = or_default(decoding_.arguments.string("--kv-cache-dtype"), std::string("auto"));
    if (setting.value != "auto" || decoding_.model == nullptr) return setting;
    const bool follows = decoding_.semantics.has("kv-auto-follows-checkpoint");
    if (decoding_.model->kv_scheme == facts::Model::KvScheme::kFp8 && follows) {
      setting.value = "fp8";
      setting.reason = "the quantization settings of the checkpoint";
    } else if (decoding_.model->kv_scheme != facts::Model::KvScheme::kUnknown) {
      setting.value = "bfloat16";
      setting.reason = "the checkpoint says nothing else";
    }
    return setting;
  }

  Setting<bool> prefix_caching() const {
    auto setting = decoding_.arguments.boolean("--enable-prefix-caching");
    if (setting.value || !setting.known()) return setting;
    if (decoding_.family() == nullptr)
      return Setting<bool>::unknown("the model decides, and is unknown");
    const bool mamba =
        decoding_.family()->attention == "gqa_gdn" || decoding_.family()->attention == "mla_kda";
    if (!mamba) return Setting<bool>::by_default(true);
    const auto on = decoding_.semantics.decided("prefix-caching-for-mamba");
    if (!on) return Setting<bool>::unknown("the version leaves it open");
    return Setting<bool>::by_default(*on, "models with state layers");
  }

  Setting<std::vector<Offload>> offloads() const {
    auto setting = native_offload();
    if (!setting.known()) return setting;
    const Argument* transfer = decoding_.arguments.find(kTransferOption);
    if (transfer == nullptr) return setting;
    const Json* json = decoding_.arguments.json(kTransferOption);
    if (json == nullptr || !json->known()) {
      return Setting<std::vector<Offload>>::unknown("the connector is unknown");
    }
    auto list = setting.value.value_or(std::vector<Offload>());
    if (!add_connectors(*json, list, 0)) {
      return Setting<std::vector<Offload>>::unknown("the connector is unknown");
    }
    setting.source = Source::kExplicit;
    setting.span = decoding_.arguments.words().span(transfer->name);
    setting.origin = decoding_.arguments.words().origin(json->place);
    setting.word = decoding_.arguments.words().argument(transfer->name);
    setting.value = std::move(list);
    return setting;
  }

  Setting<std::vector<Offload>> native_offload() const {
    const auto size = decoding_.arguments.number("--kv-offloading-size");
    const auto backend =
        or_default(decoding_.arguments.string("--kv-offloading-backend"), std::string("native"));
    using Result = Setting<std::vector<Offload>>;
    if (!size.known() || !backend.known()) return Result::unknown(size.reason + backend.reason);
    if (!size.value) return Result::by_default({});
    Result setting;
    setting.source = Source::kExplicit;
    setting.span = size.span;
    setting.origin = size.origin;
    setting.word = size.word;
    const double bytes = *size.value * static_cast<double>(kGib);
    constexpr double kMost = 9e18;
    Offload offload{backend.value_or(""), {}, std::nullopt, false, {}};
    if (bytes >= 0 && bytes < kMost) offload.bytes = static_cast<std::int64_t>(bytes);
    setting.value = std::vector<Offload>{std::move(offload)};
    return setting;
  }

  /// False if a connector is unknown. A connector that stands for several has them nested.
  static bool add_connectors(const Json& json, std::vector<Offload>& list, int depth) {
    constexpr int kDeepest = 8;
    const Json* connector = json.find("kv_connector");
    const Json* extra = json.find("kv_connector_extra_config");
    if (connector == nullptr) return !json.open;
    if (!connector->is(Json::Kind::kString) || depth > kDeepest) return false;
    const Json* inner = extra == nullptr ? nullptr : extra->find("connectors");
    if (inner != nullptr && inner->is(Json::Kind::kArray)) {
      return std::ranges::all_of(
          inner->items, [&](const Json& each) { return add_connectors(each, list, depth + 1); });
    }
    Offload offload{connector->text, {}, std::nullopt, false, {}};
    const Json* role = json.find("kv_role");
    if (role != nullptr && role->is(Json::Kind::kString)) offload.role = role->text;
    if (extra != nullptr) {
      offload.bytes = json_number(extra->find("cpu_bytes_to_use"));
      if (const auto bytes = json_number(extra->find("cpu_bytes_to_use_per_rank"))) {
        offload.bytes = bytes;
        offload.bytes_per_rank = true;
      }
    }
    list.push_back(std::move(offload));
    return true;
  }

  const Decoding& decoding_;
  ServerConfig& config_;
};

}  // namespace

void read_cache(const Decoding& decoding, ServerConfig& config) {
  CacheReader(decoding, config).run();
}

}  // namespace recipelint::serving::vllm
