#include "analyzer/serving/trtllm/capture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <utility>
#include <vector>

namespace recipelint::serving::trtllm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Sizes = std::vector<std::int64_t>;

CaptureInput input_of(std::int64_t requests, std::int64_t tokens, std::int64_t width,
                      Padding padding, std::optional<Sizes> sizes = std::nullopt) {
  CaptureInput input;
  input.max_batch_size = requests;
  input.step_tokens = tokens;
  input.tokens_per_request = width;
  input.padding = padding;
  input.given_sizes = std::move(sizes);
  return input;
}

TEST(TrtllmCapture, DropsWhatARankCannotHave) {
  // [1,2,4], max_batch_size 1, MTP 3, max_num_tokens 4.
  const auto one = capture({}, input_of(1, 4, 4, Padding::kOn, {{1, 2, 4}}));
  EXPECT_EQ(one.unit, Capture::Unit::kSequences);
  EXPECT_THAT(one.sizes, ElementsAre(1));
  EXPECT_THAT(one.full, ElementsAre(BatchRange{1, 1}));
  EXPECT_THAT(one.eager, IsEmpty());
  // max_batch_size 512, MTP 3, max_num_tokens 128: no more than 32.
  const auto capped =
      capture({}, input_of(512, 128, 4, Padding::kOn, {{1, 2, 4, 8, 16, 32, 64, 128}}));
  EXPECT_THAT(capped.sizes, ElementsAre(1, 2, 4, 8, 16, 32));
  EXPECT_EQ(capped.covered(), 32);
  EXPECT_THAT(capped.eager, IsEmpty());
}

TEST(TrtllmCapture, PaddingReplacesTheFirstSizeThatIsTooLarge) {
  const Sizes sizes = {1, 2, 4, 8, 16, 32, 64, 128};
  const auto padded = capture({}, input_of(100, 8192, 1, Padding::kOn, sizes));
  EXPECT_THAT(padded.sizes, ElementsAre(1, 2, 4, 8, 16, 32, 64, 100));
  EXPECT_THAT(padded.full, ElementsAre(BatchRange{1, 100}));
  const auto exact = capture({}, input_of(100, 8192, 1, Padding::kOff, sizes));
  EXPECT_EQ(exact.largest, 64);
  EXPECT_EQ(exact.use_of(64), GraphUse::kFull);
  EXPECT_EQ(exact.use_of(65), GraphUse::kEager);
  EXPECT_EQ(exact.use_of(100), GraphUse::kEager);
}

TEST(TrtllmCapture, WithoutPaddingOnlyCapturedSizesReplay) {
  const auto capture = trtllm::capture({}, input_of(8, 8192, 1, Padding::kOff, {{1, 2, 4, 8}}));
  EXPECT_THAT(capture.full, ElementsAre(BatchRange{1, 2}, BatchRange{4, 4}, BatchRange{8, 8}));
  EXPECT_THAT(capture.eager, ElementsAre(BatchRange{3, 3}, BatchRange{5, 7}));
}

Sizes generated(std::int64_t maximum, Padding padding, CaptureRules rules = {}) {
  CaptureInput input = input_of(1 << 20, 1 << 20, 1, padding);
  input.given_maximum = maximum;
  return capture(rules, input).sizes;
}

TEST(TrtllmCapture, GeneratesSizesFromTheMaximum) {
  Sizes by_8 = {1, 2, 4};
  for (std::int64_t size = 8; size <= 128; size += 8) by_8.push_back(size);
  EXPECT_EQ(generated(0, Padding::kOn), by_8);  // 128 by default
  Sizes larger = by_8;
  larger.insert(larger.end(), {192, 256, 300});
  EXPECT_EQ(generated(300, Padding::kOn), larger);
  Sizes doubled = by_8;
  doubled.insert(doubled.end(), {256, 512, 600});
  EXPECT_EQ(generated(600, Padding::kOn, {false}), doubled);
  EXPECT_THAT(generated(20, Padding::kOn), ElementsAre(1, 2, 4, 8, 16, 20));
  Sizes exact(32);
  std::iota(exact.begin(), exact.end(), 1);
  exact.insert(exact.end(), {64, 128, 256, 300});
  EXPECT_EQ(generated(300, Padding::kOff), exact);
}

TEST(TrtllmCapture, RefusesAMaximumBesideAnotherList) {
  CaptureInput input = input_of(64, 8192, 1, Padding::kOn, {{1, 32}});
  input.given_maximum = 64;
  EXPECT_EQ(capture({}, input).failure, Capture::Failure::kMaximumAndListDisagree);
  input.given_maximum = 32;
  EXPECT_EQ(capture({}, input).failure, Capture::Failure::kNone);
}

TEST(TrtllmCapture, CapturesNothingIfItIsOffOrNothingFits) {
  CaptureInput input = input_of(4, 8192, 1, Padding::kOff);
  input.enabled = false;
  EXPECT_THAT(capture({}, input).eager, ElementsAre(BatchRange{1, 4}));
  // A step that holds no request.
  const auto none = capture({}, input_of(8, 3, 4, Padding::kOn, {{1, 2}}));
  EXPECT_THAT(none.sizes, IsEmpty());
  EXPECT_THAT(none.full, IsEmpty());
}

}  // namespace
}  // namespace recipelint::serving::trtllm
