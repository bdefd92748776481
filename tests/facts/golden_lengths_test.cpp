#include "analyzer/facts/golden_lengths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace recipelint::facts {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(GoldenLengths, ReadsTheTablesOfAFileWithWhatItsCommentsSay) {
  const text::SourceFile file("golden_al_distribution/modelx_dspark_more.yaml",
                              "# Measured once.\n"
                              "# speculative-config: method=dspark | draft_sample_method=greedy | x=y\n"
                              "model-x:\n"
                              "  thinking_on:\n"
                              "    1: 1.5\n"
                              "    2: 2\n"
                              "    three: 2.5\n"
                              "  thinking_off: {1: 1.25}\n");
  const auto tables = read_golden_tables(file);
  ASSERT_TRUE(tables);
  ASSERT_THAT(*tables, SizeIs(2));
  const GoldenTable& on = tables->front();
  EXPECT_EQ(on.file, "modelx_dspark_more.yaml");
  EXPECT_EQ(on.model, "model-x");
  EXPECT_EQ(on.method, "dspark");
  EXPECT_EQ(on.draft_sampling, "greedy");
  EXPECT_EQ(on.thinking, "thinking_on");
  EXPECT_THAT(on.lengths, SizeIs(2));
  ASSERT_NE(on.find(1), nullptr);
  EXPECT_DOUBLE_EQ(on.find(1)->tokens, 1.5);
  EXPECT_EQ(on.find(1)->span.bytes(), "1.5");
  EXPECT_EQ(on.find(3), nullptr);
  EXPECT_DOUBLE_EQ(tables->back().find(1)->tokens, 1.25);
}

TEST(GoldenLengths, TakesNothingFromOtherFiles) {
  const text::SourceFile list("x_mtp.yaml", "- a\n");
  EXPECT_THAT(*read_golden_tables(list), IsEmpty());
  const text::SourceFile broken("x_mtp.yaml", "a: [\n");
  EXPECT_FALSE(read_golden_tables(broken));
}

TEST(GoldenLengths, EveryEmbeddedTableIsComplete) {
  const auto& tables = embedded_golden_tables();
  ASSERT_GE(tables.size(), 9u);
  for (const GoldenTable& table : tables) {
    EXPECT_FALSE(table.method.empty()) << table.file;
    EXPECT_FALSE(table.model.empty()) << table.file;
    EXPECT_FALSE(table.lengths.empty()) << table.file;
    for (const auto& [drafted, length] : table.lengths) {
      EXPECT_GE(length.tokens, 1) << table.file;
      EXPECT_LE(length.tokens, static_cast<double>(drafted) + 1) << table.file;
    }
  }
  const auto probabilistic = std::count_if(
      tables.begin(), tables.end(),
      [](const GoldenTable& table) { return table.draft_sampling == "probabilistic"; });
  EXPECT_EQ(probabilistic, 2);
}

TEST(GoldenLengths, ComparesModelsWithoutFolderCaseAndPrecision) {
  EXPECT_TRUE(same_model("nvidia/GLM-5.2-NVFP4", "glm-5.2-fp8"));
  EXPECT_TRUE(same_model("nvidia/Qwen3.5-397B-A17B-NVFP4-V2", "qwen3.5-397b-a17b-nvfp4"));
  EXPECT_TRUE(same_model("/models/Kimi-K3", "kimi-k3"));
  EXPECT_FALSE(same_model("deepseek-ai/DeepSeek-V4-Pro", "deepseek-v4-pro-0813"));
  EXPECT_FALSE(same_model("zai-org/GLM-5.1-FP8", "glm-5.2-fp8"));
}

}  // namespace
}  // namespace recipelint::facts
