#include "analyzer/serving/trtllm/capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace recipelint::serving::trtllm {
namespace {

using Sizes = std::vector<std::int64_t>;

constexpr std::int64_t kDefaultMaximum = 128;
/// Far above what any server batches: it bounds the generated list.
constexpr std::int64_t kLargestMaximum = std::int64_t{1} << 20;

void sort_out(Sizes& sizes) {
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
}

Sizes generated_sizes(const CaptureRules& rules, Padding padding, std::int64_t maximum) {
  constexpr std::int64_t kStep = 8, kLargeStep = 64, kDense = 32;
  Sizes sizes;
  if (padding == Padding::kOn) {
    sizes = {1, 2, 4};
    for (std::int64_t size = kStep; size <= kDefaultMaximum; size += kStep) sizes.push_back(size);
  } else {
    for (std::int64_t size = 1; size <= kDense; ++size) sizes.push_back(size);
    sizes.insert(sizes.end(), {2 * kDense, kDefaultMaximum});
  }
  const bool by_64 = padding == Padding::kOn && rules.steps_of_64;
  for (std::int64_t size = kDefaultMaximum; size < maximum;) {
    size = by_64 ? size + kLargeStep : size * 2;
    sizes.push_back(size);
  }
  std::erase_if(sizes, [&](std::int64_t size) { return size > maximum; });
  sizes.push_back(maximum);
  sort_out(sizes);
  return sizes;
}

Sizes requested_sizes(const CaptureRules& rules, const CaptureInput& input) {
  if (input.given_sizes) {
    Sizes sizes = *input.given_sizes;
    std::erase_if(sizes, [](std::int64_t size) { return size < 1; });
    sort_out(sizes);
    return sizes;
  }
  const std::int64_t given = input.given_maximum.value_or(0);
  const std::int64_t maximum = given > 0 ? given : kDefaultMaximum;
  return generated_sizes(rules, input.padding, std::min(maximum, kLargestMaximum));
}

/// The sizes that a rank can have.
Sizes captured_sizes(Sizes sizes, Padding padding, std::int64_t most) {
  const auto oversized = std::ranges::upper_bound(sizes, most);
  const bool any = oversized != sizes.end();
  sizes.erase(oversized, sizes.end());
  if (any && padding == Padding::kOn && most > 0 && (sizes.empty() || sizes.back() != most)) {
    sizes.push_back(most);
  }
  return sizes;
}

/// Without padding, only batches of exactly a captured size run as graphs.
void add_exact_ranges(Capture& capture, std::int64_t most) {
  std::int64_t next = 1;
  for (const std::int64_t size : capture.sizes) {
    if (next < size) capture.eager.push_back({next, size - 1});
    if (!capture.full.empty() && capture.full.back().last == size - 1) {
      capture.full.back().last = size;
    } else {
      capture.full.push_back({size, size});
    }
    next = size + 1;
  }
  if (next <= most) capture.eager.push_back({next, most});
}

void add_padded_ranges(Capture& capture, std::int64_t most) {
  if (capture.largest > 0) capture.full.push_back({1, capture.largest});
  if (capture.largest < most) capture.eager.push_back({capture.largest + 1, most});
}

}  // namespace

Capture capture(const CaptureRules& rules, const CaptureInput& input) {
  Capture result;
  result.unit = Capture::Unit::kSequences;
  if (input.enabled && input.given_sizes && input.given_maximum && *input.given_maximum > 0) {
    const auto largest = std::ranges::max_element(*input.given_sizes);
    if (largest != input.given_sizes->end() && *largest != *input.given_maximum) {
      result.failure = Capture::Failure::kMaximumAndListDisagree;
      result.failure_text =
          fmt::format("max_batch_size {} of the graphs is not the largest of batch_sizes, {}",
                      *input.given_maximum, *largest);
      return result;
    }
  }
  const std::int64_t most =
      std::min(input.max_batch_size, input.step_tokens / input.tokens_per_request);
  if (input.enabled) {
    result.sizes = captured_sizes(requested_sizes(rules, input), input.padding, most);
    result.decode_sizes = result.sizes;
  }
  result.largest = result.sizes.empty() ? 0 : result.sizes.back();
  if (input.padding == Padding::kOn) {
    add_padded_ranges(result, most);
  } else {
    add_exact_ranges(result, most);
  }
  return result;
}

}  // namespace recipelint::serving::trtllm
