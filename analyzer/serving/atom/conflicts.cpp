#include "analyzer/serving/atom/conflicts.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace recipelint::serving::atom {
namespace {

/// A value that came later than its option.
struct LateValue {
  std::string_view option;
  std::string_view value;
  std::string_view change;
};
constexpr std::array<LateValue, 4> kLateValues = {{
    {"--cudagraph-mode", "AF_PIECEWISE", "graph-af-piecewise"},
    {"--index-cache-dtype", "fp4", "index-cache-fp4"},
    {"--method", "dspark", "method-dspark"},
    {"--method", "eagle3", "method-eagle3"},
}};

class ConflictChecker {
 public:
  ConflictChecker(const ConflictInput& input, VocabularyCheck& check)
      : arguments_(input.arguments), config_(input.config), input_(input), check_(check) {}

  void run() {
    check_late_values();
    check_method();
    check_acceptance();
    check_parallelism();
    check_experts();
    check_model_length();
  }

 private:
  const Argument* find(std::string_view name) const { return arguments_.find(name); }

  RelatedPlace related(std::string_view name, std::string label) const {
    return {arguments_.words().span(find(name)->name), std::move(label)};
  }

  void refuse(std::string_view name, std::string message, std::vector<RelatedPlace> places = {}) {
    check_.report_conflict(Severity::kError, std::string(name), std::move(message),
                           find(name)->name, std::move(places));
  }

  void warn(std::string_view name, std::string message) {
    check_.report_conflict(Severity::kWarning, std::string(name), std::move(message),
                           find(name)->name, {});
  }

  void check_late_values() {
    for (const LateValue& late : kLateValues) {
      const Argument* argument = find(late.option);
      if (argument == nullptr || argument->values.empty()) continue;
      const Token& value = argument->values.back();
      if (value.text == late.value && input_.changes.decided(late.change) == false) {
        check_.report_early_value(*argument->flag, value.place);
      }
    }
  }

  // --- Speculation ---

  void check_method() {
    const auto method = arguments_.string("--method");
    const auto draft = arguments_.string("--draft-model");
    if (!method.known()) return;
    if (!method.value) return check_unused_speculation();
    const bool sequential = method.value == "mtp" || method.value == "eagle3";
    const auto tokens = arguments_.integer("--num-speculative-tokens");
    if (tokens.value && sequential) check_tokens(*tokens.value);
    // Without tokens there is no speculation, and nothing is looked at.
    if (tokens.value && *tokens.value < 1) return;
    if (method.value == "eagle3" && draft.known() && !draft.value) {
      refuse("--method", "'--method eagle3' needs '--draft-model'.");
    }
    if (method.value == "mtp" && draft.value) {
      if (input_.changes.has("mtp-refuses-draft-model")) {
        refuse("--draft-model",
               "'--method mtp' takes the draft from the model itself and refuses '--draft-model'.",
               {related("--method", "the method is given here")});
      } else {
        warn(
            "--draft-model",
            "'--draft-model' has no effect: '--method mtp' takes the draft from the model itself.");
      }
    }
  }

  void check_unused_speculation() {
    for (const std::string_view name :
         {"--num-speculative-tokens", "--draft-model", "--spec-decode-acceptance-length",
          "--spec-decode-acceptance-rate"}) {
      if (find(name) == nullptr) continue;
      warn(name,
           fmt::format("'{}' has no effect: there is no speculation without '--method'.", name));
    }
  }

  void check_tokens(std::int64_t tokens) {
    const auto four = input_.changes.decided("speculative-tokens-4");
    if (!four) return;
    const std::int64_t most = *four ? 4 : 1;
    if (tokens <= most) return;
    refuse("--num-speculative-tokens",
           fmt::format("{} takes at most {} speculative tokens with this method, not {}.",
                       check_.engine_version(), most, tokens),
           {related("--method", "the method is given here")});
  }

  void check_acceptance() {
    constexpr std::string_view kLength = "--spec-decode-acceptance-length";
    constexpr std::string_view kRate = "--spec-decode-acceptance-rate";
    if (!config_.speculation.method.value) return;
    const auto length = arguments_.number(kLength);
    const auto rate = arguments_.number(kRate);
    if (find(kLength) != nullptr && find(kRate) != nullptr) {
      refuse(kRate, fmt::format("'{}' and '{}' exclude each other.", kLength, kRate),
             {related(kLength, "the other one is given here")});
    }
    if (rate.value && (*rate.value < 0 || *rate.value > 1)) {
      refuse(kRate, fmt::format("'{}' has to be between 0 and 1, not {}.", kRate, *rate.value));
    }
    const auto& tokens = config_.speculation.tokens.value;
    if (length.value && tokens && !is_within(*length.value, *tokens)) {
      refuse(kLength,
             fmt::format("'{}' has to be between 1 and 1 more than the {} speculative tokens, not "
                         "{}.",
                         kLength, *tokens, *length.value));
    }
    const Json* schedule = arguments_.json("--dspark-config", {"confidence_schedule"});
    const bool scheduled =
        schedule != nullptr && schedule->is(Json::Kind::kBool) && schedule->boolean;
    if (scheduled && (length.value || rate.value)) {
      refuse(length.value ? kLength : kRate,
             "A made-up acceptance and 'confidence_schedule' of '--dspark-config' exclude each "
             "other.",
             {related("--dspark-config", "the schedule is switched on here")});
    }
  }

  static bool is_within(double length, std::int64_t tokens) {
    return length >= 1 && length <= static_cast<double>(tokens) + 1;
  }

  // --- Parallelism ---

  void check_parallelism() {
    const Parallelism& parallel = config_.parallel;
    const auto& tensor = parallel.tensor.value;
    const auto& decode_context = parallel.decode_context.value;
    if (tensor && decode_context && *decode_context > 1 && *tensor % *decode_context != 0) {
      refuse("--decode-context-parallel-size",
             fmt::format("The tensor parallel size {} is no multiple of the decode context "
                         "parallel size {}.",
                         *tensor, *decode_context));
    }
    const bool attention = arguments_.boolean("--enable-dp-attention").value_or(false);
    if (parallel.pipeline.value.value_or(1) > 1) {
      if (attention) {
        refuse("--pipeline-parallel-size",
               "Pipeline parallelism and '--enable-dp-attention' exclude each other.",
               {related("--enable-dp-attention", "the other one is given here")});
      } else if (parallel.data.value.value_or(1) > 1) {
        refuse("--pipeline-parallel-size",
               "Pipeline parallelism and data parallelism exclude each other.",
               {related("--data-parallel-size", "the other one is given here")});
      }
    }
    if (attention && parallel.prefill_context.value.value_or(1) > 1) {
      refuse("--prefill-context-parallel-size",
             "Prefill context parallelism and '--enable-dp-attention' exclude each other.",
             {related("--enable-dp-attention", "the other one is given here")});
    }
  }

  void check_experts() {
    if (arguments_.string("--moe-backend").value != "mega") return;
    const auto experts = arguments_.boolean("--enable-expert-parallel");
    if (!experts.known() || experts.value_or(false)) return;
    refuse("--moe-backend", "'--moe-backend mega' needs '--enable-expert-parallel'.");
  }

  void check_model_length() {
    const auto given = arguments_.integer("--max-model-len");
    if (!given.value || !input_.model_length || *given.value <= *input_.model_length) return;
    warn("--max-model-len",
         fmt::format("'--max-model-len {}' is cut to {}, the length of the model.", *given.value,
                     *input_.model_length));
  }

  const Arguments& arguments_;
  const ServerConfig& config_;
  const ConflictInput& input_;
  VocabularyCheck& check_;
};

}  // namespace

void check_conflicts(const ConflictInput& input, VocabularyCheck& check) {
  ConflictChecker(input, check).run();
}

}  // namespace recipelint::serving::atom
