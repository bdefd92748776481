#include "analyzer/serving/trtllm/config.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "analyzer/serving/launch_context.h"
#include "analyzer/serving/setting_place.h"
#include "analyzer/serving/trtllm/arguments.h"
#include "analyzer/serving/trtllm/capture.h"
#include "analyzer/serving/trtllm/conflicts.h"
#include "analyzer/serving/turning_points.h"
#include "analyzer/serving/vocabulary_check.h"

namespace recipelint::serving::trtllm {
namespace {

constexpr std::string_view kSpeculation = "speculative_config";
constexpr std::string_view kGraphs = "cuda_graph_config";
constexpr std::string_view kCache = "kv_cache_config";

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

class Decoder {
 public:
  Decoder(const launch::Launch& launch, const Situation& situation, const facts::Catalog& catalog)
      : launch_(launch),
        situation_(situation),
        catalog_(catalog),
        arguments_(Arguments::parse(launch.argv, first_argument(launch),
                                    frontend_of(launch.program), launch.config_files,
                                    situation.version, catalog)) {}

  ServerConfig run() {
    config_.engine = launch::Engine::kTensorRtLlm;
    config_.version = situation_.version;
    read_model();
    read_parallelism();
    read_speculation();
    read_limits();
    read_cache();
    read_graphs();
    plan_capture();
    collect_problems();
    return std::move(config_);
  }

 private:
  // --- Model and parallelism ---

  void read_model() {
    Setting<std::string>& model = config_.model;
    if (const auto& token = arguments_.model()) {
      model.span = arguments_.words().span(token->place);
      model.origin = arguments_.words().origin(token->place);
      model.word = arguments_.words().argument(token->place);
      if (has_hole(token->text)) {
        model.reason = arguments_.words().cause(token->place);
      } else {
        model.source = Source::kExplicit;
        model.value = token->text;
      }
    } else {
      model = arguments_.string_of({"model"});
    }
    model_ = situation_.model;
    if (model_ == nullptr && model.value) model_ = catalog_.models().find_model(*model.value);
    config_.host = or_default(arguments_.string("--host"), std::string("localhost"));
    config_.port = or_default(arguments_.integer("--port"), std::int64_t{8000});
  }

  void read_parallelism() {
    Parallelism& parallel = config_.parallel;
    const auto size = [&](Path path, std::string_view option) {
      return or_default(arguments_.integer_of(path, option), std::int64_t{1});
    };
    parallel.tensor = size({"tensor_parallel_size"}, "--tensor_parallel_size");
    parallel.pipeline = size({"pipeline_parallel_size"}, "--pipeline_parallel_size");
    parallel.data = Setting<std::int64_t>::by_default(1);
    parallel.expert = experts();
    parallel.attention_data = attention_ranks();
    const auto context = size({"context_parallel_size"}, "--context_parallel_size");
    const bool decodes = arguments_.string_of({"cp_config", "cp_type"}).value == "HELIX";
    parallel.decode_context = decodes ? context : Setting<std::int64_t>::by_default(1);
    parallel.prefill_context = decodes ? Setting<std::int64_t>::by_default(1) : context;
    parallel.all_to_all = Setting<std::string>::none();
    parallel.nodes = Setting<std::int64_t>::none();
  }

  /// Experts are cut like other weights, unless one of the two sizes says otherwise: their product
  /// is the tensor parallel size.
  Setting<std::int64_t> experts() const {
    auto setting =
        arguments_.integer_of({"moe_expert_parallel_size"}, "--moe_expert_parallel_size");
    if (setting.value || !setting.known()) return setting;
    const auto cut = arguments_.integer_of({"moe_tensor_parallel_size"});
    if (!cut.known()) return cut;
    if (!cut.value) return Setting<std::int64_t>::by_default(1);
    const auto& tensor = config_.parallel.tensor.value;
    if (!tensor || *cut.value < 1) return Setting<std::int64_t>::unknown("a size is unknown");
    return Setting<std::int64_t>::by_default(*tensor / *cut.value, "moe_tensor_parallel_size");
  }

  Setting<std::int64_t> attention_ranks() const {
    const auto enabled = arguments_.boolean_of({"enable_attention_dp"});
    if (!enabled.value) {
      return enabled.known() ? Setting<std::int64_t>::by_default(1)
                             : Setting<std::int64_t>::unknown(enabled.reason);
    }
    auto setting = placed_as<std::int64_t>(enabled);
    setting.value = 1;
    if (!*enabled.value) return setting;
    setting.value = config_.parallel.tensor.value;
    if (!setting.value) {
      setting.source = Source::kUnknown;
      setting.reason = config_.parallel.tensor.reason;
    }
    return setting;
  }

  // --- Speculation ---

  void read_speculation() {
    Speculation& speculation = config_.speculation;
    const auto type = arguments_.string_of({kSpeculation, "decoding_type"});
    speculation.method = type;
    if (type.value) speculation.method.value = lower(*type.value);
    if (type.known() && !type.value) {
      speculation.tokens = Setting<std::int64_t>::by_default(0);
      speculation.draft_model = Setting<std::string>::none();
      speculation.acceptance = Setting<Acceptance>::none();
      return;
    }
    speculation.draft_model = either(arguments_.string_of({kSpeculation, "speculative_model"}),
                                     arguments_.string_of({kSpeculation, "speculative_model_dir"}));
    speculation.tokens = draft_tokens();
    speculation.acceptance = acceptance();
  }

  Setting<std::int64_t> draft_tokens() const {
    const auto total = arguments_.integer_of({kSpeculation, "max_total_draft_tokens"});
    if (total.value || !total.known()) return total;
    const auto tree = arguments_.boolean_of({kSpeculation, "use_dynamic_tree"});
    const Json* choices = arguments_.yaml({kSpeculation, "eagle_choices"});
    const bool chosen = choices != nullptr && !choices->is(Json::Kind::kNull);
    if (chosen || tree.value_or(false)) {
      return Setting<std::int64_t>::unknown("a tree of draft tokens");
    }
    auto tokens = either(arguments_.integer_of({kSpeculation, "max_draft_len"}),
                         arguments_.integer_of({kSpeculation, "num_nextn_predict_layers"}));
    if (tokens.value || !tokens.known()) return tokens;
    return Setting<std::int64_t>::unknown("the default of this decoding type");
  }

  /// The variable counts accepted draft tokens; a step gives one more.
  Setting<Acceptance> acceptance() const {
    const auto* forced =
        variable(launch_, situation_, "TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS");
    if (forced == nullptr) return Setting<Acceptance>::none();
    if (!forced->is_known()) return Setting<Acceptance>::unknown("a part of it is unknown");
    const auto accepted = parse_python_float(forced->text());
    if (!accepted || !(*accepted > 0)) return Setting<Acceptance>::none();
    Setting<Acceptance> setting;
    setting.source = Source::kExplicit;
    setting.origin = forced->origin();
    setting.span = forced->origin().span();
    // 2.78 is what 1 + 1.78 means.
    constexpr double kDigits = 1e9;
    Acceptance made_up;
    made_up.length = std::round((1 + *accepted) * kDigits) / kDigits;
    setting.value = std::move(made_up);
    return setting;
  }

  // --- Limits and cache ---

  void read_limits() {
    Limits& limits = config_.limits;
    limits.sequences = or_default(arguments_.integer_of({"max_batch_size"}, "--max_batch_size"),
                                  std::int64_t{2048});
    limits.step_tokens = or_default(arguments_.integer_of({"max_num_tokens"}, "--max_num_tokens"),
                                    std::int64_t{8192});
    limits.model_length = model_length();
    limits.chunked_prefill = or_default(
        arguments_.boolean_of({"enable_chunked_prefill"}, "--enable_chunked_prefill"), false);
    limits.async_scheduling = arguments_.boolean_of({"disable_overlap_scheduler"});
    if (limits.async_scheduling.value) {
      limits.async_scheduling.value = !*limits.async_scheduling.value;
    } else {
      limits.async_scheduling = or_default(limits.async_scheduling, true);
    }
  }

  Setting<std::int64_t> model_length() const {
    auto setting = arguments_.integer_of({"max_seq_len"}, "--max_seq_len");
    if (setting.value || !setting.known()) return setting;
    const auto own = model_ == nullptr || model_->family == nullptr
                         ? std::nullopt
                         : model_->family->number("max_position_embeddings");
    if (!own) return Setting<std::int64_t>::unknown("the length of the model is unknown");
    return Setting<std::int64_t>::by_default(*own, "the length of the model");
  }

  void read_cache() {
    CacheSettings& cache = config_.cache;
    cache.memory_fraction = or_default(
        arguments_.number_of({kCache, "free_gpu_memory_fraction"}, "--free_gpu_memory_fraction"),
        0.9, "of what is free after the weights");
    cache.bytes = arguments_.integer_of({kCache, "max_gpu_total_bytes"});
    if (cache.bytes.value == 0) cache.bytes = Setting<std::int64_t>::none();
    cache.dtype = kv_dtype();
    cache.block_size =
        or_default(arguments_.integer_of({kCache, "tokens_per_block"}), std::int64_t{32});
    cache.prefix_caching = or_default(arguments_.boolean_of({kCache, "enable_block_reuse"}), true);
    cache.offloads = offloads();
    cache.weight_offload_gib = Setting<double>::by_default(0.0);
  }

  /// "auto" follows the quantization settings of the checkpoint.
  Setting<std::string> kv_dtype() const {
    auto setting = or_default(arguments_.string_of({kCache, "dtype"}), std::string("auto"));
    if (setting.value != "auto" || model_ == nullptr) return setting;
    if (model_->kv_scheme == facts::Model::KvScheme::kFp8) {
      setting.value = "fp8";
      setting.reason = "the quantization settings of the checkpoint";
    } else if (model_->kv_scheme == facts::Model::KvScheme::kNone) {
      setting.value = "bfloat16";
      setting.reason = "the checkpoint says nothing else";
    }
    return setting;
  }

  Setting<std::vector<Offload>> offloads() const {
    using Result = Setting<std::vector<Offload>>;
    const auto host = arguments_.integer_of({kCache, "host_cache_size"});
    const auto named = arguments_.string_of({"kv_connector_config", "connector"});
    const auto module = arguments_.string_of({"kv_connector_config", "connector_module"});
    for (const auto* each : {&named, &module}) {
      if (!each->known()) return Result::unknown(each->reason);
    }
    if (!host.known()) return Result::unknown(host.reason);
    Result setting = Result::by_default({});
    std::vector<Offload> list;
    if (host.value.value_or(0) > 0) {
      setting = placed_as<std::vector<Offload>>(host);
      list.push_back({"host_cache", {}, host.value, true, {}});
    }
    for (const auto* each : {&named, &module}) {
      if (!each->value) continue;
      if (list.empty()) setting = placed_as<std::vector<Offload>>(*each);
      list.push_back({*each->value, {}, std::nullopt, false, {}});
      break;
    }
    setting.value = std::move(list);
    return setting;
  }

  // --- Graphs ---

  void read_graphs() {
    GraphSettings& graphs = config_.graphs;
    graphs.eager = arguments_.switched_off({kGraphs});
    graphs.mode = Setting<std::string>::none();
    graphs.sizes = arguments_.integers_of({kGraphs, "batch_sizes"});
    graphs.maximum = arguments_.integer_of({kGraphs, "max_batch_size"});
    if (graphs.maximum.value == 0) graphs.maximum = Setting<std::int64_t>::none();
  }

  void plan_capture() {
    const auto padding = or_default(arguments_.boolean_of({kGraphs, "enable_padding"}), false);
    config_.capture_reason = missing_for_capture(padding);
    if (!config_.capture_reason.empty()) return;
    CaptureInput input;
    input.max_batch_size = config_.limits.sequences.value_or(1);
    input.step_tokens = config_.limits.step_tokens.value_or(1);
    input.tokens_per_request = tokens_per_request();
    input.enabled = !config_.graphs.eager.value_or(false);
    input.padding = padding.value_or(false) ? Padding::kOn : Padding::kOff;
    input.given_sizes = config_.graphs.sizes.value;
    input.given_maximum = config_.graphs.maximum.value;
    auto versions = catalog_.versions().alternatives("trtllm", situation_.version);
    std::ranges::reverse(versions);  // the newest is the most likely one
    for (const auto& version : versions) {
      const TurningPoints changes("trtllm", version, catalog_.versions());
      Capture captured = capture({changes.has("graph-sizes-by-64")}, input);
      const bool there = std::ranges::find(config_.captures, captured) != config_.captures.end();
      if (!there) config_.captures.push_back(std::move(captured));
    }
    if (config_.captures.size() > 1) {
      config_.capture_reason = "the version leaves several possibilities";
    }
  }

  /// PARD drafts as many tokens once more.
  std::int64_t tokens_per_request() const {
    const std::int64_t drafted = config_.speculation.tokens.value_or(0);
    return config_.speculation.method.value == "pard" ? 2 * drafted : 1 + drafted;
  }

  /// The first setting that decides the capture and is not known.
  std::string missing_for_capture(const Setting<bool>& padding) const {
    const auto check = [](const auto& setting, std::string_view name) {
      return setting.known() ? std::string() : std::string(name) + ": " + setting.reason;
    };
    for (const std::string& missing :
         {check(config_.limits.sequences, "max_batch_size"),
          check(config_.limits.step_tokens, "max_num_tokens"),
          check(config_.speculation.method, "decoding_type"),
          check(config_.speculation.tokens, "max_draft_len"),
          check(config_.graphs.sizes, "batch_sizes"),
          check(config_.graphs.maximum, "max_batch_size of graphs"),
          check(config_.graphs.eager, "cuda_graph_config"), check(padding, "enable_padding")}) {
      if (!missing.empty()) return missing;
    }
    constexpr std::int64_t kMostTokens = std::int64_t{1} << 20;
    if (config_.limits.sequences.value_or(1) < 1) return "max_batch_size is no number above 0";
    const std::int64_t drafted = config_.speculation.tokens.value_or(0);
    if (drafted < 0 || drafted > kMostTokens) return "max_draft_len is no number of tokens";
    if (tokens_per_request() < 1) return "max_draft_len is no number of tokens";
    for (const std::string_view key : {"max_concurrency", "draft_len_schedule"}) {
      const Json* value = arguments_.yaml({kSpeculation, key});
      if (value != nullptr && !value->is(Json::Kind::kNull)) {
        return "the number of draft tokens changes with the batch";
      }
    }
    return {};
  }

  void collect_problems() {
    config_.problems = arguments_.problems();
    VocabularyCheck check(*catalog_.vocabulary("trtllm"), situation_.version, catalog_.versions(),
                          arguments_.words());
    check_conflicts(arguments_, config_, check);
    for (Problem& problem : check.take()) config_.problems.push_back(std::move(problem));
    std::ranges::stable_sort(config_.problems, [](const Problem& a, const Problem& b) {
      constexpr std::size_t kLast = std::numeric_limits<std::size_t>::max();
      return a.word.value_or(kLast) < b.word.value_or(kLast);
    });
  }

  const launch::Launch& launch_;
  const Situation& situation_;
  const facts::Catalog& catalog_;
  Arguments arguments_;
  const facts::Model* model_ = nullptr;  // null: not known
  ServerConfig config_;
};

}  // namespace

ServerConfig decode(const launch::Launch& launch, const Situation& situation,
                    const facts::Catalog& catalog) {
  return Decoder(launch, situation, catalog).run();
}

}  // namespace recipelint::serving::trtllm
