#include "analyzer/serving/vllm/semantics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include "analyzer/facts/catalog.h"
#include "tests/support/paths.h"

namespace recipelint::serving::vllm {
namespace {

using ::testing::ElementsAre;

const facts::Catalog& catalog() {
  static const facts::Catalog catalog;
  return catalog;
}

const facts::ModelFamily* family(std::string_view model) {
  return catalog().models().find_model(model)->family;
}

const facts::ModelFamily* deepseek_v4() {
  return family("deepseek-ai/DeepSeek-V4-Pro");
}

GraphInput on(bool rocm, const facts::ModelFamily* model) {
  GraphInput input;
  input.rocm = rocm;
  input.sm_90 = false;
  input.family = model;
  return input;
}

std::vector<Runner> runners(const std::string& tag, const GraphInput& input) {
  const auto version = catalog().version_of("vllm/vllm-openai:" + tag, "vllm");
  return possible_runners(Semantics(version, catalog().versions()), input);
}

std::vector<ModeChoice> modes(const std::string& tag, const GraphInput& input,
                              Runner runner = Runner::kV2) {
  const auto version = catalog().version_of("vllm/vllm-openai:" + tag, "vllm");
  return possible_modes(Semantics(version, catalog().versions()), input, runner);
}

/// Every id in the sources exists: a misspelt one would silently mean "no".
TEST(VllmSemantics, AsksForChangesThatExist) {
  const std::regex question(R"re((?:has|decided)\(\s*"([^"]+)"\))re");
  std::size_t found = 0;
  const auto folder = testing::source_dir() + "/analyzer/serving/vllm";
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    std::ifstream in(file.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (std::sregex_iterator at(text.begin(), text.end(), question), end; at != end; ++at) {
      EXPECT_NE(catalog().versions().find_change("vllm", (*at)[1].str()), nullptr)
          << file.path().filename() << ": " << (*at)[1];
      ++found;
    }
  }
  EXPECT_GT(found, 20u);
}

TEST(VllmRunner, FollowsTheDefaultOfTheVersion) {
  const GraphInput dense = on(false, nullptr);
  EXPECT_THAT(runners("v0.21.0", dense), ElementsAre(Runner::kV1));
  // Not every model: an unknown one can be on either.
  EXPECT_THAT(runners("v0.24.0", dense), ElementsAre(Runner::kV2, Runner::kV1));
  EXPECT_THAT(runners("v0.29.0", dense), ElementsAre(Runner::kV2));
  EXPECT_THAT(runners("v0.27.1", on(false, deepseek_v4())), ElementsAre(Runner::kV1));
  EXPECT_THAT(runners("v0.28.0", on(false, deepseek_v4())), ElementsAre(Runner::kV2));
  EXPECT_THAT(runners("v0.28.0", on(true, deepseek_v4())), ElementsAre(Runner::kV1));
  EXPECT_THAT(runners("v0.30.0", on(true, deepseek_v4())), ElementsAre(Runner::kV1));
  EXPECT_THAT(runners("v0.27.0", on(false, family("moonshotai/Kimi-K3"))),
              ElementsAre(Runner::kV2));
  GraphInput anywhere;
  anywhere.family = deepseek_v4();
  EXPECT_THAT(runners("v0.28.0", anywhere), ElementsAre(Runner::kV2, Runner::kV1));
}

TEST(VllmRunner, IsV1ForWhatV2Lacks) {
  GraphInput input = on(false, deepseek_v4());
  input.speculation = true;
  input.speculative_method = "ngram";
  EXPECT_THAT(runners("v0.30.0", input), ElementsAre(Runner::kV1));
  input.speculative_method = "draft_model";
  EXPECT_THAT(runners("v0.30.0", input), ElementsAre(Runner::kV1));
  EXPECT_THAT(runners("v0.31.0", input), ElementsAre(Runner::kV2));
  input.speculative_method = "eagle3";
  input.pipeline_parallel = 2;
  EXPECT_THAT(runners("v0.29.0", input), ElementsAre(Runner::kV1));
  EXPECT_THAT(runners("v0.30.0", input), ElementsAre(Runner::kV2));
  input.speculative_method = "deepseek_mtp";
  EXPECT_THAT(runners("v0.29.0", input), ElementsAre(Runner::kV2));
  input.options = {"--enable-dbo"};
  EXPECT_THAT(runners("v0.29.0", input), ElementsAre(Runner::kV1));
  input.v2_environment = true;
  EXPECT_THAT(runners("v0.29.0", input), ElementsAre(Runner::kV2));
}

TEST(VllmRunner, IsV2ForWhatOnlyV2Has) {
  GraphInput input = on(false, family("deepseek-ai/DeepSeek-R1-0528"));
  EXPECT_THAT(runners("v0.27.0", input), ElementsAre(Runner::kV1));
  input.prefill_context_parallel = 2;
  EXPECT_THAT(runners("v0.27.0", input), ElementsAre(Runner::kV2));
  input.v2_environment = false;
  EXPECT_THAT(runners("v0.27.0", input), ElementsAre(Runner::kV1));
}

TEST(VllmMode, HasADefaultByVersionAndLevel) {
  GraphInput input = on(false, family("deepseek-ai/DeepSeek-R1-0528"));
  EXPECT_EQ(modes("v0.10.2", input)[0].mode, GraphMode::kPiecewise);
  EXPECT_EQ(modes("v0.11.0", input)[0].mode, GraphMode::kFullAndPiecewise);
  input.optimization_level = 1;
  EXPECT_EQ(modes("v0.11.0", input)[0].mode, GraphMode::kFullAndPiecewise);
  EXPECT_EQ(modes("v0.12.0", input)[0].mode, GraphMode::kPiecewise);
  input.optimization_level = 0;
  EXPECT_EQ(modes("v0.12.0", input)[0].mode, GraphMode::kNone);
  input.optimization_level = 3;
  EXPECT_EQ(modes("v0.12.0", input)[0].mode, GraphMode::kFullAndPiecewise);
  input.eager = true;
  EXPECT_THAT(modes("v0.12.0", input),
              ElementsAre(ModeChoice{GraphMode::kNone, "--enforce-eager", false}));
}

TEST(VllmMode, PiecewiseNeedsCompilationOrBreakableGraphs) {
  GraphInput input = on(false, family("deepseek-ai/DeepSeek-R1-0528"));
  input.compilation_mode = 0;
  input.given_mode = GraphMode::kFullAndPiecewise;
  EXPECT_EQ(modes("v0.27.0", input)[0].mode, GraphMode::kNone);
  EXPECT_FALSE(modes("v0.27.0", input)[0].refused);
  EXPECT_TRUE(modes("v0.11.0", input)[0].refused);
  input.given_mode = GraphMode::kFullDecodeOnly;
  EXPECT_EQ(modes("v0.27.0", input)[0].mode, GraphMode::kFullDecodeOnly);
  // An unknown model may have breakable graphs.
  input.given_mode = GraphMode::kFullAndPiecewise;
  input.family = nullptr;
  EXPECT_EQ(modes("v0.27.0", input).size(), 2u);
  EXPECT_EQ(modes("v0.21.0", input).size(), 1u);
}

TEST(VllmMode, DeepSeekV4HasBreakableGraphs) {
  GraphInput cuda = on(false, deepseek_v4());
  cuda.compilation_mode = 0;
  EXPECT_EQ(modes("v0.25.0", cuda)[0].mode, GraphMode::kFullAndPiecewise);
  EXPECT_EQ(modes("v0.30.0", cuda)[0].mode, GraphMode::kFullAndPiecewise);
  GraphInput rocm = on(true, deepseek_v4());
  EXPECT_EQ(modes("v0.27.0", rocm)[0].mode, GraphMode::kFullAndPiecewise);
  EXPECT_EQ(modes("v0.30.0", rocm)[0].mode, GraphMode::kFullDecodeOnly);
  rocm.given_mode = GraphMode::kPiecewise;
  EXPECT_EQ(modes("v0.29.0", rocm)[0].mode, GraphMode::kNone);
  EXPECT_TRUE(modes("v0.30.0", rocm)[0].refused);
  rocm.breakable_environment = true;
  EXPECT_EQ(modes("v0.30.0", rocm)[0].mode, GraphMode::kPiecewise);
}

TEST(VllmMode, SomeNightlyBuildsRefusePiecewiseGraphs) {
  const GraphInput rocm = on(true, deepseek_v4());
  const std::string inside = "nightly-3ee2df30337a";
  const std::string after = "nightly-311b3513af33bc29b4acb2fde2e9313e5e9966a0";
  EXPECT_TRUE(modes(inside, rocm, Runner::kV1)[0].refused);
  EXPECT_FALSE(modes(inside, on(false, deepseek_v4()), Runner::kV2)[0].refused);
  EXPECT_FALSE(modes(after, rocm, Runner::kV1)[0].refused);
}

TEST(VllmMode, PlatformAndAttentionCanTakeFullGraphsAway) {
  GraphInput input = on(true, family("deepseek-ai/DeepSeek-R1-0528"));
  input.decode_context_parallel = 8;
  EXPECT_EQ(modes("v0.27.0", input)[0].mode, GraphMode::kPiecewise);
  input.rocm = false;
  EXPECT_EQ(modes("v0.27.0", input)[0].mode, GraphMode::kFullAndPiecewise);
  input.all_to_all = "deepep_high_throughput";
  EXPECT_EQ(modes("v0.27.0", input)[0].mode, GraphMode::kFullAndPiecewise);
  input.data_parallel = 8;
  EXPECT_EQ(modes("v0.27.0", input)[0].mode, GraphMode::kNone);
  input.all_to_all.clear();
  input.attention_backend = "TRITON_MLA";
  EXPECT_EQ(modes("v0.27.0", input)[0].mode, GraphMode::kFullAndPiecewise);
  input.speculation = true;
  EXPECT_EQ(modes("v0.27.0", input)[0].mode, GraphMode::kPiecewise);
  input.compilation_mode = 0;
  input.given_mode = GraphMode::kFullDecodeOnly;
  EXPECT_EQ(modes("v0.27.0", input)[0].mode, GraphMode::kNone);
}

}  // namespace
}  // namespace recipelint::serving::vllm
