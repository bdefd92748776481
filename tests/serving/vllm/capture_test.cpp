#include "analyzer/serving/vllm/capture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "analyzer/facts/catalog.h"

namespace recipelint::serving::vllm {
namespace {

using ::testing::ElementsAre;

enum class Era { kD, kE1, kE2, kF };

CaptureRules rules_of(Era era) {
  CaptureRules rules;
  rules.uniform_single = era == Era::kF;
  rules.uniform_sizes = era != Era::kD;
  rules.uniform_sizes_capped = era != Era::kE1;
  return rules;
}

CaptureInput decode_only(std::int64_t sequences, std::int64_t speculative_tokens) {
  CaptureInput input;
  input.runner = Runner::kV2;
  input.mode = GraphMode::kFullDecodeOnly;
  input.max_sequences = sequences;
  input.speculative_tokens = speculative_tokens;
  input.step_tokens = 8192;
  return input;
}

struct Worked {
  std::int64_t sequences;
  std::int64_t speculative_tokens;
  bool sm_10x;
  Era era;
  std::size_t sizes;
  std::int64_t largest;
  std::int64_t covered;
};

// Computed from the description of the later rules, for a budget of 8192 tokens and TP 1.
TEST(VllmCapture, AddsTheSizesThatDecodeBatchesHave) {
  const std::vector<Worked> cases = {
      {80, 3, false, Era::kE2, 51, 512, 80},     {448, 3, false, Era::kE2, 51, 512, 128},
      {448, 3, true, Era::kE2, 83, 1024, 256},   {448, 3, false, Era::kE1, 79, 1792, 448},
      {256, 24, false, Era::kE1, 84, 6400, 256}, {100, 2, false, Era::kE2, 56, 512, 100},
      {300, 2, true, Era::kE2, 98, 1024, 300},   {6, 6, false, Era::kE2, 17, 80, 6},
      {50, 0, false, Era::kE2, 15, 96, 48},      {50, 0, false, Era::kF, 16, 96, 50},
      {100, 0, false, Era::kF, 29, 200, 100},    {100, 2, false, Era::kD, 51, 512, 96},
  };
  for (const auto& worked : cases) {
    auto input = decode_only(worked.sequences, worked.speculative_tokens);
    input.sm_10x = worked.sm_10x;
    for (const auto runner : {Runner::kV1, Runner::kV2}) {
      input.runner = runner;
      const auto got = capture(rules_of(worked.era), input);
      SCOPED_TRACE(std::string(to_string(runner)) + " S=" + std::to_string(worked.sequences) +
                   " N=" + std::to_string(worked.speculative_tokens));
      EXPECT_EQ(got.covered(), worked.covered);
      if (runner == Runner::kV1) continue;  // it rounds the list
      EXPECT_EQ(got.largest, worked.largest);
      EXPECT_EQ(got.sizes.size(), worked.sizes);
    }
  }
}

TEST(VllmCapture, AGivenMaximumIsCutToTheLadder) {
  for (const auto era : {Era::kD, Era::kE1, Era::kE2, Era::kF}) {
    auto input = decode_only(6, 6);
    input.given_maximum = 42;
    const auto got = capture(rules_of(era), input);
    EXPECT_THAT(got.sizes, ElementsAre(1, 2, 4, 8, 16, 24, 32, 40));
    EXPECT_EQ(got.covered(), 5);
    EXPECT_THAT(got.eager, ElementsAre(BatchRange{6, 6}));
  }
}

TEST(VllmCapture, FindsTheRulesOfAVersion) {
  const facts::Catalog catalog;
  const auto rules = [&](const std::string& tag) {
    return capture_rules(catalog.version_of("vllm/vllm-openai:" + tag, "vllm"), catalog.versions());
  };
  EXPECT_FALSE(rules("v0.12.0").counts_speculation);
  EXPECT_TRUE(rules("v0.13.0").counts_speculation);
  EXPECT_FALSE(rules("v0.27.1").default_1024);
  EXPECT_TRUE(rules("v0.28.0").default_1024);
  EXPECT_FALSE(rules("v0.28.0").uniform_sizes);
  EXPECT_EQ(rules("v0.29.0"), rules_of(Era::kE2));
  EXPECT_EQ(rules("v0.32.0"), rules_of(Era::kF));
  const auto nightly = facts::EngineVersion::of_commit(1788069600, "main of 2026-08-30");
  EXPECT_TRUE(capture_rules(nightly, catalog.versions()).uniform_sizes);
  EXPECT_FALSE(capture_rules(nightly, catalog.versions()).uniform_sizes_capped);
}

TEST(VllmCapture, EveryRuleHasItsChange) {
  const facts::Catalog catalog;
  for (const auto id : capture_changes()) {
    EXPECT_NE(catalog.versions().find_change("vllm", id), nullptr) << id;
  }
}

TEST(VllmCapture, NothingIsCapturedInModeNone) {
  auto input = decode_only(8, 0);
  input.mode = GraphMode::kNone;
  const auto got = capture({}, input);
  EXPECT_TRUE(got.sizes.empty());
  EXPECT_THAT(got.eager, ElementsAre(BatchRange{1, 8}));
  EXPECT_EQ(got.covered(), 0);
}

TEST(VllmCapture, NothingAboveTheLargestSizeIsAGraphInAnyMode) {
  for (const auto mode : {GraphMode::kPiecewise, GraphMode::kFull, GraphMode::kFullDecodeOnly,
                          GraphMode::kFullAndPiecewise}) {
    auto input = decode_only(600, 0);
    input.mode = mode;
    const auto got = capture({}, input);
    EXPECT_THAT(got.eager, ElementsAre(BatchRange{513, 600})) << to_string(mode);
    EXPECT_EQ(got.use_of(512) == GraphUse::kPiecewise, mode == GraphMode::kPiecewise);
  }
}

TEST(VllmCapture, FullModeTakesEverySizeForEveryBatch) {
  auto input = decode_only(50, 0);
  input.mode = GraphMode::kFull;
  CaptureRules rules;
  rules.uniform_single = false;
  input.runner = Runner::kV1;
  EXPECT_THAT(capture(rules, input).full, ElementsAre(BatchRange{1, 50}));
}

TEST(VllmCapture, SaysWhyTheServerDoesNotStart) {
  auto zero = decode_only(448, 3);
  zero.given_maximum = 0;
  EXPECT_EQ(capture({}, zero).failure, Capture::Failure::kMaximumBelowOne);
  EXPECT_EQ(capture({}, zero).failure_text, "the largest size to capture is 0");

  auto disagree = decode_only(64, 3);
  disagree.given_maximum = 512;
  disagree.given_sizes = {256};
  EXPECT_EQ(capture({}, disagree).failure_text,
            "the largest size is given as 512, and the list ends at 256");

  auto empty = decode_only(64, 3);
  empty.given_sizes.emplace();
  EXPECT_EQ(capture({}, empty).failure, Capture::Failure::kEmptyList);

  auto widths = decode_only(64, 2);
  widths.runner = Runner::kV1;
  widths.tensor_parallel = 8;
  widths.sequence_parallelism = true;
  EXPECT_EQ(capture({}, widths).failure_text,
            "no size fits both 3 tokens a sequence and tensor parallelism 8");

  auto nothing = decode_only(128, 3);
  nothing.runner = Runner::kV1;
  nothing.given_maximum = 3;
  EXPECT_EQ(capture({}, nothing).failure_text,
            "none of the sizes 1, 2 is a multiple of 4 tokens a sequence");
  EXPECT_TRUE(capture({}, nothing).eager.empty());
}

TEST(VllmCapture, IsBoundedOnHostileInput) {
  constexpr auto kHuge = std::numeric_limits<std::int64_t>::max();
  auto input = decode_only(kHuge, kHuge);
  input.step_tokens = kHuge;
  input.given_maximum = kHuge;
  const auto got = capture({}, input);
  EXPECT_LE(got.largest, kMostTokens);
  EXPECT_EQ(got.failure, Capture::Failure::kNone);
  input.given_maximum.reset();
  input.given_sizes = {kHuge, -kHuge, 0};
  input.runner = Runner::kV1;
  CaptureRules early;
  early.list_within_budget = false;
  EXPECT_LE(capture(early, input).largest, 2 * kMostTokens);
  input.max_sequences = -5;
  input.speculative_tokens = -5;
  input.step_tokens = -5;
  EXPECT_EQ(capture({}, input).failure, Capture::Failure::kMaximumBelowOne);
}

TEST(VllmGraphMode, IsReadInAnyCase) {
  EXPECT_EQ(parse_graph_mode("full_and_piecewise"), GraphMode::kFullAndPiecewise);
  EXPECT_EQ(parse_graph_mode("FULL"), GraphMode::kFull);
  EXPECT_EQ(parse_graph_mode("FULL_"), std::nullopt);
  EXPECT_EQ(parse_graph_mode(""), std::nullopt);
}

}  // namespace
}  // namespace recipelint::serving::vllm
