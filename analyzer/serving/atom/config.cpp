#include "analyzer/serving/atom/config.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string_view>
#include <utility>

#include "analyzer/serving/atom/arguments.h"
#include "analyzer/serving/atom/capture.h"
#include "analyzer/serving/atom/conflicts.h"
#include "analyzer/serving/launch_context.h"
#include "analyzer/serving/setting_place.h"
#include "analyzer/serving/turning_points.h"
#include "analyzer/serving/vocabulary_check.h"

namespace recipelint::serving::atom {
namespace {

/// How many GPUs these sizes make together; nullopt if one is unknown or out of reason.
std::optional<std::int64_t> product_of_sizes(
    std::initializer_list<std::optional<std::int64_t>> sizes) {
  constexpr std::int64_t kMost = std::int64_t{1} << 20;
  std::int64_t result = 1;
  for (const auto& size : sizes) {
    if (!size || *size < 1 || *size > kMost / result) return std::nullopt;
    result *= *size;
  }
  return result;
}

class Decoder {
 public:
  Decoder(const launch::Launch& launch, const Situation& situation, const facts::Catalog& catalog)
      : launch_(launch),
        situation_(situation),
        catalog_(catalog),
        changes_("atom", situation.version, catalog.versions()),
        arguments_(Arguments::parse(launch.argv, first_argument(launch), frontend(),
                                    situation.version, catalog)) {}

  ServerConfig run() {
    config_.engine = launch::Engine::kAtom;
    config_.version = situation_.version;
    read_model();
    read_parallelism();
    read_speculation();
    read_limits();
    read_cache();
    read_graphs();
    config_.environment = read_environment(*catalog_.vocabulary("atom"), launch_, situation_);
    plan_capture();
    collect_problems();
    return std::move(config_);
  }

 private:
  const shell::Value* variable(std::string_view name) const {
    return serving::variable(launch_, situation_, name);
  }

  /// The server of ATOMesh takes further options; a variable starts it under the usual name.
  Frontend frontend() const {
    const auto* mesh = variable("USE_ATOMESH_ENTRYPOINTS");
    const bool may_be_mesh = mesh != nullptr && !(mesh->is_known() && mesh->text() == "0");
    const bool usual = launch_.program.ends_with("atom.entrypoints.openai_server") ||
                       launch_.program.ends_with("atom.entrypoints.openai.api_server");
    return usual && !may_be_mesh ? Frontend::kServer : Frontend::kForeign;
  }

  const facts::ModelFamily* family() const { return model_ == nullptr ? nullptr : model_->family; }
  bool is_deepseek_v4() const { return family() != nullptr && family()->attention == "dsv4"; }

  Setting<std::int64_t> integer(std::string_view name, std::int64_t by_default) const {
    return or_default(arguments_.integer(name), by_default);
  }

  // --- Model, parallelism, speculation ---

  void read_model() {
    config_.model = or_default(arguments_.string("--model"), std::string("Qwen/Qwen3-0.6B"));
    model_ = situation_.model;
    if (model_ == nullptr && config_.model.value) {
      model_ = catalog_.models().find_model(*config_.model.value);
    }
    config_.host = or_default(arguments_.string("--host"), std::string("0.0.0.0"));
    config_.port = integer("--server-port", 8000);
  }

  void read_parallelism() {
    Parallelism& parallel = config_.parallel;
    parallel.tensor = integer("--tensor-parallel-size", 1);
    parallel.pipeline = integer("--pipeline-parallel-size", 1);
    parallel.data = integer("--data-parallel-size", 1);
    parallel.decode_context = integer("--decode-context-parallel-size", 1);
    parallel.prefill_context = integer("--prefill-context-parallel-size", 1);
    parallel.nodes = Setting<std::int64_t>::by_default(1);
    const auto all = product_of_sizes({parallel.tensor.value, parallel.data.value});
    parallel.attention_data = parallel.data;
    const auto attention = arguments_.boolean("--enable-dp-attention");
    if (!attention.known()) {
      parallel.attention_data = placed_as<std::int64_t>(attention);
    } else if (attention.value_or(false)) {
      parallel.attention_data = spread(attention, all);
    }
    const auto experts = arguments_.boolean("--enable-expert-parallel");
    const auto with_context = product_of_sizes({all, parallel.prefill_context.value});
    parallel.expert = experts.value_or(false) || !experts.known()
                          ? spread(experts, with_context)
                          : Setting<std::int64_t>::by_default(1);
    parallel.all_to_all = arguments_.optional_string("--all2all-backend", "high-throughput");
  }

  /// What a switch spreads over so many GPUs.
  static Setting<std::int64_t> spread(const Setting<bool>& given,
                                      std::optional<std::int64_t> gpus) {
    auto setting = placed_as<std::int64_t>(given);
    if (!given.known()) return setting;
    setting.value = gpus;
    if (!gpus) {
      setting.source = Source::kUnknown;
      setting.reason = "a size of parallelism is unknown";
    }
    return setting;
  }

  void read_speculation() {
    Speculation& speculation = config_.speculation;
    speculation.method = arguments_.string("--method");
    speculation.draft_model = arguments_.string("--draft-model");
    speculation.tokens = integer("--num-speculative-tokens", 1);
    const bool off = speculation.method.known() && !speculation.method.value;
    if (off || speculation.tokens.value_or(1) < 1) {
      speculation.method = Setting<std::string>::none();
      speculation.tokens = Setting<std::int64_t>::by_default(0);
      speculation.draft_model = Setting<std::string>::none();
      speculation.acceptance = Setting<Acceptance>::none();
      return;
    }
    if (!speculation.method.known()) {
      speculation.tokens = Setting<std::int64_t>::unknown(speculation.method.reason);
    }
    speculation.acceptance = acceptance();
  }

  /// A rate r over N tokens is a length of 1 + r * N.
  Setting<Acceptance> acceptance() const {
    const auto length = arguments_.number("--spec-decode-acceptance-length");
    const auto rate = arguments_.number("--spec-decode-acceptance-rate");
    const auto& given = length.value || !length.known() ? length : rate;
    auto setting = placed_as<Acceptance>(given);
    if (!given.value) return setting;
    Acceptance acceptance;
    acceptance.length = length.value;
    if (!length.value) {
      const auto& tokens = config_.speculation.tokens;
      if (!tokens.value) return Setting<Acceptance>::unknown(tokens.reason);
      acceptance.length = 1 + *rate.value * static_cast<double>(*tokens.value);
    }
    setting.value = std::move(acceptance);
    return setting;
  }

  // --- Limits and cache ---

  std::optional<std::int64_t> model_length() const {
    return family() == nullptr ? std::nullopt : family()->number("max_position_embeddings");
  }

  void read_limits() {
    Limits& limits = config_.limits;
    limits.sequences = integer("--max-num-seqs", 512);
    limits.step_tokens = integer("--max-num-batched-tokens", 16384);
    limits.chunked_prefill = chunked_prefill();
    limits.async_scheduling = Setting<bool>::none();
    limits.model_length = arguments_.integer("--max-model-len");
    const auto own = model_length();
    if (limits.model_length.value && own && *own < *limits.model_length.value) {
      limits.model_length.value = own;
      limits.model_length.reason = "cut to the length of the model";
    } else if (!limits.model_length.value && limits.model_length.known()) {
      limits.model_length =
          own ? Setting<std::int64_t>::by_default(*own, "the length of the model")
              : Setting<std::int64_t>::unknown("the length of the model is unknown");
    }
  }

  Setting<bool> chunked_prefill() const {
    auto setting = arguments_.boolean("--enable_chunked_prefill");
    if (is_deepseek_v4() && changes_.has("chunked-prefill") &&
        !changes_.has("chunked-prefill-deepseek-v4")) {
      return Setting<bool>::by_default(false, "this version has none for DeepSeek-V4");
    }
    if (setting.value || !setting.known()) return setting;
    const auto there = changes_.decided("chunked-prefill");
    if (!there) return Setting<bool>::unknown("the version leaves it open");
    return Setting<bool>::by_default(*there, *there ? "" : "this version has none");
  }

  void read_cache() {
    CacheSettings& cache = config_.cache;
    cache.memory_fraction = or_default(arguments_.number("--gpu-memory-utilization"), 0.9);
    cache.bytes = Setting<std::int64_t>::none();
    cache.dtype = or_default(arguments_.string("--kv_cache_dtype"), std::string("bf16"));
    cache.block_size = block_size();
    cache.prefix_caching = prefix_caching();
    cache.offloads = offloads();
    cache.weight_offload_gib = Setting<double>::by_default(0.0);
  }

  Setting<std::int64_t> block_size() const {
    auto setting = integer("--block-size", 16);
    if (!is_deepseek_v4()) return setting;
    const auto forced = changes_.decided("block-size-256-deepseek-v4");
    if (!forced) return Setting<std::int64_t>::unknown("128 or 256, the version leaves it open");
    setting.source = Source::kDefault;
    setting.value = *forced ? 256 : 128;
    setting.reason = "DeepSeek-V4 has this size alone";
    return setting;
  }

  Setting<bool> prefix_caching() const {
    const auto setting = arguments_.boolean("--enable_prefix_caching");
    if (is_deepseek_v4() && !changes_.has("prefix-caching-deepseek-v4")) {
      return Setting<bool>::by_default(false, "this version has none for DeepSeek-V4");
    }
    if (setting.value || !setting.known()) return setting;
    const auto on = changes_.decided("prefix-caching-default");
    if (!on) return Setting<bool>::unknown("the version leaves it open");
    return Setting<bool>::by_default(*on);
  }

  Setting<std::vector<Offload>> offloads() const {
    using Result = Setting<std::vector<Offload>>;
    const auto text = arguments_.string("--kv-transfer-config");
    if (!text.known()) return Result::unknown(text.reason);
    if (!text.value) return Result::by_default({});
    const Argument* argument = arguments_.find("--kv-transfer-config");
    const auto json =
        parse_json(arguments_.words(), argument->values.back().place, HumanNumbers::kRefused);
    // It can be a Python literal as well.
    if (!json.value || !json.value->is(Json::Kind::kObject)) {
      return Result::unknown("the connector is unknown");
    }
    auto setting = placed_as<std::vector<Offload>>(text);
    const Json* connector = json.value->find("kv_connector");
    setting.value = std::vector<Offload>();
    if (connector == nullptr) return setting;
    if (!connector->is(Json::Kind::kString)) return Result::unknown("the connector is unknown");
    Offload offload{connector->text, {}, std::nullopt, false, {}};
    const Json* role = json.value->find("kv_role");
    if (role != nullptr && role->is(Json::Kind::kString)) offload.role = role->text;
    setting.value->push_back(std::move(offload));
    return setting;
  }

  // --- Graphs ---

  void read_graphs() {
    GraphSettings& graphs = config_.graphs;
    graphs.eager = or_default(arguments_.boolean("--enforce-eager"), false);
    graphs.mode = or_default(arguments_.string("--cudagraph-mode"), std::string("FULL"));
    graphs.sizes = arguments_.list_of_integers("--cudagraph-capture-sizes");
    graphs.maximum = Setting<std::int64_t>::none();
  }

  void plan_capture() {
    config_.capture_reason = missing_for_capture();
    if (!config_.capture_reason.empty()) return;
    const CaptureInput input = capture_input();
    auto versions = catalog_.versions().alternatives("atom", situation_.version);
    std::ranges::reverse(versions);  // the newest is the most likely one
    for (const auto& version : versions) {
      const TurningPoints changes("atom", version, catalog_.versions());
      Capture captured = capture(capture_rules(changes), input);
      const bool there = std::ranges::find(config_.captures, captured) != config_.captures.end();
      if (!there) config_.captures.push_back(std::move(captured));
    }
    if (config_.captures.size() > 1) {
      config_.capture_reason = "the version leaves several possibilities";
    }
  }

  /// The first setting that decides the capture and is not known.
  std::string missing_for_capture() const {
    const auto check = [](const auto& setting, std::string_view name) {
      return setting.known() ? std::string() : std::string(name) + ": " + setting.reason;
    };
    for (const std::string& missing : {check(config_.limits.sequences, "max-num-seqs"),
                                       check(config_.limits.step_tokens, "max-num-batched-tokens"),
                                       check(config_.speculation.tokens, "num-speculative-tokens"),
                                       check(config_.graphs.sizes, "cudagraph-capture-sizes"),
                                       check(config_.graphs.mode, "cudagraph-mode"),
                                       check(config_.graphs.eager, "enforce-eager")}) {
      if (!missing.empty()) return missing;
    }
    if (config_.limits.sequences.value_or(1) < 1) return "max-num-seqs: ATOM refuses the value";
    constexpr std::int64_t kMostTokens = 1 << 20;
    if (config_.speculation.tokens.value_or(0) > kMostTokens) {
      return "num-speculative-tokens: no model drafts so many";
    }
    const bool piecewise = is_piecewise(config_.graphs.mode.value_or(""));
    const auto level = integer("--level", 3);
    if (piecewise && level.value != 3) return "level: graphs of pieces need level 3";
    return {};
  }

  CaptureInput capture_input() const {
    CaptureInput input;
    input.max_sequences = config_.limits.sequences.value_or(1);
    input.step_tokens = config_.limits.step_tokens.value_or(1);
    input.speculative_tokens = config_.speculation.tokens.value_or(0);
    input.eager = config_.graphs.eager.value_or(false);
    input.piecewise = is_piecewise(config_.graphs.mode.value_or(""));
    input.given_sizes = config_.graphs.sizes.value;
    const bool together = config_.parallel.attention_data.value.value_or(1) > 1;
    if (together && input.speculative_tokens > 0) input.most_piece_tokens = piece_tokens();
    return input;
  }

  std::optional<std::int64_t> piece_tokens() const {
    constexpr std::int64_t kByDefault = 512;
    const auto* given = variable("ATOM_PIECEWISE_DP_MAX_TOKENS");
    if (given == nullptr || !given->is_known()) return kByDefault;
    return parse_python_int(given->text()).value_or(kByDefault);
  }

  // --- Problems ---

  void collect_problems() {
    config_.problems = arguments_.problems();
    VocabularyCheck check(*catalog_.vocabulary("atom"), situation_.version, catalog_.versions(),
                          arguments_.words());
    check_conflicts({arguments_, config_, changes_, model_length()}, check);
    // A build by hand can read more.
    if (situation_.version.known() && !situation_.version.custom()) {
      for (const auto& [name, value] : launch_.environment) {
        if (name.starts_with("ATOM_")) check.check_variable(name, value.origin().span());
      }
    }
    for (Problem& problem : check.take()) config_.problems.push_back(std::move(problem));
    std::ranges::stable_sort(config_.problems, [](const Problem& a, const Problem& b) {
      constexpr std::size_t kLast = std::numeric_limits<std::size_t>::max();
      return a.word.value_or(kLast) < b.word.value_or(kLast);
    });
  }

  const launch::Launch& launch_;
  const Situation& situation_;
  const facts::Catalog& catalog_;
  TurningPoints changes_;
  Arguments arguments_;
  const facts::Model* model_ = nullptr;  // null: not known
  ServerConfig config_;
};

}  // namespace

ServerConfig decode(const launch::Launch& launch, const Situation& situation,
                    const facts::Catalog& catalog) {
  return Decoder(launch, situation, catalog).run();
}

}  // namespace recipelint::serving::atom
