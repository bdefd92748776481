#include "analyzer/serving/sglang/capture.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace recipelint::serving::sglang {
namespace {

using Sizes = std::vector<std::int64_t>;

/// Sizes from `first` to `last` in steps of `step`.
struct Steps {
  std::int64_t first;
  std::int64_t last;
  std::int64_t step;
};

constexpr std::array<Steps, 6> kLadder = {{
    {1, 2, 1},
    {4, 4, 1},
    {8, 12, 4},
    {16, 256, 8},
    {272, 496, 16},
    {512, kMostRequests, 32},
}};
constexpr std::array<Steps, 5> kSpeculativeLadder = {{
    {1, 8, 1},
    {10, 32, 2},
    {40, 64, 4},
    {72, 256, 8},
    {272, kMostRequests, 16},
}};

constexpr std::array<std::pair<std::string_view, GraphBackend>, 4> kBackends = {{
    {"disabled", GraphBackend::kDisabled},
    {"full", GraphBackend::kFull},
    {"breakable", GraphBackend::kBreakable},
    {"tc_piecewise", GraphBackend::kPiecewise},
}};

template <typename Ladder>
Sizes climb(const Ladder& ladder, std::int64_t maximum) {
  Sizes sizes;
  for (const auto& [first, last, step] : ladder) {
    for (std::int64_t size = first; size <= std::min(last, maximum); size += step) {
      sizes.push_back(size);
    }
  }
  return sizes;
}

std::int64_t round_up(std::int64_t number, std::int64_t multiple) {
  return (number + multiple - 1) / multiple * multiple;
}

/// What the sizes are multiples of.
std::int64_t alignment_of(const CaptureInput& input) {
  std::int64_t alignment = input.two_batch_overlap ? 2 : 1;
  if (!input.gathers) return alignment;
  alignment *= std::clamp<std::int64_t>(input.attention_tensor, 1, kMostRequests);
  const auto context = std::clamp<std::int64_t>(input.attention_context, 1, kMostRequests);
  return alignment % context == 0 ? alignment : alignment * context;
}

Sizes bounded(const CaptureInput& input, Sizes sizes) {
  const std::int64_t alignment = alignment_of(input);
  const std::int64_t most =
      round_up(std::clamp<std::int64_t>(input.pool, 1, kMostRequests), alignment);
  const std::int64_t width = input.two_batch_overlap ? 1 : input.width;
  std::set<std::int64_t> result(sizes.begin(), sizes.end());
  if (!result.empty() && *result.rbegin() > most) result.insert(most);
  std::erase_if(result, [&](std::int64_t size) {
    return size > most || size < 1 || size * width % alignment != 0;
  });
  return {result.begin(), result.end()};
}

GraphUse use_of(const CaptureInput& input, const Sizes& sizes, std::int64_t requests) {
  const auto at = std::ranges::lower_bound(sizes, requests);
  if (at == sizes.end() || (!input.padding && *at != requests)) return GraphUse::kEager;
  return input.backend == GraphBackend::kFull ? GraphUse::kFull : GraphUse::kPiecewise;
}

}  // namespace

std::optional<GraphBackend> parse_graph_backend(std::string_view text) {
  for (const auto& [name, backend] : kBackends) {
    if (name == text) return backend;
  }
  return std::nullopt;
}

std::vector<std::int64_t> capture_ladder(const CaptureInput& input) {
  const std::int64_t maximum = std::clamp<std::int64_t>(input.maximum, 0, kMostRequests);
  Sizes sizes;
  if (!input.padding) {
    for (std::int64_t size = 1; size <= maximum; ++size) sizes.push_back(size);
    return sizes;
  }
  sizes = input.speculation ? climb(kSpeculativeLadder, maximum) : climb(kLadder, maximum);
  const bool there = !sizes.empty() && sizes.back() == maximum;
  if (input.maximum_appended && !there && maximum > 0) sizes.push_back(maximum);
  return sizes;
}

Capture capture(const CaptureInput& input) {
  Capture capture;
  capture.unit = Capture::Unit::kSequences;
  if (input.backend != GraphBackend::kDisabled) {
    capture.sizes = bounded(input, input.given_sizes ? *input.given_sizes : capture_ladder(input));
    if (capture.sizes.empty()) {
      capture.failure = Capture::Failure::kNoSizeLeft;
      capture.failure_text = "no size is left to capture";
      return capture;
    }
    capture.largest = capture.sizes.back();
    capture.decode_sizes = capture.sizes;
  }
  const auto most = std::clamp<std::int64_t>(input.most_requests, 0, kMostRequests);
  for (std::int64_t requests = 1; requests <= most; ++requests) {
    add_batch(capture, requests, use_of(input, capture.sizes, requests));
  }
  return capture;
}

std::vector<MemoryTier> memory_tiers(bool small_tier_raised) {
  return {
      {160, 16384, 512, 512}, {60, 8192, 256, 512},
      {35, 4096, 32, 160},    {20, 2048, small_tier_raised ? 48 : 24, small_tier_raised ? 160 : 80},
      {0, 2048, 8, 8},
  };
}

}  // namespace recipelint::serving::sglang
