#include "analyzer/serving/memory/weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "analyzer/facts/catalog.h"

namespace recipelint::serving::memory {
namespace {

const facts::Catalog& catalog() {
  static const facts::Catalog catalog;
  return catalog;
}

const facts::Model& model(std::string_view repository) {
  return *catalog().models().find_model(repository);
}

Interval gib(std::string_view repository, const Sharding& sharding, const LoadedParts& parts) {
  const auto weights = weights_per_gpu(model(repository), catalog().memory(), sharding, parts);
  EXPECT_TRUE(weights.ok()) << repository;
  if (!weights) return {};
  return {weights->low / kGib, weights->nominal / kGib, weights->high / kGib};
}

Sharding tensor(double ranks) {
  Sharding sharding;
  sharding.experts = sharding.others = ranks;
  return sharding;
}

/// Data-parallel attention over so many ranks.
Sharding data(double ranks) {
  Sharding sharding;
  sharding.experts = ranks;
  sharding.replicated = true;
  return sharding;
}

Sharding data_and_experts(double ranks) {
  Sharding sharding = data(ranks);
  sharding.experts_cut = false;
  return sharding;
}

constexpr LoadedParts kPlain;
constexpr LoadedParts kWithMtp{true, true, false};

TEST(Weights, TheLeastIsAnIdealCutOfWhatIsLoaded) {
  // checkpoint - experts - MTP experts is on every rank, the rest is cut by 4.
  EXPECT_NEAR(gib("deepseek-ai/DeepSeek-V4-Pro", data_and_experts(4), kWithMtp).low, 221.4, 0.05);
  EXPECT_NEAR(gib("nvidia/MiniMax-M3-NVFP4", tensor(2), kPlain).low, 116.5, 0.05);
  EXPECT_NEAR(gib("moonshotai/Kimi-K3", tensor(8), kPlain).low, 181.7, 0.05);
  EXPECT_NEAR(gib("moonshotai/Kimi-K2.5", tensor(8), kPlain).low, 69.3, 0.05);
  EXPECT_NEAR(gib("zai-org/GLM-5-FP8", tensor(8), kPlain).low, 86.6, 0.05);
  EXPECT_NEAR(gib("MiniMaxAI/MiniMax-M2.5", tensor(4), kPlain).low, 53.1, 0.05);
  EXPECT_NEAR(gib("MiniMaxAI/MiniMax-M3-MXFP8", data_and_experts(8), kPlain).low, 66.3, 0.05);
}

TEST(Weights, MtpExpertsAndAVisionTowerMayStayAway) {
  const double with = gib("deepseek-ai/DeepSeek-V4-Pro", tensor(8), kWithMtp).low;
  const double without = gib("deepseek-ai/DeepSeek-V4-Pro", tensor(8), kPlain).low;
  EXPECT_NEAR((with - without) * 8 * kGib, 25'370'000'000 * 0.53125, 1e6);
  const LoadedParts text_only{false, false, false};
  EXPECT_NEAR((gib("moonshotai/Kimi-K2.5", tensor(1), kPlain).low -
               gib("moonshotai/Kimi-K2.5", tensor(1), text_only).low) *
                  kGib,
              2 * 400'000'000.0, 1e6);
}

TEST(Weights, ContainWhatEnginesLoaded) {
  struct Case {
    std::string_view repository;
    Sharding sharding;
    LoadedParts parts;
    double measured;
  };
  // Engine logs in public reports.
  const LoadedParts with_draft{false, true, true};
  const Case cases[] = {
      {"deepseek-ai/DeepSeek-V4-Pro", data_and_experts(4), kWithMtp, 224.83},
      {"deepseek-ai/DeepSeek-V4-Pro", data(8), kPlain, 160.66},
      {"deepseek-ai/DeepSeek-V4-Pro", tensor(8), kPlain, 138.85},
      {"deepseek-ai/DeepSeek-V4-Pro", tensor(8), with_draft, 141.53},
      {"nvidia/DeepSeek-R1-0528-FP4-V2", tensor(4), kPlain, 94.5},
      {"nvidia/Qwen3.5-397B-A17B-NVFP4", tensor(4), kPlain, 56.12},
  };
  for (const Case& each : cases) {
    const Interval weights = gib(each.repository, each.sharding, each.parts);
    EXPECT_LE(weights.low, each.measured) << each.repository;
    EXPECT_GE(weights.high, each.measured) << each.repository << " " << each.measured;
    EXPECT_LE(weights.low, weights.nominal) << each.repository;
    EXPECT_LE(weights.nominal, weights.high) << each.repository;
  }
}

TEST(Weights, PaddingOnlyRaisesTheMost) {
  // 3072 columns on 8 ranks are 384, padded to 512.
  const Interval cut = gib("deepseek-ai/DeepSeek-V4-Pro", data(8), kPlain);
  const Interval whole = gib("deepseek-ai/DeepSeek-V4-Pro", data_and_experts(8), kPlain);
  EXPECT_EQ(cut.low, whole.low);
  EXPECT_EQ(cut.nominal, whole.nominal);
  EXPECT_NEAR((cut.high - whole.high) * kGib, 1'547'400'000'000 * 0.53125 / 8 / 3 * 1.08, 1e7);
}

TEST(Weights, PipelineStagesShareThem) {
  Sharding sharding = tensor(4);
  sharding.pipeline = 2;
  EXPECT_DOUBLE_EQ(gib("moonshotai/Kimi-K3", sharding, kPlain).low,
                   gib("moonshotai/Kimi-K3", tensor(8), kPlain).low);
}

TEST(Weights, NameTheMissingFact) {
  facts::Model unknown = model("moonshotai/Kimi-K3");
  unknown.precision = "fp5";
  const auto failed = weights_per_gpu(unknown, catalog().memory(), tensor(1), kPlain);
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().message, "the size of weights in 'fp5'");
  unknown.bytes_low.reset();
  EXPECT_EQ(weights_per_gpu(unknown, catalog().memory(), tensor(1), kPlain).error().message,
            "the size of the checkpoint 'moonshotai/Kimi-K3'");
}

TEST(MemoryFacts, KnowTheFormatOfEveryModel) {
  const auto& facts = catalog().memory();
  for (const auto& each : catalog().models().models()) {
    const auto* format = facts.find_format(each.precision);
    ASSERT_NE(format, nullptr) << each.repository;
    if (!each.bytes_low) continue;
    // A checkpoint holds its experts at least.
    const double experts = static_cast<double>(each.family->number("expert_params").value_or(0));
    EXPECT_GE(static_cast<double>(*each.bytes_high), experts * format->bytes_per_parameter)
        << each.repository;
  }
  for (const auto& point : facts.measurements()) {
    EXPECT_NE(catalog().models().find_gpu(point.gpu), nullptr) << point.gpu;
    EXPECT_NE(facts.find_format(point.precision), nullptr) << point.precision;
    EXPECT_FALSE(point.evidence->source.empty());
  }
}

TEST(MemoryFacts, NameTheLineThatIsWrong) {
  const std::string head = "@source\ts\n@date\t2026-08-17\n";
  const std::string point = "vllm\tF\tfp8\th100\t0.26.0\t8\t1\t1\t0.9\t-\t-\t1\t-\t-\t-\n";
  const auto problem = [&](const std::string& formats, const std::string& measurements) {
    const std::string format_text = head + formats;
    const std::string measurement_text = head + measurements;
    using facts::MemoryFacts;
    using facts::Table;
    const auto facts =
        MemoryFacts::read(Table::parse(format_text, MemoryFacts::kFormatColumns).value(),
                          Table::parse(measurement_text, MemoryFacts::kMeasurementColumns).value());
    return facts.ok() ? "" : facts.error().message;
  };
  EXPECT_EQ(problem("fp8\t1.5\tsame\t-\n", point), "");
  EXPECT_EQ(problem("fp8\tone\tsame\t-\n", ""), "weight formats: line 3: 'fp8': bytes is a number");
  EXPECT_EQ(problem("fp8\t1\tboth\t-\n", ""),
            "weight formats: line 3: 'fp8': drafts are same or any");
  EXPECT_EQ(problem("fp8\t1\tsame\t-\nfp8\t1\tsame\t-\n", ""),
            "weight formats: line 4: 'fp8': this format is there twice");
  EXPECT_EQ(problem("", "vllm\tF\tfp8\th100\t-\t0\t1\t1\t0.9\t-\t-\t1\t-\t-\t-\n"),
            "memory measurements: line 3: 'vllm': tensor, data and expert are numbers from 1");
  EXPECT_EQ(problem("", "vllm\tF\tfp8\th100\t-\t1\t1\t1\tnan\t-\t-\t1\t-\t-\t-\n"),
            "memory measurements: line 3: 'vllm': the measures are numbers");
  EXPECT_EQ(problem("", "vllm\tF\tfp8\th100\t-\t1\t1\t1\t0.9\t-\t-\t-\t-\t-\t-\n"),
            "memory measurements: line 3: 'vllm': nothing is measured");
}

}  // namespace
}  // namespace recipelint::serving::memory
