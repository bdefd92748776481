#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/command.h"
#include "tests/support/git_repository.h"
#include "tests/support/temporary_folder.h"

namespace recipelint {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using testing::CommandResult;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::run_command;
using ::testing::StartsWith;
using testing::TemporaryFolder;

constexpr std::string_view kMaster =
    "big-fp8-x9-dynamo-vllm:\n"
    "  image: vllm/vllm-openai:v0.27.1\n"
    "  model: example-org/Big\n"
    "  model-prefix: big\n"
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
    "        prefill: { num-worker: 1, tp: 8, ep: 1, dp-attn: false,\n"
    "                   additional-settings: [\"CONFIG_FILE=recipes/vllm/big.yaml\"] }\n"
    "        decode: { num-worker: 0, tp: 8, ep: 1, dp-attn: false }\n";

// Too few seats for 64 clients, at line 16.
constexpr std::string_view kRecipe =
    "name: big\n"
    "model:\n"
    "  path: big\n"
    "  container: vllm/vllm-openai:v0.27.1\n"
    "resources:\n"
    "  gpu_type: h200\n"
    "  gpus_per_node: 8\n"
    "  agg_nodes: 1\n"
    "  agg_workers: 1\n"
    "backend:\n"
    "  type: vllm\n"
    "  vllm_config:\n"
    "    aggregated:\n"
    "      served-model-name: example-org/Big\n"
    "      tensor-parallel-size: 8\n"
    "      max-num-seqs: 16\n"
    "benchmark:\n"
    "  type: sa-bench\n"
    "  isl: 8192\n"
    "  osl: 1024\n"
    "  concurrencies: \"64\"\n";

/// A repository whose one row takes its recipe from upstream.
class RecipePath : public ::testing::Test {
 protected:
  void SetUp() override {
    repository_.write("configs/x-master.yaml", kMaster);
    repository_.write("configs/runners.yaml", "labels:\n  x9:\n  - x9-lab_0\n");
    repository_.write("runners/launch_x9-lab.sh", "srtctl apply -f \"$CONFIG_FILE\"\n");
  }

  CommandResult run(const std::string& command, std::vector<std::string> more) const {
    std::vector<std::string> arguments = {command, repository_.path().string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_command(arguments);
  }
  CommandResult check(std::vector<std::string> more) const {
    more.insert(more.end(), {"--format", "unix", "--select", "RL5002,RL2002,reading"});
    return run("check", more);
  }
  nlohmann::json cell(std::vector<std::string> more) const {
    more.insert(more.end(), {"--format", "json"});
    return nlohmann::json::parse(run("argv", more).out);
  }

  TemporaryFolder repository_;
  TemporaryFolder upstream_;
};

TEST_F(RecipePath, FindsWhatTheRepositoryDoesNotHave) {
  EXPECT_EQ(cell({})["status"], "missing");
  EXPECT_THAT(check({}).out, HasSubstr("note[RL5002]"));
  upstream_.write("recipes/vllm/big.yaml", kRecipe);
  const std::string path = upstream_.path().string();
  const auto launches = cell({"--recipe-path", path})["launches"];
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0]["program"], "python3 -m dynamo.vllm");
}

TEST_F(RecipePath, FindingsOutsideOfTheRootAreCalledByAnAbsolutePath) {
  upstream_.write("vllm/big.yaml", kRecipe);
  const std::string path = upstream_.path().string();
  const CommandResult absolute = check({"--recipe-path", path});
  EXPECT_THAT(absolute.out, StartsWith(path + "/vllm/big.yaml:16:7: warning[RL2002]"));
  EXPECT_THAT(absolute.out, Not(HasSubstr("RL5002")));
  EXPECT_EQ(absolute.code, 1);

  const fs::path before = fs::current_path();
  fs::current_path(upstream_.path().parent_path());
  const std::string name = upstream_.path().filename().string();
  const CommandResult relative = check({"--recipe-path", name + "//"});
  fs::current_path(before);
  EXPECT_THAT(relative.out, StartsWith(path + "/vllm/big.yaml:16:7: "));
}

TEST_F(RecipePath, SarifNamesFilesOutsideOfTheRootByAddressesOfTheirOwn) {
  upstream_.write("vllm/big.yaml", kRecipe);
  const std::string path = upstream_.path().string();
  const CommandResult result = run("check", {"--recipe-path", path, "--format", "sarif"});
  EXPECT_THAT(result.out, HasSubstr("\"uri\": \"file://" + path + "/vllm/big.yaml\""));
  EXPECT_THAT(result.out, Not(HasSubstr("\"uri\": \"" + path)));
}

TEST_F(RecipePath, AFolderInTheRootIsCalledAsTheRestOfIt) {
  repository_.write("third_party/srt/recipes/vllm/big.yaml", kRecipe);
  const CommandResult result = check({"--recipe-path", repository_ / "third_party/srt"});
  EXPECT_THAT(result.out, StartsWith("third_party/srt/recipes/vllm/big.yaml:16:7: "));
}

TEST_F(RecipePath, TheFirstFolderThatHasItCounts) {
  const TemporaryFolder other;
  other.write("vllm/big.yaml", kRecipe);
  upstream_.write("other.yaml", "a: 1\n");
  const CommandResult result =
      check({"--recipe-path", upstream_.path().string(), "--recipe-path", other.path().string()});
  EXPECT_THAT(result.out, StartsWith(other.path().string() + "/vllm/big.yaml:16:7: "));
}

TEST_F(RecipePath, CommentsThereCount) {
  std::string recipe(kRecipe);
  recipe.insert(recipe.find("\nbenchmark"),
                "  # recipelint: ignore[RL2002] a queue is what we measure");
  upstream_.write("vllm/big.yaml", recipe);
  const CommandResult result = check({"--recipe-path", upstream_.path().string()});
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_EQ(result.code, 0);
}

TEST_F(RecipePath, NothingOutsideOfItIsRead) {
  const TemporaryFolder outside;
  outside.write("secret.yaml", "secret-key: [\n");
  fs::create_directories(upstream_.path() / "vllm");
  fs::create_symlink(outside / "secret.yaml", upstream_.path() / "vllm" / "big.yaml");
  const CommandResult linked = check({"--recipe-path", upstream_.path().string()});
  EXPECT_THAT(linked.out, AllOf(HasSubstr("note[RL5002]"), Not(HasSubstr("secret"))));

  std::string master(kMaster);
  master.replace(master.find("recipes/vllm/big.yaml"), 21, "recipes/../../x/secret.yaml");
  repository_.write("configs/x-master.yaml", master);
  const CommandResult above = check({"--recipe-path", upstream_.path().string()});
  EXPECT_THAT(above.out + above.err, Not(HasSubstr("secret-key")));
  EXPECT_NE(above.code, 3);
}

// What is found there was there before the change as well.
TEST_F(RecipePath, CountsForTheRevisionThatIsComparedWith) {
  const testing::GitRepository repository;
  repository.write("configs/x-master.yaml", std::string(kMaster));
  repository.write("configs/runners.yaml", "labels:\n  x9:\n  - x9-lab_0\n");
  repository.write("runners/launch_x9-lab.sh", "srtctl apply -f \"$CONFIG_FILE\"\n");
  repository.commit();
  upstream_.write("vllm/big.yaml", kRecipe);
  std::vector<std::string> arguments = {
      "check", repository.path(), "--recipe-path",        upstream_.path().string(), "--format",
      "unix",  "--select",        "RL5002,RL2002,reading"};
  EXPECT_THAT(run_command(arguments).out, HasSubstr("RL2002"));
  arguments.insert(arguments.end(), {"--diff-base", "HEAD"});
  const CommandResult result = run_command(arguments);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_EQ(result.code, 0) << result.err;
}

TEST_F(RecipePath, MustBeAFolder) {
  const CommandResult missing = check({"--recipe-path", upstream_ / "gone"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.err, AllOf(HasSubstr("--recipe-path"), HasSubstr("gone")));
}

TEST_F(RecipePath, AConfigurationCannotNameOne) {
  repository_.write(".recipelint.yaml", "recipe-path: ../elsewhere\n");
  const CommandResult result = check({});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("1:1: unknown key 'recipe-path'"));
}

}  // namespace
}  // namespace recipelint
