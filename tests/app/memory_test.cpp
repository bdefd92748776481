#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/command.h"
#include "tests/support/paths.h"

namespace recipelint {
namespace {

using ::testing::HasSubstr;

std::string run_on(const std::string& fixture, std::vector<std::string> more = {}) {
  const std::string folder = testing::source_dir() + "/fixtures/rules/" + fixture;
  std::vector<std::string> arguments = {"memory", folder, "--root", folder};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return testing::run_command(arguments).out;
}

TEST(MemoryCommand, GivesOneObjectForEachTopology) {
  const std::string text = run_on("RL2003/bad", {"--format", "json"});
  ASSERT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  const auto object = nlohmann::json::parse(text);
  EXPECT_EQ(object["key"], "compressed");
  EXPECT_EQ(object["script"], "benchmarks/single_node/fixed_seq_len/dsv4_fp4_mi355x_vllm_mtp.sh");
  EXPECT_EQ(object["engine"], "vllm");
  EXPECT_EQ(object["model"], "deepseek-ai/DeepSeek-V4-Pro");
  EXPECT_EQ(object["gpu"], "mi355x");
  EXPECT_EQ(object["cells"].size(), 3U);  // two, and one of them in eval mode
  EXPECT_EQ(object["gpus_per_rank_group"], 4);
  EXPECT_EQ(object["gpu_total_gib"], 287.98);
  EXPECT_EQ(object["weights_gib"], nlohmann::json({224.83, 224.83}));
  EXPECT_EQ(object["need_gib"], nlohmann::json({14.88, 14.88, 14.88}));
  EXPECT_EQ(object["available_gib"], nlohmann::json({12.09, 12.09, 12.09}));
  EXPECT_EQ(object["need_terms"].size(), 3U);
  EXPECT_EQ(object["model_length"], 1048576);
  EXPECT_EQ(object["fits"], "no");
  EXPECT_TRUE(object["unknown"].empty());
}

TEST(MemoryCommand, NamesWhatIsUnknown) {
  const auto object = nlohmann::json::parse(run_on("RL6005/good", {"--format", "json"}));
  EXPECT_EQ(object["fits"], "unknown");
  EXPECT_TRUE(object["tokens_that_fit"].is_null());
  EXPECT_EQ(object["model"], nullptr);
  EXPECT_THAT(object["unknown"].dump(), HasSubstr("the model"));
  EXPECT_EQ(object["need_gib"], nullptr);
}

TEST(MemoryCommand, WritesLinesOfAHundredColumns) {
  std::istringstream lines(run_on("RL2003/bad"));
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 100U) << line;
    text += line + "\n";
  }
  EXPECT_THAT(text, HasSubstr("compressed (aggregate, 3 cells): no"));
  EXPECT_THAT(text, HasSubstr("grows with the tokens of a step"));
}

TEST(MemoryCommand, TakesOnlyTheCellsThatAreAskedFor) {
  EXPECT_EQ(run_on("RL2003/bad", {"--cell", "conc=1"}), "");
  const auto object =
      nlohmann::json::parse(run_on("RL2003/bad", {"--cell", "conc=16", "--format", "json"}));
  EXPECT_EQ(object["cells"].size(), 1U);
}

TEST(MemoryCommand, TakesAScriptByItself) {
  const std::string folder = testing::source_dir() + "/fixtures/scripts";
  const auto run =
      testing::run_command({"memory", folder + "/039.sh", "--root", folder, "--image",
                            "vllm/vllm-openai:v0.14.0", "--gpu", "rtx4090", "--format", "json"});
  const auto object = nlohmann::json::parse(run.out);
  EXPECT_EQ(object["key"], nullptr);
  EXPECT_EQ(object["script"], "039.sh");
  EXPECT_EQ(object["need_gib"], nlohmann::json({36.0, 36.0, 36.0}));
  // 2.40 GiB are left, and the whole need grows with the length of 262,144.
  EXPECT_EQ(object["tokens_that_fit"], 17473);
  EXPECT_EQ(object["fits"], "no");
}

/// What RL2003 makes of a script after a public report: its level, or the cause of its silence.
std::string verdict(const std::string& script, const std::string& image, const std::string& gpu) {
  const std::string folder = testing::source_dir() + "/fixtures/scripts";
  const auto run =
      testing::run_command({"check", folder + "/" + script, "--root", folder, "--image", image,
                            "--gpu", gpu, "--select", "RL2003", "--format", "json"});
  const auto report = nlohmann::json::parse(run.out);
  if (!report["findings"].empty()) return report["findings"][0]["level"];
  const auto& open = report["summary"]["unevaluated"];
  return open.empty() ? "" : open[0]["cause"].get<std::string>();
}

TEST(MemoryCommand, JudgesPublicReports) {
  EXPECT_EQ(verdict("036.sh", "vllm/vllm-openai:v0.11.0", "h100"), "warning");
  EXPECT_EQ(verdict("039.sh", "vllm/vllm-openai:v0.14.0", "rtx4090"), "error");
  EXPECT_THAT(verdict("033.sh", "vllm/vllm-openai:v0.28.0", "rtx3090"), HasSubstr("the model '"));
  EXPECT_THAT(verdict("041.sh", "vllm/vllm-openai:v0.20.0", "h100"), HasSubstr("the model '"));
}

}  // namespace
}  // namespace recipelint
