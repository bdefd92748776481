#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "analyzer/serving/launch_context.h"
#include "analyzer/serving/sglang/decoding.h"

namespace recipelint::serving::sglang {
namespace {

// Methods that draft in steps.
constexpr std::array<std::string_view, 5> kStepMethods = {"EAGLE", "EAGLE3", "NEXTN", "STANDALONE",
                                                          "FROZEN_KV_MTP"};

/// What is drafted. N is one less than the tokens that a request verifies in one step, so that 1+N
/// is the width of a request here as in other engines.
class SpeculationReader {
 public:
  SpeculationReader(Decoding& decoding, ServerConfig& config)
      : decoding_(decoding), arguments_(decoding.arguments), config_(config) {}

  void run() {
    Speculation& speculation = config_.speculation;
    speculation.method = arguments_.string("--speculative-algorithm");
    if (speculation.method.value) {
      std::ranges::transform(*speculation.method.value, speculation.method.value->begin(),
                             [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
    }
    decoding_.speculates = arguments_.has("--speculative-algorithm");
    speculation.draft_model = arguments_.string("--speculative-draft-model-path");
    speculation.tokens = tokens();
    speculation.acceptance = acceptance();
  }

 private:
  using Number = Setting<std::int64_t>;

  Number tokens() const {
    const auto& method = config_.speculation.method;
    if (!decoding_.speculates) {
      return method.known() ? Number::by_default(0) : Number::unknown(method.reason);
    }
    if (!method.value) return Number::unknown(method.reason);
    if (std::ranges::find(kStepMethods, *method.value) != kStepMethods.end()) {
      return step_tokens();
    }
    if (*method.value == "NGRAM") return drafted(std::int64_t{12});
    return drafted(std::nullopt);
  }

  /// From the number of tokens to verify.
  Number drafted(std::optional<std::int64_t> otherwise) const {
    const auto draft = arguments_.integer("--speculative-num-draft-tokens");
    if (draft.value) return with_value(draft, std::max<std::int64_t>(*draft.value, 1) - 1);
    if (!draft.known()) return draft;
    if (otherwise) return Number::by_default(*otherwise - 1);
    return Number::unknown("the draft model decides");
  }

  Number step_tokens() const {
    const auto steps = arguments_.integer("--speculative-num-steps");
    if (!steps.known()) return steps;
    if (!steps.value) return default_tokens();
    const auto topk = arguments_.integer("--speculative-eagle-topk");
    if (!topk.known()) return topk;
    // With one branch, the tokens to verify follow from the steps, whatever is given.
    if (topk.value == 1) return with_value(steps, std::max<std::int64_t>(*steps.value, 0));
    return drafted(std::nullopt);
  }

  /// (steps, branches, tokens) is (5, 4, 8) for Llama and Grok, (3, 1, 4) for others
  /// (server_args.py 813-843).
  Number default_tokens() const {
    if (decoding_.family() == nullptr) return Number::unknown("the model decides, and is unknown");
    const bool wide =
        std::ranges::any_of(decoding_.family()->architectures, [](std::string_view architecture) {
          return architecture.starts_with("Llama") || architecture.starts_with("Grok");
        });
    return Number::by_default(wide ? 7 : 3, "the architecture of the model");
  }

  /// What the variable SGLANG_SIMULATE_ACC_LEN makes up: tokens a step.
  Setting<Acceptance> acceptance() const {
    using Result = Setting<Acceptance>;
    const auto* value = variable(decoding_.launch, decoding_.situation, "SGLANG_SIMULATE_ACC_LEN");
    if (value == nullptr) return Result::none();
    if (!value->is_known()) return Result::unknown("SGLANG_SIMULATE_ACC_LEN is unknown");
    const auto length = parse_python_float(value->text());
    if (!length || *length <= 0) return Result::none();
    Result setting = Result::by_default({*length, {}});
    setting.source = Source::kExplicit;
    setting.origin = value->origin();
    setting.span = value->origin().span();
    return setting;
  }

  Decoding& decoding_;
  const Arguments& arguments_;
  ServerConfig& config_;
};

}  // namespace

void read_speculation(Decoding& decoding, ServerConfig& config) {
  SpeculationReader(decoding, config).run();
}

}  // namespace recipelint::serving::sglang
