// What is wrong in one key of a search space is said at its place, and the other keys have their
// cells nevertheless.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/support/command.h"
#include "tests/support/temporary_folder.h"

namespace recipelint {
namespace {

using testing::CommandResult;
using ::testing::HasSubstr;
using testing::run_command;

struct Repository {
  /// A key that is wrong, before one that is as it should be.
  explicit Repository(const std::string& bad_key) {
    folder.write("configs/x-master.yaml", bad_key +
                                              "good:\n"
                                              "  image: vllm/vllm-openai:v0.27.1\n"
                                              "  model: acme/M\n"
                                              "  model-prefix: m\n"
                                              "  precision: fp8\n"
                                              "  framework: vllm\n"
                                              "  runner: b300\n"
                                              "  multinode: false\n"
                                              "  scenarios:\n"
                                              "    fixed-seq-len:\n"
                                              "    - isl: 8192\n"
                                              "      osl: 1024\n"
                                              "      search-space:\n"
                                              "      - {tp: 8, conc-list: [32, 64]}\n");
    folder.write("configs/runners.yaml", "labels:\n  b300: [b300-nv_0]\n  x9: [x9-lab_0]\n");
    folder.write("runners/launch_b300-nv.sh", "#!/bin/bash\n");
    folder.write("runners/launch_x9-lab.sh", "#!/bin/bash\n");
    folder.write("benchmarks/single_node/fixed_seq_len/m_fp8_b300_vllm.sh",
                 "vllm serve \"$MODEL\" --tensor-parallel-size \"$TP\"\n");
  }

  std::string check() const {
    return run_command({"check", folder.path().string(), "--format", "unix"}).out;
  }
  /// The points of the key that is as it should be.
  std::size_t good_points() const {
    const CommandResult result =
        run_command({"argv", folder.path().string(), "--format", "json", "--keys", "good"});
    std::istringstream lines(result.out);
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line);) {
      count += nlohmann::json::parse(line)["status"] == "complete" ? 1u : 0u;
    }
    return count;
  }

  testing::TemporaryFolder folder;
};

std::string single_node(const std::string& row, const std::string& runner = "b300",
                        const std::string& prefix = "m") {
  return "bad:\n"
         "  image: vllm/vllm-openai:v0.27.1\n"
         "  model: acme/M\n"
         "  model-prefix: " +
         prefix +
         "\n"
         "  precision: fp8\n"
         "  framework: vllm\n"
         "  runner: " +
         runner +
         "\n"
         "  multinode: false\n"
         "  scenarios:\n"
         "    fixed-seq-len:\n"
         "    - isl: 8192\n"
         "      osl: 1024\n"
         "      search-space:\n"
         "      - " +
         row + "\n";
}

std::string multi_node(const std::string& recipe) {
  return "bad:\n"
         "  image: vllm/vllm-openai:v0.27.1\n"
         "  model: acme/M\n"
         "  model-prefix: m\n"
         "  precision: fp8\n"
         "  framework: dynamo-vllm\n"
         "  runner: x9\n"
         "  multinode: true\n"
         "  scenarios:\n"
         "    fixed-seq-len:\n"
         "    - isl: 8192\n"
         "      osl: 1024\n"
         "      search-space:\n"
         "      - conc-list: [64]\n"
         "        decode: {num-worker: 0, tp: 8, ep: 1, dp-attn: false}\n"
         "        prefill:\n"
         "          num-worker: 1\n"
         "          tp: 8\n"
         "          ep: 1\n"
         "          dp-attn: false\n"
         "          additional-settings: [\"CONFIG_FILE=" +
         recipe + "\"]\n";
}

void expect_finding(const Repository& repository, const std::string& finding) {
  EXPECT_THAT(repository.check(), HasSubstr(finding));
  EXPECT_EQ(repository.good_points(), 2u) << finding;
}

TEST(BadSearchSpace, WrongTypes) {
  expect_finding(Repository(single_node("{tp: eight, conc-list: [32]}")),
                 "configs/x-master.yaml:14:14: error[RL9001]: ");
  expect_finding(Repository(single_node("{tp: 8, conc-list: 32}")),
                 "configs/x-master.yaml:14:28: error[RL9001]: ");
  expect_finding(Repository(single_node("[8, 32]")), "configs/x-master.yaml:14:9: error[RL9001]: ");
  expect_finding(Repository("bad: 5\n"), "configs/x-master.yaml:1:1: error[RL9001]: ");
  expect_finding(Repository("bad:\n"), "configs/x-master.yaml:1:");
}

TEST(BadSearchSpace, MissingScript) {
  expect_finding(Repository(single_node("{tp: 8, conc-list: [32]}", "b300", "absent")),
                 "configs/x-master.yaml:1:1: error[RL5001]: ");
}

TEST(BadSearchSpace, ARunnerLabelThatNobodyHas) {
  expect_finding(Repository(single_node("{tp: 8, conc-list: [32]}", "b999")),
                 "configs/x-master.yaml:7:11: error[RL5003]: ");
}

TEST(BadSearchSpace, MissingRecipe) {
  expect_finding(Repository(multi_node("recipes/gone.yaml")),
                 "configs/x-master.yaml:21:46: note[RL5002]: ");
}

constexpr const char* kRecipe = "benchmarks/multi_node/srt-slurm-recipes/sweep.yaml";
constexpr std::string_view kVariants =
    "base:\n"
    "  name: sweep\n"
    "  model: {path: m, container: \"vllm/vllm-openai:v0.27.1\"}\n"
    "  resources: {gpu_type: x9, gpus_per_node: 8, agg_nodes: 1, agg_workers: 1}\n"
    "  backend: {type: vllm, vllm_config: {aggregated: {tensor-parallel-size: 8}}}\n"
    "  benchmark: {type: sa-bench, isl: 8192, osl: 1024, concurrencies: \"64\"}\n"
    "zip_override_seats:\n"
    "  backend: {vllm_config: {aggregated: {max-num-seqs: [64, 128]}}}\n";

TEST(BadSearchSpace, ASelectorThatDoesNotExist) {
  const Repository other(multi_node("recipes/sweep.yaml:override_speed"));
  other.folder.write(kRecipe, kVariants);
  expect_finding(other,
                 "configs/x-master.yaml:21:46: error[RL5002]: The recipe has no variant "
                 "'override_speed'");
  const Repository beyond(multi_node("recipes/sweep.yaml:zip_override_seats[2]"));
  beyond.folder.write(kRecipe, kVariants);
  expect_finding(beyond, "configs/x-master.yaml:21:46: error[RL5002]: Index 2 is out of range");
}

// An override cannot refer to itself but through an alias, which YAML forbids srtctl as well:
// PyYAML makes an endless structure of it.
TEST(BadSearchSpace, ACycleOfOverrides) {
  const Repository recipe(multi_node("recipes/sweep.yaml:override_loop"));
  recipe.folder.write(kRecipe, std::string(kVariants) +
                                   "override_loop: &loop\n"
                                   "  backend: *loop\n");
  expect_finding(recipe, std::string(kRecipe) + ":10:12: error[RL1002]: ");
  const Repository merge(multi_node("recipes/sweep.yaml:override_loop"));
  merge.folder.write(kRecipe, std::string(kVariants) +
                                  "override_loop: &loop\n"
                                  "  <<: *loop\n");
  expect_finding(merge, std::string(kRecipe) + ":10:7: error[RL1002]: ");
}

TEST(BadSearchSpace, AMasterFileThatCannotBeParsed) {
  const Repository repository("");
  repository.folder.write("configs/y-master.yaml", "other: {runner: b300, scenarios: [\n");
  expect_finding(repository, "configs/y-master.yaml:1:");
}

TEST(BadSearchSpace, MissingFilesBesideIt) {
  const Repository repository(single_node("{tp: 8, conc-list: [32]}"));
  std::filesystem::remove(repository.folder.path() / "configs" / "runners.yaml");
  const CommandResult result =
      run_command({"cells", repository.folder.path().string(), "--format", "json"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\"key\":\"good\""));
}

}  // namespace
}  // namespace recipelint
