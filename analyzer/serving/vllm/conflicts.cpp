#include "analyzer/serving/vllm/conflicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace recipelint::serving::vllm {
namespace {

constexpr std::string_view kSpeculative = "--speculative-config";
constexpr std::string_view kCompilation = "--compilation-config";

constexpr std::array<std::string_view, 13> kMethods = {"custom_class",
                                                       "dflash",
                                                       "draft_model",
                                                       "dspark",
                                                       "eagle",
                                                       "eagle3",
                                                       "extract_hidden_states",
                                                       "medusa",
                                                       "mlp_speculator",
                                                       "mtp",
                                                       "ngram",
                                                       "ngram_gpu",
                                                       "suffix"};

/// Methods with which asynchronous scheduling is on by default, and those with which it is refused.
constexpr std::array<std::string_view, 5> kAsyncMethods = {"draft_model", "dspark", "eagle",
                                                           "eagle3", "mtp"};
constexpr std::array<std::string_view, 3> kSyncMethods = {"medusa", "ngram", "suffix"};

template <typename List>
bool contains(const List& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

/// Some names per model ("deepseek_mtp") mean mtp.
bool is_mtp(std::string_view method) {
  return method == "mtp" || method.ends_with("_mtp");
}

class ConflictChecker {
 public:
  ConflictChecker(const Arguments& arguments, const ServerConfig& config,
                  const Semantics& semantics, VocabularyCheck& check)
      : arguments_(arguments), config_(config), semantics_(semantics), check_(check) {}

  void run() {
    check_capture_keys();
    check_method();
    check_synthetic_acceptance();
    check_async_scheduling();
    check_tool_choice();
    check_log_outputs();
    check_decode_context();
    check_model();
  }

 private:
  const Words& words() const { return arguments_.words(); }

  void refuse(std::string subject, std::string message, Place place,
              std::vector<RelatedPlace> related = {}) {
    check_.report_conflict(Severity::kError, std::move(subject), std::move(message), place,
                           std::move(related));
  }

  /// One setting as an option and as a key.
  void check_capture_keys() {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kPairs = {{
        {"--cudagraph-capture-sizes", "cudagraph_capture_sizes"},
        {"--max-cudagraph-capture-size", "max_cudagraph_capture_size"},
    }};
    for (const auto& [option, key] : kPairs) {
      const Argument* argument = arguments_.find(option);
      const Json* json = arguments_.json(kCompilation, {key});
      if (argument == nullptr || json == nullptr || json->is(Json::Kind::kNull)) continue;
      refuse(std::string(option),
             fmt::format("'{}' and the key '{}' of '{}' exclude each other.", option, key,
                         kCompilation),
             argument->name, {{words().span(json->place), "the key is given here"}});
    }
  }

  const Json* speculative(std::string_view key) const {
    const Json* json = arguments_.json(kSpeculative, {key});
    return json == nullptr || json->is(Json::Kind::kNull) ? nullptr : json;
  }

  void check_method() {
    const Json* method = speculative("method");
    if (method != nullptr && method->is(Json::Kind::kString) && !is_mtp(method->text) &&
        !contains(kMethods, method->text)) {
      refuse(
          method->text,
          fmt::format("{} has no speculative method '{}'.", check_.engine_version(), method->text),
          method->place);
    }
    if (const Json* size = speculative("tensor_parallel_size")) {
      refuse("tensor_parallel_size",
             "The key 'tensor_parallel_size' is refused in '--speculative-config'; "
             "'draft_tensor_parallel_size' is the one that is meant.",
             size->place);
    }
    const Json* tokens = speculative("num_speculative_tokens");
    if (tokens != nullptr && tokens->is(Json::Kind::kInteger) && tokens->integer < 1) {
      refuse("num_speculative_tokens", "'num_speculative_tokens' has to be at least 1.",
             tokens->place);
    }
  }

  void check_synthetic_acceptance() {
    const Json* object = arguments_.json(kSpeculative);
    if (object == nullptr || !object->is(Json::Kind::kObject) || object->open) return;
    const Json* method = speculative("rejection_sample_method");
    const Json* length = speculative("synthetic_acceptance_length");
    const Json* rates = speculative("synthetic_acceptance_rates");
    if (method != nullptr && !method->known()) return;
    const bool synthetic = method != nullptr && method->text == "synthetic";
    const Json* given = length != nullptr ? length : rates;
    if (!synthetic && given != nullptr) {
      return refuse("rejection_sample_method",
                    "Synthetic acceptance needs 'rejection_sample_method' to be 'synthetic'.",
                    given->place);
    }
    if (!synthetic) return;
    // The single rate of earlier versions is an unknown key where it is none.
    const bool early = speculative("synthetic_acceptance_rate") != nullptr;
    if (given == nullptr && !early) {
      return refuse("rejection_sample_method",
                    "The method 'synthetic' needs 'synthetic_acceptance_length' or "
                    "'synthetic_acceptance_rates'.",
                    method->place);
    }
    if (length != nullptr && rates != nullptr) {
      return refuse("synthetic_acceptance_rates",
                    "'synthetic_acceptance_length' and 'synthetic_acceptance_rates' exclude each "
                    "other.",
                    rates->place, {{words().span(length->place), "the length is given here"}});
    }
    check_acceptance_values(length, rates);
  }

  void check_acceptance_values(const Json* length, const Json* rates) {
    const auto& tokens = config_.speculation.tokens.value;
    if (!tokens) return;
    const bool is_number =
        length != nullptr && (length->is(Json::Kind::kInteger) || length->is(Json::Kind::kFloat));
    const auto longest = static_cast<double>(*tokens) + 1;
    if (is_number && (length->number < 1 || length->number > longest)) {
      refuse("synthetic_acceptance_length",
             fmt::format("'synthetic_acceptance_length' is {}, and lies between 1 and {} with {} "
                         "speculative tokens.",
                         length->number, longest, *tokens),
             length->place);
    }
    if (rates != nullptr && rates->is(Json::Kind::kArray) && !rates->open) {
      check_rates(*rates, *tokens);
    }
  }

  void check_rates(const Json& rates, std::int64_t tokens) {
    if (std::cmp_not_equal(rates.items.size(), tokens)) {
      return refuse("synthetic_acceptance_rates",
                    fmt::format("There are {} acceptance rates for {} speculative tokens.",
                                rates.items.size(), tokens),
                    rates.place);
    }
    double last = 1;
    for (const Json& rate : rates.items) {
      if (!rate.is(Json::Kind::kInteger) && !rate.is(Json::Kind::kFloat)) return;
      if (rate.number < 0 || rate.number > last) {
        return refuse("synthetic_acceptance_rates",
                      "Acceptance rates lie between 0 and 1 and do not rise.", rate.place);
      }
      last = rate.number;
    }
  }

  void check_async_scheduling() {
    const Argument* async = arguments_.find("--async-scheduling");
    const auto& method = config_.speculation.method.value;
    if (async == nullptr || async->negated || !method) return;
    if (takes_async_scheduling(*method) != false) return;
    if (!semantics_.has("async-scheduling-default")) return;
    refuse("--async-scheduling",
           fmt::format("'--async-scheduling' does not work with the speculative method '{}'.",
                       *method),
           async->name, {{config_.speculation.method.span, "the method is given here"}});
  }

  void check_needed(std::string_view option, std::string_view needed) {
    const Argument* argument = arguments_.find(option);
    if (argument == nullptr || argument->negated || !arguments_.open().empty()) return;
    const Argument* other = arguments_.find(needed);
    if (other != nullptr && !other->negated) return;
    refuse(std::string(option), fmt::format("'{}' needs '{}'.", option, needed), argument->name);
  }

  void check_tool_choice() { check_needed("--enable-auto-tool-choice", "--tool-call-parser"); }
  void check_log_outputs() { check_needed("--enable-log-outputs", "--enable-log-requests"); }

  void check_model() {
    const Argument* name = arguments_.find("--served-model-name");
    const bool has_model = config_.model.value || !config_.model.known();
    if (name == nullptr || has_model || !arguments_.open().empty()) return;
    refuse("--served-model-name", "'--served-model-name' is given without a model.", name->name);
  }

  void check_decode_context() {
    const auto& size = config_.parallel.decode_context;
    const auto& tensor = config_.parallel.tensor.value;
    const auto& prefill = config_.parallel.prefill_context.value;
    const Argument* argument = arguments_.find("--decode-context-parallel-size");
    if (argument == nullptr || !size.value || *size.value < 1 || !tensor || prefill != 1) return;
    if (*tensor % *size.value == 0) return;
    refuse("--decode-context-parallel-size",
           fmt::format("Tensor parallelism {} is no multiple of decode context parallelism {}.",
                       *tensor, *size.value),
           argument->name);
  }

  const Arguments& arguments_;
  const ServerConfig& config_;
  const Semantics& semantics_;
  VocabularyCheck& check_;
};

}  // namespace

std::optional<bool> takes_async_scheduling(std::string_view method) {
  if (is_mtp(method) || contains(kAsyncMethods, method)) return true;
  return contains(kSyncMethods, method) ? std::optional(false) : std::nullopt;
}

void check_conflicts(const Arguments& arguments, const ServerConfig& config,
                     const Semantics& semantics, VocabularyCheck& check) {
  ConflictChecker(arguments, config, semantics, check).run();
}

}  // namespace recipelint::serving::vllm
