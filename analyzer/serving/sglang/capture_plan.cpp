#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/serving/sglang/capture.h"
#include "analyzer/serving/sglang/decoding.h"

namespace recipelint::serving::sglang {
namespace {

constexpr std::string_view kConfigOption = "--cuda-graph-config";

/// What is captured, for every possibility that version and GPU leave open.
class CapturePlanner {
 public:
  CapturePlanner(const Decoding& decoding, ServerConfig& config)
      : decoding_(decoding), arguments_(decoding.arguments), config_(config) {}

  void run() {
    read_graphs();
    config_.capture_reason = missing_for_capture();
    if (!config_.capture_reason.empty()) return;
    auto versions =
        decoding_.catalog.versions().alternatives("sglang", decoding_.situation.version);
    std::ranges::reverse(versions);  // the newest is the most likely one
    for (const auto& version : versions) {
      add_captures(TurningPoints("sglang", version, decoding_.catalog.versions()));
    }
    if (config_.captures.size() > 1) {
      config_.capture_reason = "version, GPU or memory leave several possibilities";
    }
  }

 private:
  using Number = Setting<std::int64_t>;

  // --- The settings: JSON before options, options before switches (server_args.py 4543-4606) ---

  void read_graphs() {
    GraphSettings& graphs = config_.graphs;
    graphs.mode = mode();
    graphs.eager = eager();
    graphs.sizes = sizes();
    graphs.maximum = either(json_maximum(), arguments_.integer("--cuda-graph-max-bs-decode"));
  }

  /// A value of the decode phase inside the JSON; null if there is none.
  const Json* json(std::string_view key) const {
    const Json* value = arguments_.json(kConfigOption, {"decode", key});
    return value == nullptr || value->is(Json::Kind::kNull) ? nullptr : value;
  }

  bool is_json_open() const {
    const Json* whole = arguments_.json(kConfigOption);
    if (whole == nullptr) return false;
    const Json* decode = whole->find("decode");
    return !whole->known() || whole->open ||
           (decode != nullptr && (!decode->known() || decode->open));
  }

  template <typename T>
  Setting<T> at(const Json& value) const {
    Setting<T> setting;
    setting.source = Source::kExplicit;
    setting.span = arguments_.words().span(value.place);
    setting.origin = arguments_.words().origin(value.place);
    setting.word = arguments_.words().argument(value.place);
    return setting;
  }

  Setting<std::string> mode() const {
    using Result = Setting<std::string>;
    if (is_json_open()) return Result::unknown("a part of --cuda-graph-config is unknown");
    if (const Json* backend = json("backend")) {
      if (!backend->is(Json::Kind::kString)) return Result::unknown("SGLang refuses the value");
      return with_value(at<std::string>(*backend), backend->text);
    }
    const auto given = arguments_.string("--cuda-graph-backend-decode");
    if (given.value || !given.known()) return given;
    for (const std::string_view option : {"--disable-cuda-graph", "--disable-decode-cuda-graph"}) {
      const auto off = arguments_.boolean(option);
      if (!off.value) continue;
      Result setting;
      setting.source = off.source;
      setting.span = off.span;
      setting.origin = off.origin;
      setting.word = off.word;
      return with_value(setting, std::string("disabled"));
    }
    if (decoding_.phase == Phase::kPrefill) {
      return Result::by_default("disabled", "a prefill server decodes nothing");
    }
    if (arguments_.integer("--dwdp-size").value_or(1) > 1) {
      return Result::by_default("disabled", "DWDP has no graphs");
    }
    return Result::by_default("full");
  }

  Setting<bool> eager() const {
    const auto& mode = config_.graphs.mode;
    Setting<bool> setting;
    setting.source = mode.source;
    setting.span = mode.span;
    setting.origin = mode.origin;
    setting.word = mode.word;
    setting.reason = mode.reason;
    if (mode.value) setting.value = *mode.value == "disabled";
    return setting;
  }

  Number json_maximum() const {
    if (is_json_open()) return Number::unknown("a part of --cuda-graph-config is unknown");
    const Json* value = json("max_bs");
    if (value == nullptr) return Number::none();
    if (!value->is(Json::Kind::kInteger)) return Number::unknown("SGLang refuses the value");
    return with_value(at<std::int64_t>(*value), value->integer);
  }

  Setting<std::vector<std::int64_t>> sizes() const {
    using Result = Setting<std::vector<std::int64_t>>;
    const Json* list = json("bs");
    if (list == nullptr) return arguments_.integers("--cuda-graph-bs-decode");
    std::vector<std::int64_t> numbers;
    for (const Json& item : list->items) {
      if (!item.is(Json::Kind::kInteger)) return Result::unknown("a size is unknown");
      numbers.push_back(item.integer);
    }
    if (!list->is(Json::Kind::kArray) || list->open) return Result::unknown("a size is unknown");
    return with_value(at<std::vector<std::int64_t>>(*list), std::move(numbers));
  }

  // --- What is captured ---

  /// The first setting that decides the capture and is not known.
  std::string missing_for_capture() const {
    const auto check = [](const auto& setting, std::string_view name) {
      return setting.known() ? std::string() : fmt::format("{}: {}", name, setting.reason);
    };
    const bool some = decoding_.most_requests.has_value();
    for (const std::string& missing :
         {some ? std::string() : check(decoding_.server_requests, "max-running-requests"),
          check(config_.speculation.tokens, "speculative-num-draft-tokens"),
          check(config_.graphs.maximum, "cuda-graph-max-bs"),
          check(config_.graphs.sizes, "cuda-graph-bs"),
          check(config_.graphs.mode, "cuda-graph-backend-decode"),
          check(config_.parallel.tensor, "tp-size"),
          check(config_.parallel.attention_data, "dp-size"),
          check(config_.parallel.prefill_context, "attn-cp-size"),
          check(config_.parallel.all_to_all, "moe-a2a-backend")}) {
      if (!missing.empty()) return missing;
    }
    if (!parse_graph_backend(*config_.graphs.mode.value)) {
      return "cuda-graph-backend-decode: SGLang refuses the value";
    }
    return {};
  }

  void add_captures(const TurningPoints& semantics) {
    const auto backend = *parse_graph_backend(*config_.graphs.mode.value);
    for (const std::int64_t requests : possible_requests()) {
      CaptureInput input = capture_input(semantics, requests);
      input.backend = backend;
      for (const std::int64_t maximum : possible_maxima(semantics)) {
        input.maximum = maximum;
        Capture possible = capture(input);
        const bool there = std::ranges::find(config_.captures, possible) != config_.captures.end();
        if (!there) config_.captures.push_back(std::move(possible));
      }
    }
  }

  /// Of the whole server; the most first.
  std::vector<std::int64_t> possible_requests() const {
    if (const auto& known = decoding_.server_requests.value) return {*known};
    return {*decoding_.most_requests, *decoding_.least_requests};
  }

  /// The largest first.
  std::vector<std::int64_t> possible_maxima(const TurningPoints& semantics) const {
    if (const auto& given = config_.graphs.maximum.value) return {*given};
    const auto gib = decoding_.gpu_gib();
    const bool large = *config_.parallel.tensor.value >= 4;
    std::set<std::int64_t> maxima;
    for (const MemoryTier& tier : memory_tiers(semantics.has("graph-default-48"))) {
      if (gib && *gib < tier.gib_from) continue;
      maxima.insert(large ? tier.maximum_large : tier.maximum_small);
      if (gib) break;
    }
    return {maxima.rbegin(), maxima.rend()};
  }

  CaptureInput capture_input(const TurningPoints& semantics, std::int64_t requests) const {
    const Parallelism& parallel = config_.parallel;
    const std::int64_t ranks = std::max<std::int64_t>(*parallel.attention_data.value, 1);
    const std::int64_t context = std::max<std::int64_t>(*parallel.prefill_context.value, 1);
    CaptureInput input;
    input.given_sizes = config_.graphs.sizes.value;
    input.maximum_appended = semantics.has("graph-maximum-appended");
    input.padding = !arguments_.has("--disable-cuda-graph-padding");
    input.speculation = decoding_.speculates;
    input.width = bounded(*config_.speculation.tokens.value) + 1;
    input.most_requests = bounded(requests / ranks);
    input.pool = semantics.has("request-pool-divided") ? pool(input.most_requests) : requests;
    input.two_batch_overlap = arguments_.has("--enable-two-batch-overlap");
    input.attention_tensor = *parallel.tensor.value / ranks / context;
    input.attention_context = context;
    input.gathers = gathers_mlp() || gathers_attention();
    return input;
  }

  static std::int64_t bounded(std::int64_t number) {
    return std::clamp<std::int64_t>(number, 0, kMostRequests);
  }

  /// A decode server keeps slots for requests that are still on their way
  /// (pd_disaggregation_hook.py).
  std::int64_t pool(std::int64_t requests) const {
    constexpr std::int64_t kFew = 32;
    if (decoding_.phase != Phase::kDecode) return requests;
    const auto given = arguments_.integer("--disaggregation-decode-extra-slots").value;
    return requests + bounded(given.value_or(requests <= kFew ? 2 * requests : 0));
  }

  bool has_all_to_all() const { return *config_.parallel.all_to_all.value != "none"; }

  /// utils/common.py 3723-3805.
  bool gathers_mlp() const {
    const std::int64_t ranks = *config_.parallel.attention_data.value;
    if (ranks <= 1) return false;
    const auto dense = arguments_.integer("--moe-dense-tp-size").value;
    const bool other_all_to_all =
        has_all_to_all() && *config_.parallel.all_to_all.value != "flashinfer";
    if (!dense || !arguments_.has("--enable-dp-lm-head") || !other_all_to_all) return true;
    return *dense > *config_.parallel.tensor.value / ranks;
  }

  bool gathers_attention() const {
    const std::int64_t ranks = *config_.parallel.attention_data.value;
    if (!has_all_to_all() && !arguments_.has("--moe-dense-tp-size")) return false;
    return ranks <= 1 || ranks < *config_.parallel.tensor.value;
  }

  const Decoding& decoding_;
  const Arguments& arguments_;
  ServerConfig& config_;
};

}  // namespace

void plan_capture(const Decoding& decoding, ServerConfig& config) {
  CapturePlanner(decoding, config).run();
}

}  // namespace recipelint::serving::sglang
