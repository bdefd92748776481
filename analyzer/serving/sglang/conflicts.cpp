#include "analyzer/serving/sglang/conflicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace recipelint::serving::sglang {
namespace {

constexpr std::array<std::string_view, 3> kWithoutDpAttention = {"STANDALONE", "NGRAM", "DFLASH"};
constexpr std::array<std::string_view, 5> kSpeculativeOptions = {
    "--speculative-num-steps", "--speculative-eagle-topk", "--speculative-num-draft-tokens",
    "--speculative-draft-model-path", "--speculative-attention-mode"};
constexpr std::array<std::string_view, 3> kTrio = {
    "--speculative-num-steps", "--speculative-eagle-topk", "--speculative-num-draft-tokens"};

/// One function a combination, each with the source it was read from (server_args.py, if nothing
/// else is said).
class ConflictChecker {
 public:
  ConflictChecker(const Decoding& decoding, const ServerConfig& config, VocabularyCheck& check)
      : decoding_(decoding), arguments_(decoding.arguments), config_(config), check_(check) {}

  void run() {
    // What is not seen can change everything.
    if (!arguments_.open().empty()) return;
    check_dp_attention();
    check_expert_size();
    check_expert_runner();
    check_flashinfer_all_to_all();
    check_dense_size();
    check_chunk();
    check_unused_speculation();
    check_trio();
    check_method();
    check_padding();
    check_kv_dtype();
  }

 private:
  const Words& words() const { return arguments_.words(); }

  void refuse(const Argument& argument, std::string message,
              std::vector<RelatedPlace> related = {}) {
    check_.report_conflict(Severity::kError, std::string(argument.flag->name), std::move(message),
                           argument.name, std::move(related));
  }

  void warn(const Argument& argument, std::string message, std::vector<RelatedPlace> related = {}) {
    check_.report_conflict(Severity::kWarning, std::string(argument.flag->name), std::move(message),
                           argument.name, std::move(related));
  }

  RelatedPlace place_of(const Argument& argument, std::string label) const {
    return {words().span(argument.name), std::move(label)};
  }

  bool has_dp_attention() const { return config_.parallel.attention_data.value_or(1) > 1; }

  // --- Parallelism ---

  /// overrides.py 2401-2404.
  void check_dp_attention() {
    const Argument* attention = arguments_.find("--enable-dp-attention");
    const Argument* head = arguments_.find("--enable-dp-lm-head");
    const auto& data = config_.parallel.data;
    if (attention != nullptr && data.value == 1) {
      warn(*attention,
           "'--enable-dp-attention' has no effect: the size of data parallelism is 1, which "
           "switches it off.");
    }
    if (head != nullptr && attention == nullptr && data.value_or(1) > 1) {
      refuse(*head, "'--enable-dp-lm-head' needs '--enable-dp-attention'.");
    }
  }

  /// overrides.py 2566-2604.
  void check_expert_size() {
    const Argument* given = arguments_.find("--ep-size");
    const Argument* backend = arguments_.find("--moe-a2a-backend");
    const auto size = arguments_.integer("--ep-size").value;
    const auto& expert = config_.parallel.expert.value;
    if (given == nullptr || backend == nullptr || !size || !expert || *size == *expert) return;
    warn(*given,
         fmt::format("The experts are spread over {} ranks, not {}: the all-to-all '{}' takes all "
                     "tensor ranks.",
                     *expert, *size, config_.parallel.all_to_all.value_or("")),
         {place_of(*backend, "the all-to-all is chosen here")});
  }

  void check_expert_runner() {
    const Argument* runner = arguments_.find("--moe-runner-backend");
    const auto name = arguments_.string("--moe-runner-backend").value_or("");
    const auto& expert = config_.parallel.expert.value;
    const auto& tensor = config_.parallel.tensor.value;
    if (runner == nullptr || !expert || !tensor) return;
    const bool whole = name == "flashinfer_cutlass" || name == "flashinfer_cutedsl";
    if (whole && *expert != 1 && *expert != *tensor) {
      refuse(*runner, fmt::format("'{}' needs expert parallelism of 1 or {}, the size of tensor "
                                  "parallelism; it is {}.",
                                  name, *tensor, *expert));
    }
    if (name == "triton_kernel" && *expert != 1) {
      refuse(*runner,
             fmt::format("'triton_kernel' needs expert parallelism of 1; it is {}.", *expert));
    }
  }

  /// server_args.py 7010.
  void check_flashinfer_all_to_all() {
    const Argument* backend = arguments_.find("--moe-a2a-backend");
    const auto& ranks = config_.parallel.attention_data.value;
    const auto& tensor = config_.parallel.tensor.value;
    if (backend == nullptr || config_.parallel.all_to_all.value != "flashinfer") return;
    if (!ranks || !tensor || *ranks == *tensor) return;
    refuse(
        *backend,
        fmt::format("The all-to-all 'flashinfer' needs DP attention with as many ranks as tensor "
                    "parallelism; there are {} of {}.",
                    *ranks, *tensor));
  }

  void check_dense_size() {
    const Argument* dense = arguments_.find("--moe-dense-tp-size");
    const auto size = arguments_.integer("--moe-dense-tp-size").value;
    const auto& tensor = config_.parallel.tensor.value;
    if (dense == nullptr || !size || !tensor || *size == 1 || *size == *tensor) return;
    refuse(*dense, fmt::format("'--moe-dense-tp-size' is 1 or the size of tensor parallelism, {}; "
                               "it is {}.",
                               *tensor, *size));
  }

  /// server_args.py 9303; a decode server has no chunks.
  void check_chunk() {
    const Argument* page = arguments_.find("--page-size");
    const auto size = arguments_.integer("--page-size").value;
    const auto& tokens = config_.limits.step_tokens.value;
    const bool chunked = config_.limits.chunked_prefill.value_or(false);
    if (page == nullptr || !size || *size < 1 || !tokens || !chunked) return;
    if (decoding_.phase == Phase::kDecode || *tokens % *size == 0) return;
    refuse(*page, fmt::format("A prefill chunk of one rank has {} tokens, which is no multiple of "
                              "the page size {}.",
                              *tokens, *size));
  }

  // --- Speculation ---

  void check_unused_speculation() {
    if (decoding_.speculates) return;
    for (const auto option : kSpeculativeOptions) {
      const Argument* argument = arguments_.find(option);
      if (argument == nullptr) continue;
      warn(*argument, fmt::format("'{}' has no effect without '--speculative-algorithm'.", option));
    }
  }

  bool drafts_in_steps() const {
    const auto& method = config_.speculation.method.value;
    return method == "EAGLE" || method == "EAGLE3" || method == "NEXTN" || method == "STANDALONE";
  }

  /// Steps, branches and tokens go together (server_args.py 675-684, 813-843).
  void check_trio() {
    if (!drafts_in_steps()) return;
    const Argument* steps = arguments_.find(kTrio[0]);
    for (std::size_t i = 1; i < kTrio.size(); ++i) {
      const Argument* other = arguments_.find(kTrio[i]);
      if (steps == nullptr && other != nullptr) {
        return refuse(*other, fmt::format("'{}' needs '{}'.", kTrio[i], kTrio[0]));
      }
    }
    if (steps == nullptr) return;
    if (arguments_.find(kTrio[1]) == nullptr) {
      return refuse(*steps, fmt::format("'{}' needs '{}'.", kTrio[0], kTrio[1]));
    }
    check_draft_tokens();
  }

  void check_draft_tokens() {
    const Argument* draft = arguments_.find(kTrio[2]);
    const auto steps = arguments_.integer(kTrio[0]).value;
    const auto topk = arguments_.integer(kTrio[1]).value;
    const auto tokens = arguments_.integer(kTrio[2]).value;
    if (draft == nullptr || topk != 1 || !steps || !tokens || *steps < 0) return;
    if (*tokens > 0 && *tokens - 1 == *steps) return;
    warn(*draft,
         fmt::format("With one branch, {} steps decide how many tokens a step verifies: one more, "
                     "and not {}.",
                     *steps, *tokens));
  }

  void check_method() {
    const Argument* argument = arguments_.find("--speculative-algorithm");
    const auto& method = config_.speculation.method.value;
    if (argument == nullptr || !method) return;
    const bool alone = std::ranges::find(kWithoutDpAttention, *method) != kWithoutDpAttention.end();
    if (alone && has_dp_attention()) {
      refuse(*argument, fmt::format("'{}' does not work with DP attention.", *method));
    }
    if (config_.parallel.pipeline.value_or(1) > 1) {
      refuse(*argument, "Speculation does not work with pipeline parallelism.");
    }
    const Argument* radix = arguments_.find("--disaggregation-decode-enable-radix-cache");
    if (radix != nullptr) {
      refuse(*radix, "The radix cache of a decode server does not work with speculation.",
             {place_of(*argument, "speculation is chosen here")});
    }
  }

  // --- Others ---

  void check_padding() {
    const Argument* padding = arguments_.find("--disable-cuda-graph-padding");
    const Argument* compile = arguments_.find("--enable-torch-compile");
    if (padding == nullptr || compile == nullptr) return;
    refuse(*padding, "'--disable-cuda-graph-padding' does not work with '--enable-torch-compile'.",
           {place_of(*compile, "compilation is switched on here")});
  }

  /// mem_cache/kv_cache_dtype.py, arg_groups/overrides.py.
  void check_kv_dtype() {
    const Argument* argument = arguments_.find("--kv-cache-dtype");
    const auto given = arguments_.string("--kv-cache-dtype").value;
    if (argument == nullptr || !given) return;
    if (*given == "fp4_e2m1" && decoding_.semantics.has("vocabulary-seen")) {
      refuse(*argument,
             "The KV cache has no type 'fp4_e2m1' any more; it is called "
             "'fp4_mx_block16'.");
    }
    const bool fits = *given == "auto" || *given == "fp8_e4m3" || *given == "bfloat16";
    if (decoding_.is_deepseek_v4() && !fits && decoding_.semantics.has("vocabulary-seen")) {
      refuse(*argument,
             fmt::format("The KV cache of DeepSeek-V4 is 'fp8_e4m3' or 'bfloat16', not '{}'.",
                         *given));
    }
  }

  const Decoding& decoding_;
  const Arguments& arguments_;
  const ServerConfig& config_;
  VocabularyCheck& check_;
};

}  // namespace

void check_conflicts(const Decoding& decoding, const ServerConfig& config, VocabularyCheck& check) {
  ConflictChecker(decoding, config, check).run();
}

}  // namespace recipelint::serving::sglang
