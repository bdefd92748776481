#include "analyzer/serving/vllm/capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

namespace recipelint::serving::vllm {
namespace {

using Sizes = std::vector<std::int64_t>;

constexpr std::array<std::pair<std::string_view, GraphMode>, 5> kModeNames = {{
    {"NONE", GraphMode::kNone},
    {"PIECEWISE", GraphMode::kPiecewise},
    {"FULL", GraphMode::kFull},
    {"FULL_DECODE_ONLY", GraphMode::kFullDecodeOnly},
    {"FULL_AND_PIECEWISE", GraphMode::kFullAndPiecewise},
}};

struct RuleOfChange {
  std::string_view change;
  bool CaptureRules::*rule;
};

constexpr std::array<RuleOfChange, 15> kRules = {{
    {"graph-maximum", &CaptureRules::maximum_setting},
    {"graph-small-sizes-clipped", &CaptureRules::small_sizes_clipped},
    {"graph-list-within-budget", &CaptureRules::list_within_budget},
    {"graph-maximum-counts-speculation", &CaptureRules::counts_speculation},
    {"graph-default-1024", &CaptureRules::default_1024},
    {"graph-rounding", &CaptureRules::rounding},
    {"graph-rounding-tp-only-with-sp", &CaptureRules::rounding_tp_only_with_sp},
    {"graph-rounding-fallback", &CaptureRules::rounding_fallback},
    {"graph-rounding-full", &CaptureRules::rounding_in_full_mode},
    {"graph-budget-appended", &CaptureRules::budget_appended},
    {"graph-uniform-sizes", &CaptureRules::uniform_sizes},
    {"graph-uniform-capped", &CaptureRules::uniform_sizes_capped},
    {"graph-uniform-single", &CaptureRules::uniform_single},
    {"v2-candidate-rounding", &CaptureRules::v2_candidate_rounding},
    {"v2-full-first", &CaptureRules::v2_full_first},
}};

constexpr auto kChangeIds = [] {
  std::array<std::string_view, kRules.size()> ids;
  for (std::size_t i = 0; i < kRules.size(); ++i) ids[i] = kRules[i].change;
  return ids;
}();

/// Sizes grow in small steps below this one, in large steps from it on.
constexpr std::int64_t kLargeSizes = 256;
constexpr std::int64_t kSmallStep = 8;
constexpr std::int64_t kLargeStep = 16;
constexpr std::int64_t kDefaultMaximum = 512;
constexpr std::int64_t kDefaultMaximumSm10x = 1024;
constexpr std::int64_t kInteractiveSizes = 32;

std::int64_t round_up(std::int64_t number, std::int64_t multiple) {
  return (number + multiple - 1) / multiple * multiple;
}

std::string joined(const Sizes& sizes) {
  constexpr std::size_t kShown = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(sizes.size(), kShown); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", sizes[i]);
  }
  return sizes.size() > kShown ? text + " .." : text;
}

/// The way from settings to captured sizes, one step a function. The names are those of
/// CaptureInput's comments: S sequences, q = 1+N tokens each, B tokens a step.
class Planner {
 public:
  Planner(const CaptureRules& rules, const CaptureInput& input)
      : rules_(rules),
        input_(input),
        s_(std::clamp<std::int64_t>(input.max_sequences, 1, kMostSequences)),
        q_(1 + std::clamp<std::int64_t>(input.speculative_tokens, 0, kMostSequences)),
        b_(std::clamp<std::int64_t>(input.step_tokens, 0, kMostTokens)) {}

  Capture run() {
    plan_sizes();
    if (capture_.failure == Capture::Failure::kNone) {
      capture_.sizes = sizes_;
      capture_.largest = sizes_.empty() ? 0 : sizes_.back();
      capture_.decode_sizes = decode_sizes();
      for (std::int64_t n = 1; n <= s_; ++n) add_batch(capture_, n, use_of(n));
    }
    return std::move(capture_);
  }

 private:
  void plan_sizes() {
    if (input_.mode == GraphMode::kNone) return;
    if (rules_.maximum_setting) {
      initial_sizes();
    } else {
      early_sizes();
    }
    if (capture_.failure == Capture::Failure::kNone && rounds_list()) round_sizes();
  }

  void fail(Capture::Failure failure, std::string text) {
    capture_.failure = failure;
    capture_.failure_text = std::move(text);
    sizes_.clear();
  }

  // --- Before there was a maximum setting ---

  void early_sizes() {
    const Sizes given = input_.given_graph_sizes.value_or(Sizes{std::min(2 * s_, kDefaultMaximum)});
    std::set<std::int64_t> sizes;
    if (given.size() == 1) {
      const std::int64_t maximum = std::min(given.front(), kMostTokens);
      for (const std::int64_t size : {1, 2, 4}) {
        if (size <= maximum || !rules_.small_sizes_clipped) sizes.insert(size);
      }
      for (std::int64_t size = kSmallStep; size <= maximum; size += kSmallStep) sizes.insert(size);
    } else {
      sizes.insert(given.begin(), given.end());
    }
    std::erase_if(sizes, [&](std::int64_t size) { return size > b_; });
    if (input_.given_sizes) sizes = {input_.given_sizes->begin(), input_.given_sizes->end()};
    sizes_.assign(sizes.begin(), sizes.end());
  }

  // --- With one ---

  std::int64_t device_maximum() const {
    return rules_.default_1024 && input_.sm_10x ? kDefaultMaximumSm10x : kDefaultMaximum;
  }

  std::int64_t default_maximum() const {
    return std::min(2 * s_ * (rules_.counts_speculation ? q_ : 1), device_maximum());
  }

  void initial_sizes() {
    const std::int64_t maximum = std::min(b_, input_.given_maximum.value_or(default_maximum()));
    if (maximum < 1) {
      return fail(Capture::Failure::kMaximumBelowOne,
                  fmt::format("the largest size to capture is {}", maximum));
    }
    if (input_.given_sizes) {
      list_sizes(*input_.given_sizes);
    } else {
      ladder(maximum);
    }
    drop_what_tp_does_not_divide();
    check_given_maximum();
  }

  void list_sizes(const Sizes& given) {
    if (given.empty()) {
      return fail(Capture::Failure::kEmptyList, "the list of sizes to capture is empty");
    }
    std::set<std::int64_t> sizes;
    for (const std::int64_t size : given) sizes.insert(std::clamp(size, -kMostTokens, kMostTokens));
    if (rules_.list_within_budget) {
      std::erase_if(sizes, [&](std::int64_t size) { return size > b_; });
    }
    sizes_.assign(sizes.begin(), sizes.end());
  }

  void ladder(std::int64_t maximum) {
    std::set<std::int64_t> sizes;
    if (input_.interactivity) {
      for (std::int64_t size = 1; size <= std::min(maximum, kInteractiveSizes); ++size) {
        sizes.insert(size);
      }
    } else {
      for (const std::int64_t size : {1, 2, 4}) {
        if (size <= maximum) sizes.insert(size);
      }
    }
    for (auto size = kSmallStep; size <= maximum && size < kLargeSizes; size += kSmallStep) {
      sizes.insert(size);
    }
    for (auto size = kLargeSizes; size <= maximum; size += kLargeStep) sizes.insert(size);
    if (rules_.budget_appended && b_ <= maximum) sizes.insert(b_);
    if (!input_.given_maximum) add_uniform_sizes(sizes);
    sizes_.assign(sizes.begin(), sizes.end());
  }

  /// Sizes that decode batches have exactly, so that they need no padding.
  void add_uniform_sizes(std::set<std::int64_t>& sizes) const {
    if (q_ == 1) {
      const bool within = s_ <= default_maximum() && s_ <= b_;
      if (rules_.uniform_single && within) sizes.insert(s_);
      return;
    }
    if (!rules_.uniform_sizes) return;
    for (const std::int64_t n : request_counts()) {
      const bool within = !rules_.uniform_sizes_capped || n * q_ <= default_maximum();
      if (within && n * q_ <= b_) sizes.insert(n * q_);
    }
  }

  std::set<std::int64_t> request_counts() const {
    const std::int64_t most = std::min(s_, device_maximum());
    std::set<std::int64_t> counts = {most};
    for (const std::int64_t n : {1, 2, 4}) {
      if (n <= most) counts.insert(n);
    }
    for (auto n = kSmallStep; n <= most && n < kLargeSizes; n += kSmallStep) counts.insert(n);
    for (auto n = kLargeSizes; n <= most; n += kLargeStep) counts.insert(n);
    return counts;
  }

  void drop_what_tp_does_not_divide() {
    if (!input_.sequence_parallelism || input_.tensor_parallel <= 1) return;
    std::erase_if(sizes_, [&](std::int64_t size) { return size % input_.tensor_parallel != 0; });
  }

  void check_given_maximum() {
    if (!input_.given_maximum || !input_.given_sizes) return;
    if (capture_.failure != Capture::Failure::kNone) return;
    const std::int64_t last = sizes_.empty() ? 0 : sizes_.back();
    if (*input_.given_maximum == last) return;
    fail(Capture::Failure::kMaximumAndListDisagree,
         fmt::format("the largest size is given as {}, and the list ends at {}",
                     *input_.given_maximum, last));
  }

  // --- Speculation ---

  /// Whether the list itself becomes multiples of q.
  bool rounds_list() const {
    if (!rules_.rounding) return false;
    if (input_.runner == Runner::kV2) return !rules_.v2_candidate_rounding;
    const bool mode = input_.mode == GraphMode::kFull ? rules_.rounding_in_full_mode
                                                      : has_full_decode(input_.mode);
    return mode && q_ > 1;
  }

  void round_sizes() {
    std::int64_t width = q_;
    const bool with_tp = input_.tensor_parallel > 1 &&
                         (input_.sequence_parallelism || !rules_.rounding_tp_only_with_sp);
    if (with_tp) {
      width = std::max(q_, input_.tensor_parallel);
      if (width % q_ != 0 || width % input_.tensor_parallel != 0) {
        return fail(Capture::Failure::kWidthsDisagree,
                    fmt::format("no size fits both {} tokens a sequence and tensor parallelism {}",
                                q_, input_.tensor_parallel));
      }
    }
    const std::int64_t maximum = sizes_.empty() ? 0 : sizes_.back();
    std::set<std::int64_t> rounded;
    for (const std::int64_t size : sizes_) {
      if (round_up(size, width) <= maximum) rounded.insert(round_up(size, width));
    }
    if (rounded.empty()) return round_to_nothing(width, maximum);
    sizes_.assign(rounded.begin(), rounded.end());
  }

  void round_to_nothing(std::int64_t width, std::int64_t maximum) {
    if (!rules_.rounding_fallback) return;  // a warning, and the list stays as it was
    if (width <= maximum) {
      sizes_ = {width};
      return;
    }
    fail(Capture::Failure::kNoSizeLeft,
         fmt::format("none of the sizes {} is a multiple of {} tokens a sequence", joined(sizes_),
                     width));
  }

  // --- What a decode batch runs as ---

  bool splits_candidates() const {
    return input_.runner == Runner::kV2 && rules_.v2_candidate_rounding;
  }

  Sizes decode_sizes() const {
    if (!has_full_decode(input_.mode)) return {};
    // FULL without a separate decode graph takes every size for every batch.
    if (input_.mode == GraphMode::kFull && !splits_candidates()) return sizes_;
    std::set<std::int64_t> result;
    for (const std::int64_t size : sizes_) {
      const std::int64_t tokens = splits_candidates() ? round_up(size, q_) : size;
      if (tokens >= q_ && tokens <= q_ * s_ && tokens <= sizes_.back()) result.insert(tokens);
    }
    return {result.begin(), result.end()};
  }

  GraphUse use_of(std::int64_t sequences) const {
    const std::int64_t tokens = sequences * q_;
    const auto at_least = [&](const Sizes& sizes) {
      const auto found = std::ranges::lower_bound(sizes, tokens);
      return found == sizes.end() ? std::optional<std::int64_t>() : *found;
    };
    const auto any = at_least(sizes_);
    const auto full = at_least(capture_.decode_sizes);
    const bool piecewise = has_piecewise(input_.mode) && any.has_value();
    if (!full) return piecewise ? GraphUse::kPiecewise : GraphUse::kEager;
    if (splits_candidates()) {
      const bool smaller_piecewise = piecewise && !rules_.v2_full_first && *any < *full;
      return smaller_piecewise ? GraphUse::kPiecewise : GraphUse::kFull;
    }
    // The padded size decides, and it may have no full graph.
    if (*any == *full) return GraphUse::kFull;
    return piecewise ? GraphUse::kPiecewise : GraphUse::kEager;
  }

  const CaptureRules& rules_;
  const CaptureInput& input_;
  const std::int64_t s_;
  const std::int64_t q_;
  const std::int64_t b_;
  Sizes sizes_;
  Capture capture_;
};

}  // namespace

std::string_view to_string(GraphMode mode) {
  const auto found =
      std::ranges::find(kModeNames, mode, [](const auto& entry) { return entry.second; });
  return found->first;
}

std::optional<GraphMode> parse_graph_mode(std::string_view text) {
  const auto upper = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; };
  for (const auto& [name, mode] : kModeNames) {
    if (std::ranges::equal(name, text, {}, {}, upper)) return mode;
  }
  return std::nullopt;
}

bool has_full_decode(GraphMode mode) {
  return mode == GraphMode::kFull || mode == GraphMode::kFullDecodeOnly ||
         mode == GraphMode::kFullAndPiecewise;
}

bool has_piecewise(GraphMode mode) {
  return mode == GraphMode::kPiecewise || mode == GraphMode::kFullAndPiecewise;
}

std::string_view to_string(Runner runner) {
  return runner == Runner::kV1 ? "V1" : "V2";
}

CaptureRules capture_rules(const facts::EngineVersion& version,
                           const facts::VersionFacts& versions) {
  CaptureRules rules;
  for (const auto& [id, rule] : kRules) {
    const auto* change = versions.find_change("vllm", id);
    rules.*rule = change != nullptr && version.certainly_has(*change);
  }
  return rules;
}

Capture capture(const CaptureRules& rules, const CaptureInput& input) {
  return Planner(rules, input).run();
}

std::span<const std::string_view> capture_changes() {
  return kChangeIds;
}

}  // namespace recipelint::serving::vllm
