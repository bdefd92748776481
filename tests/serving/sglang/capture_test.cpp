#include "analyzer/serving/sglang/capture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

namespace recipelint::serving::sglang {
namespace {

using ::testing::ElementsAre;
using Sizes = std::vector<std::int64_t>;

/// A sequence of steps: from, to (included), step.
Sizes steps(std::initializer_list<std::array<std::int64_t, 3>> ranges) {
  Sizes sizes;
  for (const auto& [from, to, step] : ranges) {
    for (auto size = from; size <= to; size += step) sizes.push_back(size);
  }
  return sizes;
}

CaptureInput input_of(std::int64_t maximum, std::int64_t requests) {
  CaptureInput input;
  input.maximum = maximum;
  input.most_requests = requests;
  input.pool = requests;
  return input;
}

TEST(SglangCapture, ClimbsWithoutSpeculation) {
  auto input = input_of(600, 4096);
  EXPECT_EQ(capture_ladder(input), steps({{1, 2, 1},
                                          {4, 4, 1},
                                          {8, 12, 4},
                                          {16, 256, 8},
                                          {272, 496, 16},
                                          {512, 576, 32},
                                          {600, 600, 1}}));
  input.maximum = 3;
  EXPECT_THAT(capture_ladder(input), ElementsAre(1, 2, 3));
  input.maximum = 512;
  EXPECT_EQ(capture_ladder(input).back(), 512);
  EXPECT_EQ(capture_ladder(input).size(), 52u);
}

TEST(SglangCapture, ClimbsFinerWithSpeculation) {
  auto input = input_of(300, 4096);
  input.speculation = true;
  EXPECT_EQ(
      capture_ladder(input),
      steps({{1, 8, 1}, {10, 32, 2}, {40, 64, 4}, {72, 256, 8}, {272, 288, 16}, {300, 300, 1}}));
}

TEST(SglangCapture, CapturesEverySizeWithoutPadding) {
  auto input = input_of(20, 20);
  input.padding = false;
  EXPECT_EQ(capture_ladder(input), steps({{1, 20, 1}}));
  input.given_sizes = Sizes{1, 4, 20};
  const auto result = capture(input);
  EXPECT_THAT(result.full, ElementsAre(BatchRange{1, 1}, BatchRange{4, 4}, BatchRange{20, 20}));
  EXPECT_THAT(result.eager, ElementsAre(BatchRange{2, 3}, BatchRange{5, 19}));
}

TEST(SglangCapture, DidNotAppendTheMaximumBefore) {
  for (const auto& [maximum, last] :
       std::vector<std::pair<int, int>>{{20, 16}, {100, 96}, {300, 288}}) {
    auto input = input_of(maximum, maximum);
    input.maximum_appended = false;
    const auto result = capture(input);
    EXPECT_EQ(result.largest, last);
    EXPECT_THAT(result.eager, ElementsAre(BatchRange{last + 1, maximum}));
    input.maximum_appended = true;
    EXPECT_EQ(capture(input).covered(), maximum);
  }
}

TEST(SglangCapture, StopsAtThePool) {
  // tp 8, dp 8: 128 requests are 16 a rank.
  const auto result = capture(input_of(512, 16));
  EXPECT_THAT(result.sizes, ElementsAre(1, 2, 4, 8, 12, 16));
  EXPECT_EQ(result.unit, Capture::Unit::kSequences);
  EXPECT_THAT(result.full, ElementsAre(BatchRange{1, 16}));
  EXPECT_THAT(result.eager, ElementsAre());
  // The pool is a size of its own if the ladder does not hit it.
  EXPECT_THAT(capture(input_of(64, 18)).sizes, ElementsAre(1, 2, 4, 8, 12, 16, 18));
}

TEST(SglangCapture, KeepsWhatTheRanksDivide) {
  // tp 8, dp 2, 64 requests: 4 ranks share the attention of 32.
  auto input = input_of(64, 32);
  input.gathers = true;
  input.attention_tensor = 4;
  EXPECT_THAT(capture(input).sizes, ElementsAre(4, 8, 12, 16, 24, 32));
  input.speculation = true;
  input.width = 4;
  EXPECT_THAT(capture(input).sizes,
              ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32));
  // Two batches at once count requests, not tokens.
  input.two_batch_overlap = true;
  EXPECT_THAT(capture(input).sizes, ElementsAre(8, 16, 24, 32));
}

TEST(SglangCapture, CountsContextRanksOnce) {
  auto input = input_of(64, 64);
  input.gathers = true;
  input.attention_tensor = 2;
  input.attention_context = 4;
  EXPECT_THAT(capture(input).sizes, ElementsAre(8, 16, 24, 32, 40, 48, 56, 64));
  input.attention_tensor = 4;  // a multiple already
  EXPECT_THAT(capture(input).sizes, ElementsAre(4, 8, 12, 16, 24, 32, 40, 48, 56, 64));
}

TEST(SglangCapture, FailsWithoutASize) {
  auto input = input_of(3, 8);
  input.gathers = true;
  input.attention_tensor = 8;
  const auto result = capture(input);
  EXPECT_EQ(result.failure, Capture::Failure::kNoSizeLeft);
  EXPECT_TRUE(result.sizes.empty());
  EXPECT_EQ(result.covered(), 0);
}

TEST(SglangCapture, RunsLargerBatchesEagerly) {
  const auto result = capture(input_of(256, 384));
  EXPECT_THAT(result.full, ElementsAre(BatchRange{1, 256}));
  EXPECT_THAT(result.eager, ElementsAre(BatchRange{257, 384}));
}

TEST(SglangCapture, FollowsTheBackend) {
  auto input = input_of(8, 10);
  input.backend = GraphBackend::kBreakable;
  EXPECT_THAT(capture(input).piecewise, ElementsAre(BatchRange{1, 8}));
  input.backend = GraphBackend::kDisabled;
  EXPECT_TRUE(capture(input).sizes.empty());
  EXPECT_THAT(capture(input).eager, ElementsAre(BatchRange{1, 10}));
  EXPECT_EQ(parse_graph_backend("tc_piecewise"), GraphBackend::kPiecewise);
  EXPECT_EQ(parse_graph_backend("piecewise"), std::nullopt);
}

TEST(SglangCapture, SurvivesAnything) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  for (const std::int64_t number : {-kHuge, std::int64_t{-1}, std::int64_t{0}, kHuge}) {
    auto input = input_of(number, number);
    input.gathers = true;
    input.attention_tensor = number;
    input.attention_context = number;
    input.width = 4;
    EXPECT_LE(capture(input).sizes.size(), 65536u);
    input.padding = false;
    EXPECT_LE(capture(input).sizes.size(), 65536u);
    input.given_sizes = Sizes{number, 1};
    EXPECT_LE(capture(input).sizes.size(), 65536u);
  }
}

}  // namespace
}  // namespace recipelint::serving::sglang
