#include "analyzer/serving/vllm/semantics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace recipelint::serving::vllm {
namespace {

/// Architectures that something holds for from a change on.
struct ArchitectureSet {
  std::string_view change;
  std::array<std::string_view, 3> architectures;
};

constexpr std::string_view kDeepSeekV4 = "DeepseekV4ForCausalLM";

constexpr std::array<ArchitectureSet, 6> kV2Defaults = {{
    {"v2-qwen3-dense", {"Qwen3ForCausalLM"}},
    {"v2-llama", {"LlamaForCausalLM", "MistralForCausalLM"}},
    {"v2-deepseek-v2", {"DeepseekV2ForCausalLM", "Qwen2MoeForCausalLM"}},
    {"v2-granite-moe", {"GraniteMoeForCausalLM"}},
    {"v2-kimi-k3",
     {"KimiK3ForConditionalGeneration", "InklingForCausalLM", "LongcatFlashForCausalLM"}},
    {"v2-deepseek-v4", {kDeepSeekV4}},
}};

constexpr std::array<ArchitectureSet, 4> kBreakable = {{
    {"breakable-deepseek-v4", {kDeepSeekV4}},
    {"breakable-minimax-m3", {"MiniMaxM3SparseForConditionalGeneration", "MiniMaxM3ForCausalLM"}},
    {"breakable-kimi-k3", {"KimiK3ForConditionalGeneration", "InklingForCausalLM"}},
    {"breakable-dsa", {"DeepseekV32ForCausalLM", "GlmMoeDsaForCausalLM"}},
}};

/// On ROCm, these stay on the V1 runner when all others have left it.
constexpr std::array<std::string_view, 3> kV1OnRocm = {"DeepseekV32ForCausalLM", kDeepSeekV4,
                                                       "GlmMoeDsaForCausalLM"};

/// An option that the V2 runner cannot do, up to a change; always, if there is no change.
struct V2Gap {
  std::string_view option;
  std::string_view until;
};

constexpr std::array<V2Gap, 5> kV2OptionGaps = {{
    {"--enable-prompt-embeds", "v2-prompt-embeds"},
    {"--enable-dbo", "v2-dbo"},
    {"--kv-sharing-fast-prefill", "v2-fast-prefill"},
    {"--logits-processors", "v2-logits-processors"},
    {"--enable-elastic-ep", ""},
}};

constexpr std::array<std::string_view, 6> kV2Methods = {
    "eagle", "eagle3", "mtp", "dflash", "dspark", "extract_hidden_states"};

template <typename List>
bool contains(const List& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

bool has_architecture(const facts::ModelFamily& family, std::span<const std::string_view> any) {
  return std::ranges::any_of(family.architectures,
                             [&](std::string_view name) { return contains(any, name); });
}

bool is_mtp(std::string_view method) {
  return method == "mtp" || method.ends_with("_mtp");
}

bool method_lacks_v2(const Semantics& semantics, const GraphInput& input) {
  const std::string_view method = input.speculative_method;
  if (method.empty() || is_mtp(method)) return false;
  if (method == "draft_model") return !semantics.has("v2-draft-model");
  if (!contains(kV2Methods, method)) return true;
  const bool own_drafting = method == "dflash" || method == "dspark";
  if (input.parallel_drafting && !own_drafting) return true;
  return method == "eagle3" && input.pipeline_parallel > 1 &&
         !semantics.has("v2-pipeline-speculation");
}

/// Something is configured that the V2 runner cannot do.
bool lacks_v2(const Semantics& semantics, const GraphInput& input) {
  constexpr std::int64_t kStockCompilation = 1;
  if (method_lacks_v2(semantics, input)) return true;
  if (input.sequence_parallelism && input.tensor_parallel > 1) return true;
  if (input.compilation_mode == kStockCompilation) return true;
  return std::ranges::any_of(kV2OptionGaps, [&](const V2Gap& gap) {
    const bool closed = !gap.until.empty() && semantics.has(gap.until);
    return !closed && contains(input.options, gap.option);
  });
}

/// Is V2 the default for this architecture? Nullopt if it or the platform is not known.
std::optional<bool> v2_by_default(const Semantics& semantics, const GraphInput& input) {
  if (!semantics.has("v2-environment")) return false;
  if (semantics.has("v2-all-models")) {
    if (input.rocm == false) return true;
    if (input.family == nullptr) return std::nullopt;
    if (!has_architecture(*input.family, kV1OnRocm)) return true;
    return input.rocm.has_value() ? std::optional(false) : std::nullopt;
  }
  if (input.family == nullptr) return std::nullopt;
  const bool hybrid = input.family->attention.find("gdn") != std::string_view::npos ||
                      input.family->attention.find("kda") != std::string_view::npos;
  if (!input.family->mixture_of_experts && !hybrid && semantics.has("v2-all-dense")) return true;
  for (const auto& [change, architectures] : kV2Defaults) {
    if (!semantics.has(change) || !has_architecture(*input.family, architectures)) continue;
    if (change != "v2-deepseek-v4") return true;
    return input.rocm ? std::optional(!*input.rocm) : std::nullopt;
  }
  return false;
}

/// Are graphs broken up at attention, so that piecewise graphs need no compilation? Nullopt if
/// model or platform is not known.
std::optional<bool> breakable(const Semantics& semantics, const GraphInput& input) {
  if (!semantics.has("breakable-graphs")) return false;
  if (input.breakable_environment) return input.breakable_environment;
  if (input.family == nullptr) {
    if (input.rocm == true && semantics.has("breakable-not-on-rocm")) return false;
    return std::nullopt;
  }
  const bool listed = std::ranges::any_of(kBreakable, [&](const ArchitectureSet& set) {
    return semantics.has(set.change) && has_architecture(*input.family, set.architectures);
  });
  if (!listed || !semantics.has("breakable-not-on-rocm")) return listed;
  return input.rocm ? std::optional(!*input.rocm) : std::nullopt;
}

GraphMode default_mode(const Semantics& semantics, const GraphInput& input) {
  if (semantics.has("optimization-levels") && input.optimization_level) {
    if (*input.optimization_level == 0) return GraphMode::kNone;
    if (*input.optimization_level == 1) return GraphMode::kPiecewise;
  }
  return semantics.has("graph-default-full-and-piecewise") ? GraphMode::kFullAndPiecewise
                                                           : GraphMode::kPiecewise;
}

bool compiles(const Semantics& semantics, const GraphInput& input) {
  if (input.compilation_mode) return *input.compilation_mode != 0;
  return !(semantics.has("optimization-levels") && input.optimization_level == 0);
}

/// What is left of a mode without piecewise graphs.
GraphMode without_piecewise(GraphMode mode) {
  return mode == GraphMode::kFullAndPiecewise ? GraphMode::kFullDecodeOnly : GraphMode::kNone;
}

/// Attention that cannot run several tokens of a sequence in one full graph.
bool is_single_token_attention(const GraphInput& input) {
  if (input.attention_backend == "FLASHINFER") return input.sm_90 == true;
  return input.attention_backend == "CUTLASS_MLA" || input.attention_backend == "TRITON_MLA";
}

/// One step after the other, each of which can change the mode.
class ModeChooser {
 public:
  ModeChooser(const Semantics& semantics, const GraphInput& input, Runner runner,
              bool breakable_graphs)
      : semantics_(semantics), input_(input), runner_(runner), breakable_(breakable_graphs) {}

  ModeChoice run() {
    choice_.mode = input_.given_mode.value_or(default_mode(semantics_, input_));
    if (input_.eager) {
      change(GraphMode::kNone, "--enforce-eager");
    } else {
      without_compilation();
      on_platform();
      with_attention();
    }
    return std::move(choice_);
  }

 private:
  void change(GraphMode mode, std::string reason) {
    if (mode == choice_.mode) return;
    choice_.mode = mode;
    choice_.reason = std::move(reason);
  }

  void refuse(std::string reason) {
    choice_.refused = true;
    choice_.reason = std::move(reason);
  }

  bool is_deepseek_v4() const {
    constexpr std::array<std::string_view, 1> kNames = {kDeepSeekV4};
    return input_.family != nullptr && has_architecture(*input_.family, kNames);
  }

  void without_compilation() {
    if (!has_piecewise(choice_.mode)) return;
    const bool refused_window = semantics_.has("deepseek-v4-v1-piecewise-refused") &&
                                !semantics_.has("deepseek-v4-v1-piecewise-allowed");
    if (is_deepseek_v4() && runner_ == Runner::kV1 && refused_window) {
      return refuse("DeepSeek-V4 on the V1 runner takes no piecewise graphs");
    }
    if (breakable_) return;
    if (is_deepseek_v4() && semantics_.has("breakable-deepseek-v4")) return never_compiled();
    if (compiles(semantics_, input_)) return;
    if (!semantics_.has("graph-none-without-compilation")) {
      return refuse("piecewise graphs need compilation, which is off");
    }
    change(GraphMode::kNone, "piecewise graphs need compilation, which is off");
  }

  /// The model is not compiled, and its graphs are not broken up either.
  void never_compiled() {
    const std::string reason = "the model is not compiled, and breakable graphs are off";
    if (input_.given_mode && semantics_.has("graph-piecewise-needs-compilation")) {
      return refuse(reason);
    }
    change(without_piecewise(choice_.mode), reason);
  }

  void on_platform() {
    const bool context = input_.decode_context_parallel > 1 || input_.prefill_context_parallel > 1;
    if (context && input_.rocm == true && has_full_decode(choice_.mode)) {
      change(GraphMode::kPiecewise, "context parallelism on ROCm has no full graphs");
    }
    if (input_.all_to_all == "deepep_high_throughput" && input_.data_parallel > 1) {
      change(GraphMode::kNone, "deepep_high_throughput with data parallelism has no graphs");
    }
  }

  void with_attention() {
    if (!input_.speculation || !has_full_decode(choice_.mode)) return;
    if (!is_single_token_attention(input_)) return;
    const bool split = breakable_ || compiles(semantics_, input_);
    change(split ? GraphMode::kPiecewise : GraphMode::kNone,
           fmt::format("{} has no full graphs for several tokens a sequence",
                       input_.attention_backend));
  }

  const Semantics& semantics_;
  const GraphInput& input_;
  Runner runner_;
  bool breakable_;
  ModeChoice choice_;
};

}  // namespace

std::vector<Runner> possible_runners(const Semantics& semantics, const GraphInput& input) {
  if (input.v2_environment) return {*input.v2_environment ? Runner::kV2 : Runner::kV1};
  const bool needs_v2 = input.prefill_context_parallel > 1 || input.speculative_method == "dspark";
  if (needs_v2 && semantics.has("v2-environment")) return {Runner::kV2};
  if (lacks_v2(semantics, input)) return {Runner::kV1};
  const auto v2 = v2_by_default(semantics, input);
  // A method that nobody names may be one that the V2 runner lacks.
  const bool unnamed = input.speculation && input.speculative_method.empty();
  if (!v2 || (*v2 && unnamed)) return {Runner::kV2, Runner::kV1};
  return {*v2 ? Runner::kV2 : Runner::kV1};
}

std::vector<ModeChoice> possible_modes(const Semantics& semantics, const GraphInput& input,
                                       Runner runner) {
  const auto known = breakable(semantics, input);
  std::vector<ModeChoice> choices;
  for (const bool each : {true, false}) {
    if (known && *known != each) continue;
    auto choice = ModeChooser(semantics, input, runner, each).run();
    if (std::ranges::find(choices, choice) == choices.end()) choices.push_back(std::move(choice));
  }
  return choices;
}

}  // namespace recipelint::serving::vllm
