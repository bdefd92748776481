#include "analyzer/serving/atom/capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace recipelint::serving::atom {
namespace {

using Sizes = std::vector<std::int64_t>;

/// What --cudagraph-capture-sizes is by default.
Sizes default_sizes(const CaptureRules& rules) {
  Sizes sizes = {1, 2, 4, 8, 16, 32, 48, 64, 128, 256};
  if (rules.default_512) sizes.push_back(512);
  return sizes;
}

/// What an empty list stands for.
Sizes sizes_of_an_empty_list() {
  constexpr std::int64_t kStep = 16, kLast = 512;
  Sizes sizes = {1, 2, 4, 8};
  for (std::int64_t size = kStep; size <= kLast; size += kStep) sizes.push_back(size);
  return sizes;
}

Sizes requested_sizes(const CaptureRules& rules, const CaptureInput& input) {
  if (!input.given_sizes) return default_sizes(rules);
  Sizes sizes = input.given_sizes->empty() ? sizes_of_an_empty_list() : *input.given_sizes;
  std::erase_if(sizes, [](std::int64_t size) { return size < 1; });
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

Capture failed(Capture::Failure failure, std::string text) {
  Capture capture;
  capture.unit = Capture::Unit::kSequences;
  capture.failure = failure;
  capture.failure_text = std::move(text);
  return capture;
}

/// Why the server of an older version does not start; nullopt if it does.
std::optional<Capture> refusal(const CaptureRules& rules, const CaptureInput& input,
                               const Sizes& sizes) {
  if (rules.oversized == Oversized::kDropped || sizes.empty()) return std::nullopt;
  if (rules.oversized == Oversized::kRefused && sizes.back() > input.max_sequences) {
    return failed(Capture::Failure::kSizeTooLarge,
                  fmt::format("the capture size {} is larger than max-num-seqs {}", sizes.back(),
                              input.max_sequences));
  }
  const std::int64_t width = 1 + input.speculative_tokens;
  const auto captured = std::ranges::upper_bound(sizes, input.max_sequences);
  if (captured == sizes.begin()) return std::nullopt;
  const std::int64_t largest = *std::prev(captured);
  if (largest <= input.step_tokens / width) return std::nullopt;
  return failed(Capture::Failure::kSizeTooLarge,
                fmt::format("the capture size {} needs {} tokens for each of its sequences, and a "
                            "step holds {}",
                            largest, width, input.step_tokens));
}

}  // namespace

CaptureRules capture_rules(const TurningPoints& changes) {
  CaptureRules rules;
  rules.default_512 = changes.has("capture-default-512");
  if (changes.has("capture-within-step")) return rules;
  rules.oversized =
      changes.has("capture-drops-sizes") ? Oversized::kSequencesOnly : Oversized::kRefused;
  return rules;
}

bool is_piecewise(std::string_view mode) {
  return mode == "PIECEWISE" || mode == "FULL_AND_PIECEWISE" || mode == "AF_PIECEWISE";
}

Capture capture(const CaptureRules& rules, const CaptureInput& input) {
  const std::int64_t width = 1 + input.speculative_tokens;
  const std::int64_t most = std::min(input.max_sequences, input.step_tokens / width);
  Capture result;
  result.unit = Capture::Unit::kSequences;
  if (!input.eager) {
    Sizes sizes = requested_sizes(rules, input);
    if (auto failure = refusal(rules, input, sizes)) return *std::move(failure);
    std::erase_if(sizes, [&](std::int64_t size) { return size > most; });
    if (sizes.empty()) {
      return failed(Capture::Failure::kNoSizeLeft,
                    fmt::format("no capture size is within the {} sequences of a step", most));
    }
    if (input.piecewise && input.most_piece_tokens) {
      std::erase_if(sizes,
                    [&](std::int64_t size) { return size > *input.most_piece_tokens / width; });
    }
    result.sizes = sizes;
    if (!input.piecewise) result.decode_sizes = std::move(sizes);
  }
  result.largest = result.sizes.empty() ? 0 : result.sizes.back();
  if (result.largest > 0) {
    auto& covered = input.piecewise ? result.piecewise : result.full;
    covered.push_back({1, result.largest});
  }
  if (result.largest < most) result.eager.push_back({result.largest + 1, most});
  return result;
}

}  // namespace recipelint::serving::atom
