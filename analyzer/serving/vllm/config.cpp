#include "analyzer/serving/vllm/config.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <optional>
#include <utility>

#include "analyzer/serving/launch_context.h"
#include "analyzer/serving/vllm/conflicts.h"
#include "analyzer/serving/vllm/decoding.h"
#include "analyzer/serving/vocabulary_check.h"

namespace recipelint::serving::vllm {
namespace {

/// Reads a launch part by part. Later parts use earlier ones.
class Decoder {
 public:
  Decoder(const launch::Launch& launch, const Situation& situation, const facts::Catalog& catalog)
      : decoding_{launch, situation, catalog, Semantics(situation.version, catalog.versions()),
                  Arguments::parse(launch.argv, first_argument(launch), frontend_of(launch.program),
                                   launch.config_files, situation.version, catalog)} {}

  ServerConfig run() {
    config_.engine = launch::Engine::kVllm;
    config_.version = decoding_.situation.version;
    read_model();
    read_parallelism();
    config_.lora = or_default(decoding_.arguments.boolean("--enable-lora"), false);
    read_speculation();
    read_limits(decoding_, config_);
    read_cache(decoding_, config_);
    config_.environment = read_environment(*decoding_.catalog.vocabulary("vllm"), decoding_.launch,
                                           decoding_.situation);
    plan_capture(decoding_, config_);
    collect_problems();
    return std::move(config_);
  }

 private:
  // --- The model ---

  void read_model() {
    if (const auto& token = decoding_.arguments.model()) {
      Setting<std::string>& model = config_.model;
      model.span = decoding_.arguments.words().span(token->place);
      model.origin = decoding_.arguments.words().origin(token->place);
      model.word = decoding_.arguments.words().argument(token->place);
      if (has_hole(token->text)) {
        model.reason = decoding_.arguments.words().cause(token->place);
      } else {
        model.source = Source::kExplicit;
        model.value = token->text;
      }
    } else {
      config_.model = decoding_.arguments.string("--model");
    }
    decoding_.model = decoding_.situation.model;
    if (decoding_.model == nullptr && config_.model.value) {
      decoding_.model = decoding_.catalog.models().find_model(*config_.model.value);
    }
    config_.host = decoding_.arguments.string("--host");
    config_.port = or_default(decoding_.arguments.integer("--port"), std::int64_t{8000});
  }

  // --- Parallelism ---

  void read_parallelism() {
    Parallelism& parallel = config_.parallel;
    const auto size = [&](std::string_view name) {
      return or_default(decoding_.arguments.integer(name), std::int64_t{1});
    };
    parallel.tensor = size("--tensor-parallel-size");
    parallel.pipeline = size("--pipeline-parallel-size");
    parallel.data = size("--data-parallel-size");
    parallel.decode_context = size("--decode-context-parallel-size");
    parallel.prefill_context = size("--prefill-context-parallel-size");
    parallel.nodes = size("--nnodes");
    parallel.attention_data = parallel.data;
    parallel.expert = expert_parallelism();
    parallel.all_to_all = decoding_.arguments.string("--all2all-backend");
    if (decoding_.semantics.has("all2all-setting")) {
      parallel.all_to_all = or_default(parallel.all_to_all, std::string("allgather_reducescatter"));
    }
  }

  /// The experts lie on all GPUs of tensor and data parallelism together, or are cut like other
  /// weights.
  Setting<std::int64_t> expert_parallelism() const {
    const auto enabled = decoding_.arguments.boolean("--enable-expert-parallel");
    Setting<std::int64_t> setting;
    setting.source = enabled.source;
    setting.span = enabled.span;
    setting.origin = enabled.origin;
    setting.word = enabled.word;
    setting.reason = enabled.reason;
    if (!enabled.known()) return setting;
    setting.value = 1;
    if (!enabled.value_or(false)) return setting;
    const Parallelism& parallel = config_.parallel;
    setting.value =
        product({parallel.tensor.value, parallel.data.value, parallel.prefill_context.value});
    if (!setting.value) {
      setting.source = Source::kUnknown;
      setting.reason = "a size of parallelism is unknown";
    }
    return setting;
  }

  static std::optional<std::int64_t> product(
      std::initializer_list<std::optional<std::int64_t>> factors) {
    constexpr std::int64_t kMost = std::int64_t{1} << 20;
    std::int64_t result = 1;
    for (const auto& factor : factors) {
      if (!factor || *factor < 1 || *factor > kMost / result) return std::nullopt;
      result *= *factor;
    }
    return result;
  }

  // --- Speculation ---

  void read_speculation() {
    Speculation& speculation = config_.speculation;
    speculation.method = either(decoding_.arguments.json_string(kSpeculativeOption, "method"),
                                decoding_.arguments.string("--spec-method"));
    speculation.draft_model = either(decoding_.arguments.json_string(kSpeculativeOption, "model"),
                                     decoding_.arguments.string("--spec-model"));
    speculation.tokens =
        either(decoding_.arguments.json_integer(kSpeculativeOption, "num_speculative_tokens"),
               decoding_.arguments.integer("--spec-tokens"));
    const Json* json = decoding_.arguments.json(kSpeculativeOption);
    const bool off = json != nullptr && json->is(Json::Kind::kNull);
    decoding_.speculates = (decoding_.arguments.find(kSpeculativeOption) != nullptr && !off) ||
                           speculation.method.is_explicit() ||
                           speculation.draft_model.is_explicit();
    if (decoding_.speculates && !speculation.method.value && speculation.method.known()) {
      speculation.method = Setting<std::string>::unknown("the draft model decides");
    }
    if (!decoding_.speculates) {
      speculation.tokens = or_default(speculation.tokens, std::int64_t{0});
    } else if (!speculation.tokens.value && speculation.tokens.known()) {
      speculation.tokens = Setting<std::int64_t>::unknown("the draft model decides");
    }
    speculation.draft_slots = draft_slots();
    speculation.acceptance = acceptance();
  }

  /// SpeculativeConfig.max_num_new_slots_for_drafting: a draft model has one token more than the
  /// target, and drafting in parallel looks at all but one of its tokens at once.
  Setting<std::int64_t> draft_slots() const {
    using Number = Setting<std::int64_t>;
    const Speculation& speculation = config_.speculation;
    if (!decoding_.speculates) return Number::by_default(0);
    if (!speculation.method.value) return Number::unknown(speculation.method.reason);
    if (!speculation.tokens.value) return Number::unknown(speculation.tokens.reason);
    const std::string& method = *speculation.method.value;
    const auto parallel = parallel_drafting(method);
    if (!parallel) return Number::unknown("whether drafts are made in parallel is unknown");
    const bool one_more = method == "draft_model" || method == "dflash";
    const std::int64_t beside =
        *parallel ? std::max<std::int64_t>(*speculation.tokens.value, 1) - 1 : 0;
    return Number::by_default((one_more ? 1 : 0) + beside);
  }

  std::optional<bool> parallel_drafting(std::string_view method) const {
    if (method == "dflash" || method == "dspark") return true;
    const Json* given = decoding_.arguments.json(kSpeculativeOption, {"parallel_drafting"});
    if (given == nullptr || given->is(Json::Kind::kNull)) return false;
    if (!given->known() || !given->is(Json::Kind::kBool)) return std::nullopt;
    return given->boolean;
  }

  Setting<Acceptance> acceptance() const {
    const auto method =
        decoding_.arguments.json_string(kSpeculativeOption, "rejection_sample_method");
    if (!method.known()) return Setting<Acceptance>::unknown(method.reason);
    if (method.value != "synthetic") return Setting<Acceptance>::none();
    Setting<Acceptance> setting;
    setting.source = Source::kExplicit;
    const auto length =
        decoding_.arguments.json_number(kSpeculativeOption, "synthetic_acceptance_length");
    const Json* rates =
        decoding_.arguments.json(kSpeculativeOption, {"synthetic_acceptance_rates"});
    setting.span = length.span;
    setting.origin = length.origin;
    setting.word = length.word;
    Acceptance acceptance;
    acceptance.length = length.value;
    if (rates != nullptr) {
      for (const Json& rate : rates->items) acceptance.rates.push_back(rate.number);
      setting.span = decoding_.arguments.words().span(rates->place);
      setting.origin = decoding_.arguments.words().origin(rates->place);
      setting.word = decoding_.arguments.words().argument(rates->place);
    }
    const bool rates_known = rates == nullptr || (rates->known() && !rates->open);
    if (!length.known() || !rates_known) return Setting<Acceptance>::unknown(length.reason);
    setting.value = std::move(acceptance);
    return setting;
  }

  // --- Problems ---

  void collect_problems() {
    config_.problems = decoding_.arguments.problems();
    VocabularyCheck check(*decoding_.catalog.vocabulary("vllm"), decoding_.situation.version,
                          decoding_.catalog.versions(), decoding_.arguments.words());
    check_conflicts(decoding_.arguments, config_, decoding_.semantics, check);
    for (const auto& [name, value] : decoding_.launch.environment) {
      if (name.starts_with("VLLM_")) check.check_variable(name, value.origin().span());
    }
    for (Problem& problem : check.take()) config_.problems.push_back(std::move(problem));
    std::ranges::stable_sort(config_.problems, [](const Problem& a, const Problem& b) {
      constexpr std::size_t kLast = std::numeric_limits<std::size_t>::max();
      return a.word.value_or(kLast) < b.word.value_or(kLast);
    });
  }

  Decoding decoding_;
  ServerConfig config_;
};

}  // namespace

const shell::Value* Decoding::variable(std::string_view name) const {
  return serving::variable(launch, situation, name);
}

std::optional<bool> Decoding::switch_variable(std::string_view name) const {
  const auto* value = variable(name);
  if (value == nullptr || !value->is_known() || value->text().empty()) return std::nullopt;
  return parse_python_int(value->text()).value_or(0) != 0;
}

ServerConfig decode(const launch::Launch& launch, const Situation& situation,
                    const facts::Catalog& catalog) {
  return Decoder(launch, situation, catalog).run();
}

}  // namespace recipelint::serving::vllm
