#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "analyzer/serving/vllm/decoding.h"

namespace recipelint::serving::vllm {
namespace {

std::optional<std::int64_t> json_number(const Json* value) {
  if (value == nullptr || !value->is(Json::Kind::kInteger)) return std::nullopt;
  return value->integer;
}

/// What is captured, for every possibility that version, model and GPU leave open.
class CapturePlanner {
 public:
  CapturePlanner(const Decoding& decoding, ServerConfig& config)
      : decoding_(decoding), config_(config) {}

  void run() {
    read_graphs();
    config_.capture_reason = missing_for_capture();
    if (!config_.capture_reason.empty()) return;
    const GraphInput input = graph_input();
    auto versions = decoding_.catalog.versions().alternatives("vllm", decoding_.situation.version);
    std::ranges::reverse(versions);  // the newest is the most likely one
    for (const auto& version : versions) {
      const Semantics semantics(version, decoding_.catalog.versions());
      for (const Runner runner : possible_runners(semantics, input)) {
        for (const ModeChoice& choice : possible_modes(semantics, input, runner)) {
          add_captures(semantics, runner, choice);
        }
      }
    }
    if (config_.captures.size() > 1) {
      config_.capture_reason = "version, model or GPU leave several possibilities";
    }
    const Semantics newest(versions.front(), decoding_.catalog.versions());
    name_mode(possible_modes(newest, input, possible_runners(newest, input).front()));
  }

 private:
  GraphInput graph_input() const {
    const Parallelism& parallel = config_.parallel;
    GraphInput input;
    input.family = decoding_.family();
    if (decoding_.situation.gpu != nullptr) {
      input.rocm = decoding_.situation.gpu->is_rocm();
      input.sm_90 = decoding_.situation.gpu->architecture == "sm_90";
    }
    input.speculation = decoding_.speculates;
    input.speculative_method = config_.speculation.method.value_or("");
    input.tensor_parallel = parallel.tensor.value_or(1);
    input.pipeline_parallel = parallel.pipeline.value_or(1);
    input.data_parallel = parallel.data.value_or(1);
    input.decode_context_parallel = parallel.decode_context.value_or(1);
    input.prefill_context_parallel = parallel.prefill_context.value_or(1);
    input.sequence_parallelism =
        is_true({"pass_config", "enable_sp"}, kCompilationOption) ||
        is_true({"pass_config", "enable_sequence_parallelism"}, kCompilationOption);
    input.parallel_drafting = is_true({"parallel_drafting"}, kSpeculativeOption);
    input.eager = config_.graphs.eager.value_or(false);
    read_given_mode(input);
    input.all_to_all = parallel.all_to_all.value_or("");
    input.attention_backend = decoding_.arguments.string("--attention-backend").value_or("");
    for (const Argument& argument : decoding_.arguments.all()) {
      if (!argument.negated) input.options.push_back(argument.flag->name);
    }
    input.v2_environment = decoding_.switch_variable("VLLM_USE_V2_MODEL_RUNNER");
    input.breakable_environment = decoding_.switch_variable("VLLM_USE_BREAKABLE_CUDAGRAPH");
    return input;
  }

  bool is_true(std::initializer_list<std::string_view> keys, std::string_view option) const {
    const Json* value = decoding_.arguments.json(option, keys);
    return value != nullptr && value->is(Json::Kind::kBool) && value->boolean;
  }

  void read_given_mode(GraphInput& input) const {
    if (const auto& mode = config_.graphs.mode.value) input.given_mode = parse_graph_mode(*mode);
    // What there was before modes.
    if (is_true({"full_cuda_graph"}, kCompilationOption)) input.given_mode = GraphMode::kFull;
    const Json* use = decoding_.arguments.json(kCompilationOption, {"use_cudagraph"});
    if (use != nullptr && use->is(Json::Kind::kBool) && !use->boolean) {
      input.given_mode = GraphMode::kNone;
    }
    input.compilation_mode = compilation_mode("mode");
    if (!input.compilation_mode) input.compilation_mode = compilation_mode("level");
    const auto level = decoding_.arguments.string("--optimization-level");
    if (level.value) {
      const auto digits = level.value->starts_with('O') ? level.value->substr(1) : *level.value;
      input.optimization_level = parse_python_int(digits);
    }
  }

  std::optional<std::int64_t> compilation_mode(std::string_view key) const {
    const Json* value = decoding_.arguments.json(kCompilationOption, {key});
    if (value == nullptr) return std::nullopt;
    if (value->is(Json::Kind::kInteger)) return value->integer;
    constexpr std::array<std::string_view, 4> kModes = {"NONE", "STOCK_TORCH_COMPILE",
                                                        "DYNAMO_TRACE_ONCE", "VLLM_COMPILE"};
    const auto found = std::ranges::find_if(kModes, [&](std::string_view mode) {
      return std::ranges::equal(mode, value->text, {}, {}, [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      });
    });
    if (found == kModes.end()) return std::nullopt;
    return found - kModes.begin();
  }

  /// The first setting that decides the capture and is not known.
  std::string missing_for_capture() const {
    const auto check = [](const auto& setting, std::string_view name) {
      return setting.known() ? std::string() : fmt::format("{}: {}", name, setting.reason);
    };
    for (const std::string& missing : {check(config_.limits.sequences, "max-num-seqs"),
                                       check(config_.speculation.tokens, "num_speculative_tokens"),
                                       check(config_.graphs.maximum, "max-cudagraph-capture-size"),
                                       check(config_.graphs.sizes, "cudagraph-capture-sizes"),
                                       check(config_.graphs.mode, "cudagraph_mode"),
                                       check(config_.graphs.eager, "enforce-eager"),
                                       check(config_.parallel.tensor, "tensor-parallel-size")}) {
      if (!missing.empty()) return missing;
    }
    if (step_tokens().empty()) return check(config_.limits.step_tokens, "max-num-batched-tokens");
    const auto& mode = config_.graphs.mode.value;
    if (mode && !parse_graph_mode(*mode)) return "cudagraph_mode: vLLM refuses the value";
    if (is_unknown("VLLM_USE_V2_MODEL_RUNNER")) return "VLLM_USE_V2_MODEL_RUNNER";
    if (decoding_.arguments.json(kSpeculativeOption, {"num_speculative_tokens_per_batch_size"}) !=
        nullptr) {
      return "the number of speculative tokens changes with the batch";
    }
    return {};
  }

  void add_captures(const Semantics& semantics, Runner runner, const ModeChoice& choice) {
    if (choice.refused) {
      Capture refused;
      refused.failure = Capture::Failure::kModeUnavailable;
      refused.failure_text = choice.reason;
      return add_capture(std::move(refused));
    }
    CaptureInput input = capture_input(runner, choice.mode);
    const auto rules = semantics.capture_rules();
    const auto* gpu = decoding_.situation.gpu;
    for (const std::int64_t tokens : step_tokens()) {
      input.step_tokens = tokens;
      for (const bool sm_10x : {true, false}) {
        if (gpu != nullptr && gpu->is_sm_10x() != sm_10x) continue;
        input.sm_10x = sm_10x;
        add_capture(capture(rules, input));
      }
    }
  }

  void add_capture(Capture capture) {
    const bool there = std::ranges::find(config_.captures, capture) != config_.captures.end();
    if (!there) config_.captures.push_back(std::move(capture));
  }

  /// The token budgets that are possible, the largest one first.
  std::vector<std::int64_t> step_tokens() const {
    if (const auto& known = config_.limits.step_tokens.value) return {*known};
    return {decoding_.step_token_options.rbegin(), decoding_.step_token_options.rend()};
  }

  CaptureInput capture_input(Runner runner, GraphMode mode) const {
    CaptureInput input;
    input.runner = runner;
    input.mode = mode;
    input.max_sequences = config_.limits.sequences.value_or(1);
    input.speculative_tokens = config_.speculation.tokens.value_or(0);
    input.tensor_parallel = config_.parallel.tensor.value_or(1);
    input.sequence_parallelism = graph_input().sequence_parallelism;
    input.interactivity = decoding_.arguments.string("--performance-mode").value == "interactivity";
    input.given_maximum = config_.graphs.maximum.value;
    input.given_sizes = config_.graphs.sizes.value;
    input.given_graph_sizes = decoding_.arguments.integers("--cuda-graph-sizes").value;
    return input;
  }

  /// The mode that vLLM settles on, if it was not given.
  void name_mode(const std::vector<ModeChoice>& choices) {
    Setting<std::string>& mode = config_.graphs.mode;
    if (choices.size() != 1) {
      if (!mode.value) mode = Setting<std::string>::unknown("the model decides, and is unknown");
      return;
    }
    const std::string name(to_string(choices.front().mode));
    if (!mode.value) mode = Setting<std::string>::by_default(name);
    mode.value = name;
    mode.reason = choices.front().reason;
  }

  void read_graphs() {
    GraphSettings& graphs = config_.graphs;
    graphs.eager = or_default(decoding_.arguments.boolean("--enforce-eager"), false);
    graphs.maximum =
        either(decoding_.arguments.integer("--max-cudagraph-capture-size"),
               decoding_.arguments.json_integer(kCompilationOption, "max_cudagraph_capture_size"));
    graphs.sizes = either(decoding_.arguments.integers("--cudagraph-capture-sizes"), json_sizes());
    graphs.mode = decoding_.arguments.json_string(kCompilationOption, "cudagraph_mode");
  }

  Setting<std::vector<std::int64_t>> json_sizes() const {
    using Result = Setting<std::vector<std::int64_t>>;
    const auto unknown =
        decoding_.arguments.json_string(kCompilationOption, "cudagraph_capture_sizes");
    const Json* list = decoding_.arguments.json(kCompilationOption, {"cudagraph_capture_sizes"});
    if (list == nullptr || list->is(Json::Kind::kNull)) {
      return unknown.known() ? Result::none() : Result::unknown(unknown.reason);
    }
    Result setting;
    setting.source = Source::kExplicit;
    setting.span = decoding_.arguments.words().span(list->place);
    setting.origin = decoding_.arguments.words().origin(list->place);
    setting.word = decoding_.arguments.words().argument(list->place);
    std::vector<std::int64_t> sizes;
    for (const Json& item : list->items) {
      const auto size =
          item.is(Json::Kind::kString) ? parse_python_int(item.text) : json_number(&item);
      if (!size) return Result::unknown("a size is unknown");
      sizes.push_back(*size);
    }
    if (!list->is(Json::Kind::kArray) || list->open) return Result::unknown("a size is unknown");
    setting.value = std::move(sizes);
    return setting;
  }

  bool is_unknown(std::string_view name) const {
    const auto* value = decoding_.variable(name);
    return value != nullptr && !value->is_known();
  }

  const Decoding& decoding_;
  ServerConfig& config_;
};

}  // namespace

void plan_capture(const Decoding& decoding, ServerConfig& config) {
  CapturePlanner(decoding, config).run();
}

}  // namespace recipelint::serving::vllm
