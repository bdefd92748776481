#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/command.h"
#include "tests/support/golden.h"
#include "tests/support/paths.h"

namespace recipelint {
namespace {

using nlohmann::json;
using testing::run_command;

std::string demo() {
  return testing::source_dir() + "/fixtures/demo";
}

std::vector<json> cells(const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"argv", demo(), "--format", "json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  std::istringstream lines(run_command(arguments).out);
  std::vector<json> result;
  for (std::string line; std::getline(lines, line);) result.push_back(json::parse(line));
  return result;
}

std::vector<std::string> texts(const json& launch) {
  std::vector<std::string> words;
  for (const json& word : launch["argv"]) words.push_back(word["text"]);
  return words;
}

TEST(Argv, IsTheCommandOfEveryCellWithTheValuesOfItsRow) {
  const auto all = cells({"--keys", "llama70b-fp8-h200-vllm"});
  ASSERT_EQ(all.size(), 8u);
  const json& cell = all[1];
  EXPECT_EQ(cell["conc"], 8);
  EXPECT_EQ(cell["status"], "complete");
  ASSERT_EQ(cell["launches"].size(), 1u);
  EXPECT_EQ(cell["launches"][0]["engine"], "vllm");
  EXPECT_THAT(texts(cell["launches"][0]),
              ::testing::ElementsAre("vllm", "serve", "example-org/Llama-70B-FP8", "--port", "8888",
                                     "--tensor-parallel-size", "8", "--max-model-len", "9472",
                                     "--max-num-seqs", "16", "--gpu-memory-utilization", "0.9"));
}

TEST(Argv, EveryWordNamesTheLineItComesFrom) {
  const json cell = cells({"--keys", "llama70b-fp8-h200-vllm"})[0];
  const json& words = cell["launches"][0]["argv"];
  EXPECT_EQ(words[2]["file"], "configs/nvidia-master.yaml");  // the model: from the entry
  EXPECT_EQ(words[2]["line"], 5);
  EXPECT_EQ(words[9]["file"],
            "benchmarks/single_node/fixed_seq_len/llama70b_fp8_h200.sh");  // --max-num-seqs
  EXPECT_EQ(words[9]["line"], 12);
}

TEST(Argv, RecipesGiveTheCommandsOfTheirRoles) {
  const auto all = cells({"--keys", "dsv4-*"});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0]["recipe"],
            "benchmarks/multi_node/srt-slurm-recipes/vllm/deepseek-v4/8k1k/disagg-gb200-1p2d.yaml");
  std::vector<std::string> roles;
  for (const json& launch : all[0]["launches"]) roles.push_back(launch["role"]);
  EXPECT_THAT(roles, ::testing::IsSupersetOf({"prefill", "decode"}));
}

TEST(Argv, CellsAreChosenByTheirFields) {
  EXPECT_EQ(cells({"--cell", "conc=64,tp=4"}).size(), 2u);  // the row lists 64 twice
  EXPECT_EQ(cells({"--cell", "conc=64", "--keys", "*-vllm"}).size(), 3u);
  EXPECT_EQ(cells({"--cell", "no-such-field=1"}).size(), 0u);
  EXPECT_EQ(cells({"--cell", "dcp-size=1,pcp-size=1"}).size(), cells({}).size()) << "by default";
  EXPECT_EQ(cells({"--cell", "dcp-size=8"}).size(), 0u);
  EXPECT_EQ(cells({"--cell", "decode.num-worker=3"}).size(), 2u);
  EXPECT_EQ(run_command({"argv", demo(), "--cell", "conc"}).code, 2);
}

TEST(Argv, VerboseAddsTheSettingsThatTheServerWouldHave) {
  const json cell = cells({"--keys", "llama70b-fp8-h200-vllm", "-v"})[1];
  const json& launch = cell["launches"][0];
  const json& settings = launch["settings"];
  EXPECT_EQ(settings["tensor_parallel"]["value"], 8);
  EXPECT_EQ(settings["tensor_parallel"]["source"], "explicit");
  EXPECT_EQ(settings["tensor_parallel"]["line"], launch["argv"][5]["line"]);
  EXPECT_EQ(settings["data_parallel"]["value"], 1);
  EXPECT_EQ(settings["data_parallel"]["source"], "default");
  EXPECT_EQ(settings["data_parallel"]["file"], nullptr);
  EXPECT_EQ(settings["memory_fraction"]["value"], 0.9);
  EXPECT_EQ(launch["capture"]["unit"], "tokens");
  EXPECT_EQ(launch["capture"]["error"], nullptr);
  EXPECT_FALSE(launch["engine_version"].empty());
  EXPECT_FALSE(cells({"--keys", "llama70b-fp8-h200-vllm"})[1]["launches"][0].contains("settings"));
}

TEST(Argv, VerboseTextHasOneSettingALine) {
  const auto result = run_command(
      {"argv", demo(), "--keys", "llama70b-fp8-h200-vllm", "--cell", "conc=8,tp=8", "-v"});
  EXPECT_THAT(result.out, ::testing::ContainsRegex("max_num_seqs_per_rank +16 +.*\\.sh:12"));
  EXPECT_THAT(result.out, ::testing::ContainsRegex("data_parallel +1 +default"));
}

TEST(Argv, AScriptThatIsNotUnderstoodIsNeverComplete) {
  const auto result = run_command(
      {"argv", testing::source_dir() + "/fixtures/rules/RL1001/bad", "--format", "json"});
  std::istringstream lines(result.out);
  int with_reasons = 0;
  for (std::string line; std::getline(lines, line);) {
    const json cell = json::parse(line);
    if (cell["reasons"].empty()) continue;
    ++with_reasons;
    EXPECT_NE(cell["status"], "complete");
  }
  EXPECT_GT(with_reasons, 0);
}

TEST(Argv, TheTextFormIsOneArgumentALine) {
  testing::expect_golden(testing::source_dir() + "/tests/golden/app/argv.txt",
                         run_command({"argv", demo(), "--keys", "llama70b-fp8-h200-*"}).out);
}

}  // namespace
}  // namespace recipelint
