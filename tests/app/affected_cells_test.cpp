// Which cells a named file takes part in.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/command.h"
#include "tests/support/temporary_folder.h"

namespace recipelint {
namespace {

using testing::CommandResult;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::run_command;

std::string entry(const std::string& key, const std::string& prefix) {
  return key + ":\n  image: vllm/vllm-openai:v0.27.1\n  model: acme/M\n  model-prefix: " + prefix +
         "\n  precision: fp8\n  framework: vllm\n  runner: b300\n  multinode: false\n"
         "  scenarios:\n    fixed-seq-len:\n    - isl: 8192\n      osl: 1024\n"
         "      search-space:\n      - {tp: 8, conc-list: [32]}\n";
}

std::string multi_node_entry() {
  return "recipes:\n  image: vllm/vllm-openai:v0.27.1\n  model: acme/M\n  model-prefix: m\n"
         "  precision: fp8\n  framework: dynamo-vllm\n  runner: x9\n  multinode: true\n"
         "  scenarios:\n    fixed-seq-len:\n    - isl: 8192\n      osl: 1024\n"
         "      search-space:\n      - conc-list: [64]\n"
         "        prefill: {num-worker: 1, tp: 8, ep: 1, dp-attn: false,\n"
         "                  additional-settings: [\"CONFIG_FILE=recipes/agg.yaml\"]}\n"
         "        decode: {num-worker: 0, tp: 8, ep: 1, dp-attn: false}\n";
}

class AffectedCells : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string scripts = "benchmarks/single_node/fixed_seq_len/";
    const std::string recipes = "benchmarks/multi_node/srt-slurm-recipes/";
    write("configs/x-master.yaml",
          entry("reads", "one") + entry("mentions", "two") + multi_node_entry());
    write("configs/runners.yaml", "labels:\n  b300: [b300-nv_0]\n  x9: [x9-lab_0]\n");
    write("runners/launch_b300-nv.sh", "bash x.sh\n");
    write("runners/launch_x9-lab.sh", "srtctl apply -f \"$CONFIG_FILE\"\n");
    write("benchmarks/lib_fp8.sh", "limit() { cat benchmarks/limits.txt; }\n");
    write("benchmarks/limits.txt", "64\n");
    write("benchmarks/replay_lib.sh", "PORT=8000\n");
    write("benchmarks/replay.sh", "source \"$(dirname \"$0\")/replay_lib.sh\"\n");
    // The name is put together, so that it stands nowhere.
    write(scripts + "one_fp8_b300_vllm.sh",
          "source \"$(dirname \"$0\")/../../lib_${PRECISION}.sh\"\n"
          "vllm serve m --max-num-seqs \"$(limit)\"\n");
    write(scripts + "two_fp8_b300_vllm.sh",
          "# Not like lib_fp8.sh and limits.txt.\nvllm serve m\n");
    write(recipes + "agg.yaml",
          "name: agg\nmodel: {path: m, container: c}\n"
          "resources: {gpu_type: x9, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n"
          "backend: {type: vllm, vllm_config: {aggregated: {tensor-parallel-size: 8}}}\n"
          "setup_script: deps.sh\n"
          "benchmark:\n  type: custom\n  command: bash /infmax-workspace/benchmarks/replay.sh\n");
    write(recipes + "configs/deps.sh", "pip list\n");
    write("docs/lib_fp8.md", "About lib_fp8.sh.\n");
  }

  void write(const std::string& path, const std::string& bytes) { folder_.write(path, bytes); }

  std::vector<std::string> keys(const std::string& path) const {
    const CommandResult result = run_command({"cells", folder_ / path, "--format", "json"});
    EXPECT_EQ(result.code, 0) << result.err;
    std::set<std::string> found;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) {
      found.insert(nlohmann::json::parse(line)["key"].get<std::string>());
    }
    return {found.begin(), found.end()};
  }

  testing::TemporaryFolder folder_;
};

TEST_F(AffectedCells, ALibraryStandsForTheCellsThatReadIt) {
  EXPECT_THAT(keys("benchmarks/lib_fp8.sh"), ElementsAre("reads"));
  EXPECT_THAT(keys("benchmarks/limits.txt"), ElementsAre("reads"));
}

TEST_F(AffectedCells, WhatARecipeRunsStandsForItsRows) {
  EXPECT_THAT(keys("benchmarks/multi_node/srt-slurm-recipes/agg.yaml"), ElementsAre("recipes"));
  EXPECT_THAT(keys("benchmarks/replay.sh"), ElementsAre("recipes"));
  EXPECT_THAT(keys("benchmarks/replay_lib.sh"), ElementsAre("recipes"));
  EXPECT_THAT(keys("benchmarks/multi_node/srt-slurm-recipes/configs/deps.sh"),
              ElementsAre("recipes"));
}

TEST_F(AffectedCells, ScriptsAndLaunchersStandForTheirRows) {
  EXPECT_THAT(keys("benchmarks/single_node/fixed_seq_len/two_fp8_b300_vllm.sh"),
              ElementsAre("mentions"));
  EXPECT_THAT(keys("runners/launch_b300-nv.sh"), ElementsAre("mentions", "reads"));
  EXPECT_THAT(keys("configs/x-master.yaml"), ElementsAre("mentions", "reads", "recipes"));
}

TEST_F(AffectedCells, AFolderStandsForWhatIsReadInIt) {
  EXPECT_THAT(keys("benchmarks/multi_node"), ElementsAre("recipes"));
}

TEST_F(AffectedCells, WhatNobodyReadsTakesPartInNone) {
  EXPECT_THAT(keys("docs/lib_fp8.md"), IsEmpty());
  const CommandResult result = run_command({"check", folder_ / "docs/lib_fp8.md", "-q"});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, HasSubstr("takes part in no cell"));
}

TEST_F(AffectedCells, ABrokenFileCountsIfItDecidesWhichCellsANamedOneHas) {
  const auto check = [&] {
    return run_command({"check", folder_ / "docs/lib_fp8.md", "-q", "--format", "unix"});
  };
  // A recipe that a row selects, but nothing that was named takes part in.
  write("benchmarks/multi_node/srt-slurm-recipes/agg.yaml", "resources: [\n");
  EXPECT_EQ(check().code, 0);
  EXPECT_THAT(check().out, IsEmpty());
  write("configs/y-master.yaml", entry("other", "one") + "broken: [1, 2\n");
  EXPECT_EQ(check().code, 3);
  EXPECT_THAT(check().out, HasSubstr("configs/y-master.yaml:15:9: error[RL1002]"));
}

TEST_F(AffectedCells, FindingsAreThoseOfTheCellsThatReadIt) {
  write("benchmarks/limits.txt", "8\n");
  const auto check = [&](const std::string& path) {
    return run_command({"check", folder_ / path, "--select", "RL2002", "--format", "unix"}).out;
  };
  EXPECT_THAT(check("benchmarks/lib_fp8.sh"), HasSubstr("RL2002"));
  EXPECT_THAT(check("benchmarks/replay_lib.sh"), IsEmpty());
}

// A recipe that no row selects is looked at if it is named, or its folder among the recipes.
TEST_F(AffectedCells, ANamedRecipeHasCellsOfItsOwn) {
  const std::string recipes = "benchmarks/multi_node/srt-slurm-recipes/";
  write(recipes + "retired/old.yaml",
        "name: old\nmodel: {path: m, container: c}\n"
        "resources: {gpu_type: x9, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n"
        "backend: {type: vllm, vllm_config: {aggregated: {tensor-parallel-size: 8}}}\n"
        "benchmark: {type: sa-bench, isl: 1024, osl: 1024, concurrencies: \"4x8\"}\n");
  const std::string key = recipes + "retired/old.yaml";
  EXPECT_THAT(keys(key), ElementsAre(key));
  EXPECT_THAT(keys(recipes + "retired"), ElementsAre(key));
  EXPECT_THAT(keys(recipes.substr(0, recipes.size() - 1)), ElementsAre(key, "recipes"));
  EXPECT_THAT(keys("benchmarks/multi_node"), ElementsAre("recipes"));
  EXPECT_THAT(keys(""), ElementsAre("mentions", "reads", "recipes"));
}

}  // namespace
}  // namespace recipelint
