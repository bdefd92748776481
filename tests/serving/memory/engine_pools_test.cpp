#include "analyzer/serving/memory/engine_pools.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <string_view>

#include "analyzer/facts/catalog.h"
#include "analyzer/serving/memory/linear_state.h"

namespace recipelint::serving::memory {
namespace {

using launch::Engine;

const facts::ModelFamily& family(std::string_view name) {
  static const facts::Catalog catalog;
  for (const auto& each : catalog.models().families()) {
    if (each.name == name) return each;
  }
  throw std::out_of_range(std::string(name));
}

KvRequest of(double length, KvFormat format) {
  KvRequest request;
  request.length = length;
  request.format = format;
  return request;
}

double bytes(Engine engine, std::string_view model, const KvRequest& request) {
  const auto need = pool_need(engine, family(model), request);
  EXPECT_TRUE(need.ok()) << need.error().message;
  return need ? need->bytes() : 0;
}

std::string error(Engine engine, std::string_view model, const KvRequest& request) {
  const auto need = pool_need(engine, family(model), request);
  return need ? "" : need.error().message;
}

TEST(SglangPool, CompressedAttentionCountsByTheToken) {
  // 0.25 * 584 * 30 + 584 * 31 / 128, 0.25 * 132 * 30, 0.1 * (584 * 61 + 8 / 128 * 10240 * 30)
  KvRequest request = of(1'000'000, KvFormat::kFp8);
  request.window_ratio = 0.1;
  const double row = 4380 + 141.4375 + 990 + 3562.4 + 1920;
  EXPECT_NEAR(bytes(Engine::kSglang, "DeepSeek-V4-Pro", request), row * 1e6, 1);
  // A ring of 16 rows under speculation, and a layer more.
  request.speculative_tokens = 3;
  request.draft_layers = 1;
  EXPECT_NEAR(bytes(Engine::kSglang, "DeepSeek-V4-Pro", request), (row + 1920) * 62 / 61 * 1e6, 1);
  const double before = bytes(Engine::kSglang, "DeepSeek-V4-Pro", request);
  request.states = 64;
  EXPECT_NEAR(bytes(Engine::kSglang, "DeepSeek-V4-Pro", request) - before, 1.01 * kGib, 1);
  request.format = KvFormat::kBf16;
  EXPECT_EQ(error(Engine::kSglang, "DeepSeek-V4-Pro", request),
            "the layout of SGLang for compressed attention in this KV cache dtype");
}

TEST(SglangPool, StatesOfLinearAttentionLieBesideIt) {
  // 15 layers of full attention, one head of 256 numbers on each of 4 ranks.
  KvRequest request = of(10'000, KvFormat::kFp8);
  request.tensor = 4;
  const double keys = 15.0 * 2 * 256 * 10'000;
  EXPECT_EQ(bytes(Engine::kSglang, "Qwen3.5-397B", request), keys);
  request.state_share = 0.9;
  EXPECT_NEAR(bytes(Engine::kSglang, "Qwen3.5-397B", request), 1.9 * keys, 1);
  request.state_share = 0;
  request.states = 320;
  const double state = 16.0 * 128 * 128 * 4 + 3 * (16 + 2 * 4) * 128 * 2;
  EXPECT_EQ(bytes(Engine::kSglang, "Qwen3.5-397B", request), keys + 320 * 45 * state);
  request.state_element = 2;
  EXPECT_EQ(bytes(Engine::kSglang, "Qwen3.5-397B", request),
            keys + 320 * 45 * (state - 16.0 * 128 * 128 * 2));
}

TEST(LinearState, IsDividedByTensorParallelism) {
  const Shape kimi(family("Kimi-K3"));
  EXPECT_EQ(linear_state_bytes(kimi, 8), 12.0 * 128 * 128 * 4 + 3 * 3 * 12 * 128 * 2);
  EXPECT_EQ(linear_state_bytes(kimi, 8, 2), 12.0 * 128 * 128 * 2 + 3 * 3 * 12 * 128 * 2);
}

TEST(TensorRtLlmPool, ChargesTheIndexByTheBlock) {
  KvRequest request = of(64'000, KvFormat::kFp8);
  request.block_size = 64;
  EXPECT_EQ(bytes(Engine::kTensorRtLlm, "GLM-5.2", request), 78.0 * (576 + 132) * 64'000);
  request.block_size = 0;  // 32: the index counts twice
  EXPECT_EQ(bytes(Engine::kTensorRtLlm, "GLM-5.2", request), 78.0 * (576 + 264) * 64'000);
  request.format = KvFormat::kBf16;
  EXPECT_EQ(bytes(Engine::kTensorRtLlm, "GLM-5.2", request), 2 * 78.0 * (576 + 264) * 64'000);
}

TEST(TensorRtLlmPool, KeepsAStateForEverySequence) {
  KvRequest request = of(9'000, KvFormat::kFp8);
  request.tensor = 4;
  request.states = 64;
  const double state = 16.0 * 128 * 128 * 4 + 3 * (16 + 2 * 4) * 128 * 2;
  EXPECT_EQ(bytes(Engine::kTensorRtLlm, "Qwen3.5-397B", request),
            15.0 * 2 * 256 * 9'024 + 64 * 45 * state);
}

TEST(TensorRtLlmPool, NamesWhatNobodyWroteDown) {
  const KvRequest request = of(9'000, KvFormat::kFp8);
  EXPECT_EQ(error(Engine::kTensorRtLlm, "DeepSeek-V4-Pro", request),
            "the layout of compressed attention in TensorRT-LLM");
  EXPECT_EQ(error(Engine::kTensorRtLlm, "MiniMax-M3", request),
            "the layout of index keys in TensorRT-LLM");
}

}  // namespace
}  // namespace recipelint::serving::memory
