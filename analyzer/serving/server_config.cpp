#include "analyzer/serving/server_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <type_traits>

namespace recipelint::serving {
namespace {

template <typename T>
SettingValue value_of(const T& value) {
  return value;
}

SettingValue value_of(const std::vector<Offload>& offloads) {
  std::string text;
  for (const Offload& offload : offloads) {
    text += fmt::format("{}{}", text.empty() ? "" : ",", offload.connector);
    if (offload.bytes) {
      text += fmt::format(" ({} bytes{})", *offload.bytes, offload.bytes_per_rank ? " a rank" : "");
    }
  }
  return text;
}

SettingValue value_of(const Acceptance& acceptance) {
  if (acceptance.length) return *acceptance.length;
  std::string text;
  for (const double rate : acceptance.rates) {
    text += fmt::format("{}{}", text.empty() ? "" : ",", rate);
  }
  return text;
}

class Describer {
 public:
  template <typename T>
  void add(std::string_view name, const Setting<T>& setting) {
    NamedSetting entry{name, std::nullopt, setting.source, setting.span, setting.reason};
    if (setting.value) entry.value = value_of(*setting.value);
    settings.push_back(std::move(entry));
  }

  std::vector<NamedSetting> settings;
};

}  // namespace

std::string to_string(const SettingValue& value) {
  return std::visit(
      [](const auto& typed) {
        if constexpr (std::is_same_v<std::decay_t<decltype(typed)>, std::vector<std::int64_t>>) {
          return fmt::format("{}", fmt::join(typed, ","));
        } else {
          return fmt::format("{}", typed);
        }
      },
      value);
}

std::string_view to_string(Source source) {
  switch (source) {
    case Source::kDefault:
      return "default";
    case Source::kExplicit:
      return "explicit";
    case Source::kUnknown:
      break;
  }
  return "unknown";
}

std::vector<NamedSetting> describe(const ServerConfig& config) {
  Describer out;
  out.add("model", config.model);
  out.add("host", config.host);
  out.add("port", config.port);
  out.add("tensor_parallel", config.parallel.tensor);
  out.add("pipeline_parallel", config.parallel.pipeline);
  out.add("data_parallel", config.parallel.data);
  out.add("expert_parallel", config.parallel.expert);
  out.add("decode_context_parallel", config.parallel.decode_context);
  out.add("prefill_context_parallel", config.parallel.prefill_context);
  out.add("attention_data_parallel", config.parallel.attention_data);
  out.add("all_to_all", config.parallel.all_to_all);
  out.add("nodes", config.parallel.nodes);
  out.add("max_num_seqs_per_rank", config.limits.sequences);
  out.add("step_tokens_per_rank", config.limits.step_tokens);
  out.add("model_length", config.limits.model_length);
  out.add("chunked_prefill", config.limits.chunked_prefill);
  out.add("async_scheduling", config.limits.async_scheduling);
  out.add("memory_fraction", config.cache.memory_fraction);
  out.add("kv_cache_bytes", config.cache.bytes);
  out.add("kv_dtype", config.cache.dtype);
  out.add("block_size", config.cache.block_size);
  out.add("prefix_caching", config.cache.prefix_caching);
  out.add("kv_offload", config.cache.offloads);
  out.add("weight_offload_gib", config.cache.weight_offload_gib);
  out.add("eager", config.graphs.eager);
  out.add("graph_mode", config.graphs.mode);
  out.add("graph_sizes", config.graphs.sizes);
  out.add("graph_maximum", config.graphs.maximum);
  out.add("speculative_method", config.speculation.method);
  out.add("speculative_tokens", config.speculation.tokens);
  out.add("draft_model", config.speculation.draft_model);
  out.add("synthetic_acceptance", config.speculation.acceptance);
  return std::move(out.settings);
}

}  // namespace recipelint::serving
