#include "analyzer/serving/memory/memory_fit.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts/catalog.h"
#include "analyzer/serving/memory/overhead.h"

namespace recipelint::serving::memory {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Models of public reports that the catalogue lacks.
constexpr const char* kFamilies =
    "@source\tshapes for this test\n@date\t2026-08-22\n"
    "Llama-3.3-70B\tLlamaForCausalLM\tgqa\tdense\texpert_params=0 head_dim=128 "
    "max_position_embeddings=131072 mtp_expert_params=0 nonexpert_params=70550000000 "
    "num_attention_heads=64 num_hidden_layers=80 num_key_value_heads=8 "
    "total_params=70550000000\t-\n"
    "Kimi-K2-Thinking\tDeepseekV3ForCausalLM\tmla\tmoe\texpert_params=1014690000000 "
    "kv_lora_rank=512 max_position_embeddings=262144 moe_intermediate_size=2048 "
    "mtp_expert_params=0 nonexpert_params=11600000000 num_attention_heads=64 num_hidden_layers=61 "
    "qk_rope_head_dim=64 total_params=1026200000000\t-\n";
constexpr const char* kModels =
    "@source\tshapes for this test\n@date\t2026-08-22\n"
    "test/"
    "Llama-3.3-70B-FP8\tLlama-3.3-70B\tfp8\t72600000000\t72600000000\tpublished\tnone\tbf16\t-\n"
    "test/Kimi-K2-Thinking\tKimi-K2-Thinking\tint4 "
    "(compressed-tensors)\t595000000000\t595000000000\tpublished\tnone\tbf16\t-\n";
constexpr const char* kNoGpus = "@source\tnone\n@date\t2026-08-22\n";

const facts::Catalog& catalog() {
  static const facts::Catalog catalog;
  return catalog;
}

const facts::Model* model(std::string_view repository) {
  using facts::ModelFacts;
  using facts::Table;
  static const ModelFacts own =
      ModelFacts::read(Table::parse(kFamilies, ModelFacts::kFamilyColumns).value(),
                       Table::parse(kModels, ModelFacts::kModelColumns).value(),
                       Table::parse(kNoGpus, ModelFacts::kGpuColumns).value())
          .value();
  const auto* found = own.find_model(repository);
  return found != nullptr ? found : catalog().models().find_model(repository);
}

MemoryQuestion question(std::string_view repository, std::string_view gpu, double length) {
  MemoryQuestion question;
  question.model = model(repository);
  question.gpu = catalog().models().find_gpu(gpu);
  question.length = length;
  question.step_tokens = {8192};
  question.formats = {KvFormat::kBf16};
  question.fraction = Interval::exactly(0.9);
  return question;
}

MemoryFit fit(const MemoryQuestion& question) {
  return memory_fit(question, catalog().memory());
}

constexpr double kMillion = 1 << 20;

/// DeepSeek-V4-Pro on four MI355X with data-parallel attention and whole experts: the launch of
/// InferenceX#2540, which did not start.
MemoryQuestion four_mi355x() {
  MemoryQuestion asked = question("deepseek-ai/DeepSeek-V4-Pro", "mi355x", kMillion);
  asked.data = asked.expert = 4;
  asked.steps_in_flight = {2};
  asked.formats = {KvFormat::kFp8Scaled};
  asked.loaded.mtp = true;
  asked.speculation = "mtp";
  asked.draft_layers = {1};
  return asked;
}

TEST(MemoryFit, AnEstimateForFourMi355x) {
  const MemoryFit answer = fit(four_mi355x());
  EXPECT_EQ(to_string(answer.fits), "unlikely");  // no proof: at best 36.3 GiB are left
  EXPECT_EQ(answer.gpus, 4);
  EXPECT_EQ(answer.need, Interval::exactly(15'973'513'344));
  EXPECT_NEAR(answer.available.high / kGib, 36.3, 0.05);
  EXPECT_LT(answer.available.nominal, answer.need.nominal);
  EXPECT_EQ(answer.measured, nullptr);
  // (12.18 - 9.22 in flight) / 5.65 GiB of a million tokens
  EXPECT_NEAR(answer.tokens, 548'000, 5'000);
}

TEST(MemoryFit, AMeasurementOfExactlyThisTopologyIsAProof) {
  MemoryQuestion asked = four_mi355x();
  asked.release = facts::parse_release("0.26.0");
  const MemoryFit answer = fit(asked);
  EXPECT_EQ(to_string(answer.fits), "no");
  ASSERT_NE(answer.measured, nullptr);
  EXPECT_NEAR(answer.available.high / kGib, 12.09, 1e-9);
  EXPECT_NEAR(answer.weights.low / kGib, 224.83, 1e-9);
  for (const auto& change : std::vector<void (*)(MemoryQuestion&)>{
           [](MemoryQuestion& q) { q.release = facts::parse_release("0.26.1"); },
           [](MemoryQuestion& q) { q.fraction = Interval::exactly(0.91); },
           [](MemoryQuestion& q) { q.step_tokens = {4096}; }, [](MemoryQuestion& q) { q.data = 8; },
           [](MemoryQuestion& q) { q.expert = 1; },
           [](MemoryQuestion& q) { q.speculation = "none"; },
           [](MemoryQuestion& q) { q.gpu = catalog().models().find_gpu("b300"); }}) {
    MemoryQuestion other = asked;
    change(other);
    EXPECT_EQ(fit(other).measured, nullptr);
  }
}

TEST(MemoryFit, ASmallerBudgetOfAStepIsTheCheapestRemedy) {
  const MemoryFit answer = fit(four_mi355x());
  ASSERT_FALSE(answer.remedies.empty());
  EXPECT_EQ(answer.remedies.front().kind, Remedy::Kind::kStepTokens);
  EXPECT_EQ(answer.remedies.front().value, 4096);
  EXPECT_NEAR(answer.remedies.front().need / kGib, 10.28, 0.005);
  for (const Remedy& remedy : answer.remedies) EXPECT_LE(remedy.need, remedy.available);
}

TEST(MemoryFit, RemediesAreFoundByAskingAgain) {
  MemoryQuestion asked = question("nvidia/MiniMax-M3-NVFP4", "b200", kMillion);
  asked.tensor = 2;
  const MemoryFit answer = fit(asked);
  EXPECT_EQ(to_string(answer.fits), "no");  // 67.12 GiB of keys and values, at best 42.6 left
  std::vector<Remedy::Kind> kinds;
  for (const Remedy& remedy : answer.remedies) {
    kinds.push_back(remedy.kind);
    MemoryQuestion changed = asked;
    if (remedy.kind == Remedy::Kind::kRanks) changed.tensor = remedy.value;
    if (remedy.kind == Remedy::Kind::kLength) changed.length = remedy.value;
    EXPECT_NE(to_string(fit(changed).fits), "no");
  }
  EXPECT_THAT(kinds, ElementsAre(Remedy::Kind::kRanks, Remedy::Kind::kLength));
  // One unit more does not pass: the length is the largest.
  MemoryQuestion longer = asked;
  longer.length = answer.remedies.back().value + 1024;
  EXPECT_THAT(std::string(to_string(fit(longer).fits)), ::testing::AnyOf("unlikely", "no"));
}

/// A launch with a known outcome: what is left at best, the need, and whether that is a proof.
struct Outcome {
  std::string name;
  MemoryQuestion question;
  double available;
  double need;
  bool error;
};

MemoryQuestion with(MemoryQuestion question, void (*change)(MemoryQuestion&)) {
  change(question);
  return question;
}

std::vector<Outcome> outcomes() {
  const auto fp8 = [](MemoryQuestion& q) { q.formats = {KvFormat::kFp8}; };
  std::vector<Outcome> list;
  list.push_back({"DeepSeek-V4-Pro, 4 MI355X", four_mi355x(), 36.3, 14.88, false});
  auto m3 = with(question("nvidia/MiniMax-M3-NVFP4", "b200", kMillion), fp8);
  m3.tensor = 2;
  m3.draft_layers = {1};
  list.push_back({"MiniMax-M3, 2 B200", m3, 42.6, 37.62, false});
  list.push_back(
      {"Llama, 1 H100", question("test/Llama-3.3-70B-FP8", "h100", 16000), 2.15, 4.88, true});
  auto gpt = question("openai/gpt-oss-120b", "h100", 131072);
  gpt.fraction = Interval::exactly(0.95);
  gpt.step_tokens = {1024};
  list.push_back({"gpt-oss, 1 H100", gpt, 15.05, 4.54, false});
  auto m3_ranks = question("MiniMaxAI/MiniMax-M3-MXFP8", "h100", 10240);
  m3_ranks.data = m3_ranks.expert = 8;
  m3_ranks.formats = {KvFormat::kFp8};
  list.push_back({"MiniMax-M3, 8 H100", m3_ranks, 3.45, 0.66, false});
  auto k3 = with(question("moonshotai/Kimi-K3", "b200", kMillion), fp8);
  k3.tensor = 8;
  list.push_back({"Kimi-K3, 8 B200", k3, -22.7, 13.63, true});
  k3.gpu = catalog().models().find_gpu("b300");
  list.push_back({"Kimi-K3, 8 B300", k3, 57.7, 13.63, false});
  auto k25 = question("moonshotai/Kimi-K2.5", "h100", 8192);
  k25.tensor = 8;
  k25.fraction = Interval::exactly(0.95);
  list.push_back({"Kimi-K2.5, 8 H100", k25, 4.45, 0.54, false});
  auto thinking = question("test/Kimi-K2-Thinking", "h200", 262144);
  thinking.tensor = 8;
  list.push_back({"Kimi-K2-Thinking, 8 H200", thinking, 55.05, 17.16, false});
  auto glm = question("zai-org/GLM-5-FP8", "h200", 202752);
  glm.tensor = 8;
  list.push_back({"GLM-5, 8 H200", glm, 37.7, 18.91, false});
  auto m25 = question("MiniMaxAI/MiniMax-M2.5", "rtx6000pro", 196608);
  m25.tensor = 4;
  list.push_back({"MiniMax-M2.5, 4 RTX", m25, 30.9, 11.62, false});
  auto llama = question("test/Llama-3.3-70B-FP8", "h100", 16000);
  llama.tensor = 2;
  list.push_back({"Llama, 2 H100", llama, 35.95, 2.44, false});
  auto eight = four_mi355x();
  eight.data = 8;
  eight.expert = 1;
  eight.steps_in_flight = {1};
  eight.step_tokens = {16384};
  eight.fraction = Interval::exactly(0.86);
  eight.loaded.mtp = false;
  list.push_back({"DeepSeek-V4-Pro, 8 MI355X", eight, 123.6, 14.88, false});
  return list;
}

TEST(MemoryFit, ProvesOnlyWhatReallyFailed) {
  for (const Outcome& outcome : outcomes()) {
    const MemoryFit answer = fit(outcome.question);
    EXPECT_THAT(answer.unknown, IsEmpty()) << outcome.name;
    EXPECT_NEAR(answer.available.high / kGib, outcome.available, 0.06) << outcome.name;
    EXPECT_NEAR(answer.need.nominal / kGib, outcome.need, 0.006) << outcome.name;
    EXPECT_EQ(answer.fits == Fits::kNo, outcome.error) << outcome.name;
  }
}

TEST(MemoryFit, WeightsAloneCanBeTooLarge) {
  auto asked = question("moonshotai/Kimi-K3", "b200", 8192);
  asked.tensor = 8;
  EXPECT_TRUE(fit(asked).weights_too_large);  // 181.7 of 160.5 GiB
  asked.gpu = catalog().models().find_gpu("b300");
  EXPECT_FALSE(fit(asked).weights_too_large);
  asked.tensor = 4;
  EXPECT_TRUE(fit(asked).weights_too_large);  // 363.4 of 240.9 GiB
  asked.weight_offload = 200 * kGib;
  EXPECT_FALSE(fit(asked).weights_too_large);
}

TEST(MemoryFit, OpenSettingsGiveAnInterval) {
  auto asked = question("zai-org/GLM-5.2-FP8", "b300", kMillion);
  asked.tensor = 8;
  asked.formats = {KvFormat::kFp8, KvFormat::kFp8Scaled};
  const MemoryFit answer = fit(asked);
  EXPECT_NEAR(answer.need.low / kGib, 46.58, 0.005);
  EXPECT_NEAR(answer.need.nominal / kGib, 46.58, 0.005);
  EXPECT_NEAR(answer.need.high / kGib, 52.68, 0.005);
}

TEST(MemoryFit, TheLikelyOverheadIsThatOfTheFamilyOnTheGpu) {
  const auto& facts = catalog().memory();
  const Overhead ranks = overhead_of(facts, {"vllm", "DeepSeek-V4-Pro", "mi355x", true, 1});
  EXPECT_TRUE(ranks.measured_here);
  EXPECT_NEAR(ranks.bytes.nominal / kGib, 22.26, 1e-9);
  EXPECT_NEAR(ranks.bytes.high / kGib, 52.8, 1e-9);
  const Overhead elsewhere = overhead_of(facts, {"vllm", "DeepSeek-V4-Pro", "gb200", true, 1});
  EXPECT_FALSE(elsewhere.measured_here);
  EXPECT_NEAR(elsewhere.bytes.nominal / kGib, 2.6, 1e-9);
}

// What another model takes there says how much it may be, not how much is likely.
TEST(MemoryFit, TheOverheadOfAnotherFamilyIsOnlyAnUpperBound) {
  const auto& facts = catalog().memory();
  const Overhead own = overhead_of(facts, {"vllm", "Kimi-K3", "b300", false, 8});
  EXPECT_NEAR(own.bytes.nominal / kGib, 16.9, 1e-9);
  const Overhead other = overhead_of(facts, {"vllm", "MiniMax-M3", "b300", false, 1});
  EXPECT_FALSE(other.measured_here);
  EXPECT_NEAR(other.bytes.nominal / kGib, 2.6, 1e-9);
  EXPECT_NEAR(other.bytes.high / kGib, 16.9, 1e-9);
}

TEST(MemoryFit, NamesWhatIsUnknown) {
  MemoryQuestion asked = four_mi355x();
  asked.gpu = nullptr;
  EXPECT_THAT(fit(asked).unknown, ElementsAre("the GPU"));
  EXPECT_EQ(fit(asked).fits, Fits::kUnknown);
  asked = four_mi355x();
  asked.model = nullptr;
  EXPECT_THAT(fit(asked).unknown, Contains("the model"));
  asked = four_mi355x();
  asked.hybrid = std::nullopt;  // never "fits": without hybrid layers the need is much larger
  asked.length = 8192;
  EXPECT_EQ(fit(asked).fits, Fits::kUnknown);
  EXPECT_THAT(fit(asked).unknown, ElementsAre("whether the KV connector leaves hybrid layers on"));
}

TEST(MemoryFit, AGivenNumberOfBytesCounts) {
  MemoryQuestion asked = four_mi355x();
  asked.cache_bytes = 15 * kGib;
  EXPECT_EQ(to_string(fit(asked).fits), "yes");
  asked.cache_bytes = 14 * kGib;
  EXPECT_EQ(to_string(fit(asked).fits), "no");
}

TEST(MemoryFit, AtomSizesPagesOfItsOwn) {
  MemoryQuestion asked = question("deepseek-ai/DeepSeek-V4-Pro", "mi355x", kMillion);
  asked.engine = launch::Engine::kAtom;
  asked.tensor = 8;
  asked.formats = {KvFormat::kFp8};
  const MemoryFit answer = fit(asked);
  EXPECT_EQ(answer.need, Interval::exactly(4096.0 * 1'521'920));  // 5.81 GiB
  EXPECT_EQ(answer.consequence, Consequence::kDropsRequests);
}

TEST(MemoryFit, TensorRtLlmTakesAFractionOfWhatIsLeft) {
  MemoryQuestion asked = question("deepseek-ai/DeepSeek-R1-0528", "b200", 163840);
  asked.engine = launch::Engine::kTensorRtLlm;
  asked.tensor = 8;
  const MemoryFit answer = fit(asked);
  EXPECT_NEAR(answer.available.high, 0.9 * (answer.total - answer.weights.low), 1);
  EXPECT_EQ(answer.consequence, Consequence::kShortensLength);
}

TEST(MemoryFit, SglangStartsUnlessNothingIsLeft) {
  MemoryQuestion asked = question("moonshotai/Kimi-K2.5", "h100", 262144);
  asked.engine = launch::Engine::kSglang;
  asked.tensor = 8;
  EXPECT_EQ(fit(asked).consequence, Consequence::kCutsRequests);
  asked.fraction = Interval::exactly(0.8);  // 63.3 GiB for weights of 69.3
  const MemoryFit answer = fit(asked);
  EXPECT_EQ(answer.fits, Fits::kNo);
  EXPECT_EQ(answer.consequence, Consequence::kDoesNotStart);
}

TEST(MemoryFit, WeightsThatABuildWithoutAVersionLoadedAreLikelyForAnother) {
  MemoryQuestion asked = question("deepseek-ai/DeepSeek-V4-Pro", "h200", 9472);
  asked.engine = launch::Engine::kSglang;
  asked.tensor = 8;
  asked.formats = {KvFormat::kFp8};
  asked.window_ratio = 0.1;
  asked.fraction = Interval::exactly(0.88);
  EXPECT_EQ(to_string(fit(asked).fits), "tight");
  asked.version_known = false;
  const MemoryFit answer = fit(asked);
  EXPECT_NEAR(answer.weights.nominal / kGib, 125.65, 1e-9);
  EXPECT_LT(answer.weights.low, answer.weights.nominal);  // no proof
  EXPECT_EQ(to_string(answer.fits), "unlikely");
  EXPECT_EQ(answer.consequence, Consequence::kDoesNotStart);
  EXPECT_THAT(answer.assumed, Contains(::testing::HasSubstr("as another build loaded them")));
  // The log names the fraction from which on it starts: 0.9113.
  asked.fraction = Interval::exactly(0.91);
  EXPECT_EQ(fit(asked).consequence, Consequence::kDoesNotStart);
  asked.fraction = Interval::exactly(0.92);
  EXPECT_EQ(to_string(fit(asked).fits), "tight");
}

}  // namespace
}  // namespace recipelint::serving::memory
