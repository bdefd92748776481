#include "analyzer/serving/memory/question.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "analyzer/serving/sglang/memory_options.h"
#include "analyzer/serving/vllm/memory_options.h"

namespace recipelint::serving::memory {
namespace {

using launch::Engine;

/// Somebody said it, but what cannot be told; as opposed to a default that is not known.
template <typename T>
bool is_given(const Setting<T>& setting) {
  return setting.word.has_value() || setting.span.valid();
}

bool is_mtp(std::string_view method) {
  return method.ends_with("mtp") || method == "NEXTN" || method == "EAGLE";
}

bool needs_no_draft(std::string_view method) {
  return method.starts_with("ngram") || method == "suffix" || method == "none";
}

class QuestionBuilder {
 public:
  QuestionBuilder(const launch::Launch& launch, const ServerConfig& config,
                  const facts::Model* model, const facts::Gpu* gpu, const facts::Catalog& catalog)
      : launch_(launch), config_(config), catalog_(catalog) {
    question_.engine = config.engine;
    question_.gpu = gpu;
    question_.model = model;
    question_.release = config.version.release();
    question_.version_known = config.version.known();
    if (!config.model.value) return;
    const auto* own = catalog.models().find_model(*config.model.value);
    if (own != nullptr) question_.model = own;
  }

  MemoryQuestion run() {
    read_changed_weights();
    read_ranks();
    read_limits();
    read_cache();
    if (question_.model != nullptr) {
      read_speculation();
      read_formats();
    }
    if (config_.engine == Engine::kVllm) read_vllm();
    if (question_.model != nullptr && config_.engine != Engine::kVllm) read_state_pools();
    return std::move(question_);
  }

 private:
  const facts::ModelFamily& family() const { return *question_.model->family; }
  void missing(std::string fact) { question_.missing.push_back(std::move(fact)); }
  void missing_for_weights(std::string fact) {
    question_.missing_for_weights.push_back(fact);
    missing(std::move(fact));
  }
  void assumed(std::string what) { question_.assumed.push_back(std::move(what)); }

  double size(const Setting<std::int64_t>& setting, std::string_view name) {
    if (setting.value && *setting.value >= 1) return static_cast<double>(*setting.value);
    if (!setting.known() || setting.value) missing_for_weights(std::string(name));
    return 1;
  }

  /// Options that change what a checkpoint takes once it is loaded.
  void read_changed_weights() {
    const bool unquantized = question_.model != nullptr && question_.model->precision == "bf16";
    for (const shell::Value& word : launch_.argv) {
      const std::string text = word.text();
      if (!text.starts_with("--")) continue;
      const bool quantized = unquantized && text.starts_with("--quantization");
      const bool online =
          text.find("online") != std::string::npos && text.find("quant") != std::string::npos;
      if (quantized || online) missing_for_weights("what quantization leaves of the weights");
      if (text.starts_with("--hf-overrides") || text.starts_with("--json-model-override")) {
        missing_for_weights("the changed shape of the model");
      }
    }
  }

  void read_ranks() {
    const Parallelism& parallel = config_.parallel;
    question_.tensor = size(parallel.tensor, "the size of tensor parallelism");
    question_.pipeline = size(parallel.pipeline, "the size of pipeline parallelism");
    question_.data = size(parallel.data, "the size of data parallelism");
    question_.expert = size(parallel.expert, "the size of expert parallelism");
    question_.decode_context = size(parallel.decode_context, "the size of context parallelism");
    question_.prefill_context = size(parallel.prefill_context, "the size of context parallelism");
    if (config_.engine == Engine::kVllm) return;
    question_.attention_data = size(parallel.attention_data, "the ranks of attention");
    if (config_.engine == Engine::kAtom) question_.tensor *= question_.data;
    // Inside of tensor parallelism. It may split the layers of the cache
    // (--enable-dsa-cache-layer-split), or its tokens.
    if (question_.prefill_context > 1) missing("how context parallelism divides the KV cache");
    question_.prefill_context = 1;
  }

  void read_limits() {
    const Limits& limits = config_.limits;
    if (limits.model_length.value && *limits.model_length.value > 0) {
      question_.length = static_cast<double>(*limits.model_length.value);
    } else {
      const auto& reason = limits.model_length.reason;
      missing(reason.empty() ? "the length of a request"
                             : fmt::format("the length of a request ({})", reason));
    }
    question_.sequences = static_cast<double>(limits.sequences.value_or(0));
    // Only vLLM keeps caches for the tokens of steps.
    if (config_.engine != Engine::kVllm) {
      question_.step_tokens = {0};
      return;
    }
    if (limits.step_tokens.value && *limits.step_tokens.value > 0) {
      question_.step_tokens = {static_cast<double>(*limits.step_tokens.value)};
    } else if (is_given(limits.step_tokens) && grows_with_steps()) {
      missing("the tokens of a step");
    } else {
      question_.step_tokens = {8192, 16384};
      if (grows_with_steps()) assumed("8192 or 16384 tokens a step: " + limits.step_tokens.reason);
    }
  }

  bool grows_with_steps() const {
    if (question_.model == nullptr) return false;
    return family().attention == "dsv4" || family().attention == "gqa_swa";
  }

  void read_cache() {
    const CacheSettings& cache = config_.cache;
    if (cache.bytes.value) question_.cache_bytes = static_cast<double>(*cache.bytes.value);
    if (!cache.bytes.known()) missing("the bytes of the KV cache");
    const auto& fraction = cache.memory_fraction;
    if (fraction.value && *fraction.value > 0 && *fraction.value <= 1) {
      question_.fraction = Interval::exactly(*fraction.value);
    } else if (config_.engine == Engine::kVllm && !is_given(fraction)) {
      question_.fraction = {0.9, 0.92, 0.92};
      assumed("0.9 or 0.92 of the memory of a GPU: the version leaves it open");
    } else if (!question_.cache_bytes) {
      missing("the fraction of the memory");
    }
    question_.block_size =
        static_cast<double>(std::max<std::int64_t>(0, cache.block_size.value_or(0)));
    const auto& prefix = cache.prefix_caching;
    question_.prefix_caching = {prefix.value_or(true)};
    if (!prefix.known()) question_.prefix_caching = {true, false};
    constexpr double kMostGib = 1e6;
    const double offloaded = cache.weight_offload_gib.value_or(0);
    question_.weight_offload = std::clamp(offloaded, 0.0, kMostGib) * kGib;
    if (!cache.weight_offload_gib.known() && config_.engine == Engine::kVllm) {
      missing_for_weights("the weights that stay in host memory");
    }
  }

  // --- Speculation ---

  void read_speculation() {
    const Speculation& speculation = config_.speculation;
    question_.speculative_tokens =
        static_cast<double>(std::clamp<std::int64_t>(speculation.tokens.value_or(0), 0, 1 << 20));
    const auto& method = speculation.method;
    if (method.value) question_.speculation = *method.value;
    if (method.known() && (!method.value || needs_no_draft(*method.value))) return;
    const auto own = family().number("num_nextn_predict_layers").value_or(0);
    if (method.value && is_mtp(*method.value) && !speculation.draft_model.value) {
      question_.loaded.mtp = true;
      question_.draft_layers = {std::max(1.0, static_cast<double>(own))};
      return;
    }
    question_.loaded.external_draft = true;
    if (const auto layers = family().number("draft_layers"); layers && method.value) {
      question_.draft_layers = {static_cast<double>(*layers)};
      return;
    }
    question_.draft_layers = {1, 0};
    assumed("a draft model with one layer of the size of the target's");
  }

  // --- How the cache is stored ---

  bool blackwell_or_rocm() const {
    return question_.gpu != nullptr && (question_.gpu->is_sm_10x() || question_.gpu->is_rocm());
  }
  bool blackwell() const { return question_.gpu != nullptr && question_.gpu->is_sm_10x(); }

  void read_formats() {
    const auto& dtype = config_.cache.dtype;
    if (!dtype.value) return missing("the KV cache dtype");
    const std::string& text = *dtype.value;
    const bool fp8 = text.starts_with("fp8") && text.find("head") == std::string::npos;
    const bool bf16 = text == "bfloat16" || text == "bf16" || text == "float16" || text == "half";
    if (!fp8 && !bf16 && text != "auto" && text != "nvfp4") {
      return missing(fmt::format("the size of the KV cache dtype '{}'", text));
    }
    if (text == "nvfp4") {
      question_.formats = {KvFormat::kNvfp4};
    } else if (text == "fp8_ds_mla") {
      question_.formats = {KvFormat::kFp8Scaled};
    } else if (family().attention == "dsv4" && config_.engine == Engine::kVllm) {
      question_.formats = compressed_formats(fp8 ? "fp8" : text);
    } else if (text == "auto") {
      question_.formats = {KvFormat::kBf16, KvFormat::kFp8};
      assumed("the KV cache dtype 'auto' is bf16 or fp8");
    } else {
      question_.formats = fp8 ? fp8_formats() : std::vector{KvFormat::kBf16};
    }
    read_index(question_.formats.front() == KvFormat::kBf16);
  }

  /// The layout belongs to the attention backend, which the GPU decides.
  std::vector<KvFormat> compressed_formats(std::string_view dtype) {
    if (!blackwell()) return {KvFormat::kFp8Scaled};
    assumed("the layout of the attention backend");
    if (dtype == "fp8") return {KvFormat::kFp8Scaled, KvFormat::kFp8};
    return {KvFormat::kBf16, KvFormat::kFp8Scaled};
  }

  std::vector<KvFormat> fp8_formats() {
    if (family().attention != "mla_dsa" || config_.engine != Engine::kVllm) return {KvFormat::kFp8};
    assumed("576 or 656 bytes a token and layer: the attention backend decides");
    if (blackwell_or_rocm()) return {KvFormat::kFp8, KvFormat::kFp8Scaled};
    return {KvFormat::kFp8Scaled, KvFormat::kFp8};
  }

  void read_index(bool bf16_cache) {
    if (family().attention != "gqa_msa") return;
    question_.indexes = {IndexFormat::kFp8, IndexFormat::kBf16};
    if (bf16_cache) std::ranges::reverse(question_.indexes);
    assumed("index keys of the dtype of the cache");
  }

  // --- States beside the pools of SGLang and TensorRT-LLM ---

  bool has_linear_layers() const {
    return family().attention == "gqa_gdn" || family().attention == "mla_kda";
  }

  void read_state_pools() {
    if (config_.engine == Engine::kSglang) return read_sglang();
    // TensorRT-LLM keeps one for every sequence that it admits.
    if (config_.engine == Engine::kTensorRtLlm && has_linear_layers()) {
      question_.state_pools = {{question_.sequences, 0}};
    }
  }

  void read_sglang() {
    const auto options = sglang::memory_options(launch_, config_, catalog_);
    if (family().attention == "dsv4") {
      constexpr double kDefaultRatio = 0.1;  // deepseek_v4_hook.py
      if (!options.window_ratio) return missing("the ratio of the tokens of sliding windows");
      question_.window_ratio = *options.window_ratio > 0 ? *options.window_ratio : kDefaultRatio;
      if (question_.sequences > 0) question_.state_pools = {{question_.sequences, 0}, {}};
      return;
    }
    if (!has_linear_layers()) return;
    if (!options.states || !options.state_share || !options.state_element) {
      return missing("what the states of linear attention take");
    }
    question_.state_element = *options.state_element;
    // At least that of the request itself.
    constexpr StatePool kLeast = {1, 0};
    if (*options.states <= 0) {
      assumed("states of linear attention take their share of the pool");
      question_.state_pools = {{0, *options.state_share}, kLeast};
      return;
    }
    // Of each rank its part, and while it speculates one for each token that a request verifies.
    const double verified = question_.speculative_tokens > 0 ? 1 + question_.speculative_tokens : 0;
    const double states = *options.states / question_.attention_data;
    question_.state_pools = {{states + question_.sequences * verified, 0}, kLeast};
  }

  // --- What only vLLM has ---

  void read_vllm() {
    const auto options = vllm::memory_options(launch_, config_, catalog_);
    question_.hybrid = options.hybrid_layers;
    question_.loaded.vision = !options.language_model_only;
    if (options.blocks_given) missing("what the given number of blocks takes");
    if (question_.model == nullptr) return;
    const auto attention = family().attention;
    if (attention == "mla_dsa" || attention == "dsv4") {
      question_.indexes = {IndexFormat::kFp8, IndexFormat::kFp4};
      if (options.fp4_index) {
        question_.indexes = {*options.fp4_index ? IndexFormat::kFp4 : IndexFormat::kFp8};
      }
    }
    read_steps_in_flight();
  }

  /// Asynchronous scheduling has one step more under way than there are pipeline stages.
  void read_steps_in_flight() {
    const auto* change = catalog_.versions().find_change("vllm", "kv-need-counts-steps-in-flight");
    const auto answer = config_.version.has(*change);
    if (answer == facts::EngineVersion::Answer::kNo) return;
    const auto& async = config_.limits.async_scheduling;
    std::vector<double> steps;
    if (!async.known() || async.value_or(false)) steps.push_back(question_.pipeline + 1);
    if (!async.known() || !async.value_or(false)) steps.push_back(question_.pipeline);
    if (answer == facts::EngineVersion::Answer::kMaybe) steps.push_back(1);
    question_.steps_in_flight = std::move(steps);
    if (question_.steps_in_flight.size() > 1 && grows_with_steps()) {
      assumed("two steps in flight: the version leaves it open");
    }
  }

  const launch::Launch& launch_;
  const ServerConfig& config_;
  const facts::Catalog& catalog_;
  MemoryQuestion question_;
};

}  // namespace

MemoryQuestion memory_question(const launch::Launch& launch, const ServerConfig& config,
                               const facts::Model* model, const facts::Gpu* gpu,
                               const facts::Catalog& catalog) {
  return QuestionBuilder(launch, config, model, gpu, catalog).run();
}

}  // namespace recipelint::serving::memory
