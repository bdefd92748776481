#include "analyzer/serving/memory/kv_need.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/facts/catalog.h"
#include "analyzer/serving/memory/interval.h"

namespace recipelint::serving::memory {
namespace {

constexpr double kMillion = 1 << 20;

const facts::ModelFamily& family(std::string_view name) {
  static const facts::Catalog catalog;
  for (const auto& each : catalog.models().families()) {
    if (each.name == name) return each;
  }
  throw std::out_of_range(std::string(name));
}

/// GiB with two digits, or what is missing.
std::string need(std::string_view model, const KvRequest& request) {
  const auto result = kv_need(family(model), request);
  if (!result) return result.error().message;
  return fmt::format("{:.2f}", result->bytes() / kGib);
}

/// The same for several sizes of tensor parallelism: "46.50 / 23.25".
std::string needs(std::string_view model, KvRequest request, const std::vector<double>& tensor) {
  std::string text;
  for (const double ranks : tensor) {
    request.tensor = ranks;
    text += (text.empty() ? "" : " / ") + need(model, request);
  }
  return text;
}

KvRequest of(double length, KvFormat format) {
  KvRequest request;
  request.length = length;
  request.format = format;
  return request;
}

TEST(KvNeed, LatentAttention) {
  EXPECT_EQ(need("DeepSeek-R1", of(163840, KvFormat::kBf16)), "10.72");
  EXPECT_EQ(need("Kimi-K2.5", of(262144, KvFormat::kBf16)), "17.16");
  EXPECT_EQ(need("DeepSeek-R1", of(163840, KvFormat::kFp8)), "5.36");
  EXPECT_EQ(need("Kimi-K2.5", of(262144, KvFormat::kFp8)), "8.58");
  // The latent is on every rank.
  EXPECT_EQ(needs("Kimi-K2.5", of(262144, KvFormat::kFp8), {1, 4, 8}), "8.58 / 8.58 / 8.58");
  EXPECT_EQ(mla_row(512, 64, KvFormat::kFp8Scaled).value(), 656);
}

TEST(KvNeed, LatentAttentionWithAnIndex) {
  EXPECT_EQ(need("GLM-5", of(202752, KvFormat::kBf16)), "18.91");
  EXPECT_EQ(need("GLM-5", of(202752, KvFormat::kFp8Scaled)), "11.61");
  EXPECT_EQ(need("GLM-5.2", of(kMillion, KvFormat::kFp8)), "46.58");
  EXPECT_EQ(need("GLM-5.2", of(kMillion, KvFormat::kFp8Scaled)), "52.68");
  EXPECT_EQ(need("GLM-5.2", of(kMillion, KvFormat::kBf16)), "90.46");
}

TEST(KvNeed, GroupedHeads) {
  EXPECT_EQ(needs("MiniMax-M2.5", of(196608, KvFormat::kBf16), {1, 2, 4, 8}),
            "46.50 / 23.25 / 11.62 / 5.81");
  EXPECT_EQ(needs("Llama-3.x-70B", of(131072, KvFormat::kBf16), {1, 2, 4, 8}),
            "40.00 / 20.00 / 10.00 / 5.00");
  // 8 heads on 16 ranks: each has a whole one.
  EXPECT_EQ(needs("MiniMax-M2.5", of(196608, KvFormat::kBf16), {16}), "5.81");
  EXPECT_EQ(gqa_row(8, 128, 1, KvFormat::kNvfp4), 2 * 8 * (64 + 8));
}

TEST(KvNeed, GroupedHeadsWithAnIndex) {
  EXPECT_EQ(needs("MiniMax-M3", of(kMillion, KvFormat::kFp8), {1, 2, 4, 8}),
            "67.12 / 37.12 / 22.12 / 22.12");
  KvRequest bf16 = of(kMillion, KvFormat::kBf16);
  bf16.index = IndexFormat::kBf16;
  EXPECT_EQ(needs("MiniMax-M3", bf16, {1, 2, 4, 8}), "134.25 / 74.25 / 44.25 / 44.25");
  KvRequest eagle3 = of(kMillion, KvFormat::kFp8);
  eagle3.draft_layers = 1;
  EXPECT_EQ(needs("MiniMax-M3", eagle3, {2}), "37.62");
}

TEST(KvNeed, LatentAndLinearAttention) {
  EXPECT_EQ(needs("Kimi-K3", of(kMillion, KvFormat::kFp8), {1, 4, 8, 16}),
            "14.52 / 13.76 / 13.63 / 13.57");
  EXPECT_EQ(needs("Kimi-K3", of(kMillion, KvFormat::kBf16), {4, 8}), "27.25 / 27.13");
  KvRequest dspark = of(kMillion, KvFormat::kFp8);
  dspark.draft_layers = 5;
  dspark.speculative_tokens = 2;
  EXPECT_EQ(needs("Kimi-K3", dspark, {4, 8}), "16.90 / 16.61");
  KvRequest without_prefix_cache = of(kMillion, KvFormat::kFp8);
  without_prefix_cache.prefix_caching = false;
  without_prefix_cache.tensor = 8;
  EXPECT_EQ(need("Kimi-K3", without_prefix_cache), "13.57");
}

TEST(KvNeed, GroupedHeadsAndLinearAttention) {
  KvRequest request = of(262144, KvFormat::kBf16);
  request.draft_layers = 1;
  EXPECT_EQ(needs("Qwen3.5-397B", request, {1, 2, 4, 8}), "8.44 / 4.22 / 4.11 / 4.05");
  request.speculative_tokens = 1;
  EXPECT_EQ(needs("Qwen3.5-397B", request, {1, 2, 4, 8}), "8.64 / 4.32 / 4.16 / 4.08");
}

TEST(KvNeed, SlidingWindows) {
  KvRequest request = of(131072, KvFormat::kBf16);
  request.in_flight = 8192;
  EXPECT_EQ(needs("gpt-oss-120b", request, {1, 2, 4, 8}), "4.79 / 2.39 / 1.20 / 0.60");
  request.in_flight = 1024;
  EXPECT_EQ(need("gpt-oss-120b", request), "4.54");
  // Without hybrid layers a window takes what full attention takes: 36 * 2048 * 131072.
  request.hybrid = false;
  EXPECT_EQ(need("gpt-oss-120b", request), "9.00");
}

TEST(KvNeed, CompressedAttention) {
  const std::vector<std::pair<IndexFormat, std::string>> rows = {
      {IndexFormat::kFp8, "6.84 / 10.28 / 14.88 / 24.06"},
      {IndexFormat::kFp4, "6.26 / 9.42 / 13.62 / 22.03"},
  };
  for (const auto& [index, expected] : rows) {
    KvRequest request = of(kMillion, KvFormat::kFp8Scaled);
    request.index = index;
    std::string text;
    for (const double in_flight : {2048, 8192, 16384, 32768}) {
      request.in_flight = in_flight;
      text += (text.empty() ? "" : " / ") + need("DeepSeek-V4-Pro", request);
    }
    EXPECT_EQ(text, expected);
  }
}

TEST(KvNeed, SplitsTheNeedOfCompressedAttentionIntoTerms) {
  KvRequest request = of(kMillion, KvFormat::kFp8Scaled);
  request.in_flight = 16384;
  request.draft_layers = 1;
  const auto result = kv_need(family("DeepSeek-V4-Pro"), request);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->bytes(), 15'973'513'344);  // 31 tuples of 47,808 bytes, 10,778 pages
  double in_flight = 0;
  for (const KvTerm& term : result->terms) in_flight += term.in_flight ? term.bytes : 0;
  EXPECT_EQ(in_flight, 31.0 * 47808 * (10778 - 4096));
}

TEST(KvNeed, ContextParallelismDividesFullAttention) {
  KvRequest request = of(262144, KvFormat::kFp8);
  request.context = 8;
  EXPECT_EQ(need("Kimi-K2.5", request), "1.07");
  EXPECT_EQ(need("DeepSeek-V4-Pro", request), "what context parallelism does to layers with windows");
}

TEST(KvNeed, SaysWhatIsMissing) {
  KvRequest request = of(kMillion, KvFormat::kFp8);
  request.hybrid = false;
  EXPECT_EQ(need("DeepSeek-V4-Pro", request), "what the engine needs without hybrid layers");
  EXPECT_EQ(need("Kimi-K3", request), "what one pool for each kind of layer would take");
  EXPECT_EQ(need("Kimi-K2.5", of(0, KvFormat::kFp8)), "a plausible size of the request");
  EXPECT_EQ(need("Kimi-K2.5", of(9e18, KvFormat::kFp8)), "a plausible size of the request");
  EXPECT_EQ(need("Kimi-K2.5", of(4096, KvFormat::kNvfp4)),
            "the layout of nvfp4 for latent attention");
}

}  // namespace
}  // namespace recipelint::serving::memory
