#include "analyzer/layout/workspace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/layout/repository.h"

namespace recipelint::layout {
namespace {

using recipelint::testing::Repository;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* kRunners =
    "labels:\n"
    "  b300: [b300-nv_01, b300-nv_02]\n"
    "  mi355x: [mi355x-amds_3]\n"
    "  h200: [h200-cw_0, h200-dgxc-slurm_0, h200-dgxc-slurm_1]\n"
    "  tw: [mi325x-tw_0]\n"
    "  \"cluster:gb300\": [gb300-nv_0]\n"
    "hardware:\n"
    "  b300: {available-cpu-dram-mib: 1000000, gpus-per-node: 8}\n"
    "  \"cluster:gb300\": {available-cpu-dram-mib: 1000000, gpus-per-node: 4}\n";

std::string single(const std::string& key, const std::string& runner, const std::string& framework,
                   const std::string& row) {
  return key + ":\n  image: 'vllm/vllm-openai:v0.27.1'\n  model: acme/Model-X\n" +
         "  model-prefix: modelx\n  precision: fp8\n  framework: " + framework +
         "\n  runner: " + runner + "\n  multinode: false\n  scenarios:\n    fixed-seq-len:\n" +
         "    - isl: 8192\n      osl: 1024\n      search-space:\n      - " + row + "\n";
}

std::string multi(const std::string& key, const std::string& framework,
                  const std::string& prefill_settings) {
  return key + ":\n  image: acme/server:v1\n  model: acme/Model-X\n  model-prefix: dsv4\n" +
         "  precision: fp4\n  framework: " + framework + "\n  runner: cluster:gb300\n" +
         "  multinode: true\n  scenarios:\n    fixed-seq-len:\n    - isl: 8192\n      osl: 1024\n" +
         "      search-space:\n      - prefill: {num-worker: 1, tp: 4, ep: 1, dp-attn: false, "
         "additional-settings: [" +
         prefill_settings + "]}\n" +
         "        decode: {num-worker: 2, tp: 8, ep: 8, dp-attn: true}\n" +
         "        conc-list: [4, 8]\n";
}

Repository& with_launchers(Repository& repository) {
  repository.add("configs/runners.yaml", kRunners);
  for (const char* name :
       {"b300-nv", "mi355x-amds", "h200-cw", "h200-dgxc-slurm", "mi325x-tw", "gb300-nv"}) {
    repository.add("runners/launch_" + std::string(name) + ".sh", "");
  }
  return repository;
}

std::string value(const Workspace& workspace, const std::string& name,
                  Mode mode = Mode::kThroughput) {
  text::OriginPool pool;
  const LaunchPlan plan = workspace.plan(workspace.sites().at(0), {0, 0, mode}, pool);
  const auto found = plan.environment.find(name);
  return found == plan.environment.end() ? "(unset)" : found->second.text();
}

TEST(Workspace, GivesTheWorkflowsEnvironmentOfASingleNodeCell) {
  Repository repository;
  with_launchers(repository)
      .add("configs/x-master.yaml",
           single("k", "b300", "vllm", "{tp: 4, ep: 2, conc-list: [16], spec-decoding: mtp}"));
  const Workspace& workspace = repository.load();
  const struct {
    const char* name;
    const char* text;
  } expected[] = {
      {"TP", "4"},
      {"EP_SIZE", "2"},
      {"PP_SIZE", "1"},
      {"CONC", "16"},
      {"ISL", "8192"},
      {"MAX_MODEL_LEN", "9472"},
      {"DP_ATTENTION", "false"},
      {"SPEC_DECODING", "mtp"},
      {"EXP_NAME", "modelx_8k1k"},
      {"SCENARIO_SUBDIR", "fixed_seq_len/"},
      {"IS_AGENTIC", "0"},
      {"GPU_COUNT", "4"},
      {"KV_OFFLOADING", ""},
      {"IS_MULTINODE", "(unset)"},
      {"EVAL_ONLY", "false"},
      {"MODEL_PATH", "/data/models/Model-X"},
      {"PORT", "8888"},
      {"HF_HUB_CACHE", "${home folder of the runner}/.cache/huggingface"},
      {"RUNNER_NAME", "b300-nv_${number of the runner}"},
      {"HF_TOKEN", "${secret HF_TOKEN}"},
      {"SLURM_JOB_ID", "${number of the Slurm job}"},
  };
  for (const auto& test : expected) {
    EXPECT_EQ(value(workspace, test.name), test.text) << test.name;
  }
  EXPECT_EQ(value(workspace, "EVAL_ONLY", Mode::kEval), "true");
  EXPECT_EQ(value(workspace, "RUN_EVAL", Mode::kEval), "true");
}

TEST(Workspace, KeepsTheOriginOfEveryValue) {
  Repository repository;
  with_launchers(repository)
      .add("configs/x-master.yaml", single("k", "b300", "vllm", "{tp: 4, conc-list: [16]}"));
  const Workspace& workspace = repository.load();
  text::OriginPool pool;
  const LaunchPlan plan = workspace.plan(workspace.sites().at(0), {0, 0, Mode::kThroughput}, pool);
  const text::Origin tp = plan.environment.at("TP").origin();
  EXPECT_EQ(tp.span().bytes(), "4");
  EXPECT_EQ(tp.nearest()->note, "TP of its environment");
  ASSERT_NE(tp.nearest()->earlier, nullptr);
  EXPECT_EQ(tp.nearest()->earlier->note, "tp of this row");
  EXPECT_EQ(plan.environment.at("CONC").origin().span().bytes(), "16");
  EXPECT_EQ(plan.environment.at("MODEL").origin().span().bytes(), "acme/Model-X");
  EXPECT_EQ(plan.environment.at("RANDOM_RANGE_RATIO").origin().nearest()->note,
            "set by the workflow");
  EXPECT_EQ(plan.environment.at("PORT").origin().nearest()->note, "set by the launcher 'b300-nv'");
}

TEST(Workspace, ForwardsOnlyTheNamesThatADockerLauncherLists) {
  Repository repository;
  with_launchers(repository)
      .add("configs/x-master.yaml", single("k", "tw", "vllm", "{tp: 8, conc-list: [1]}"));
  const Workspace& workspace = repository.load();
  EXPECT_EQ(value(workspace, "TP"), "8");
  EXPECT_EQ(value(workspace, "DP_ATTENTION"), "false");
  EXPECT_EQ(value(workspace, "IMAGE"), "(unset)");
  EXPECT_EQ(value(workspace, "IS_AGENTIC"), "(unset)");
  EXPECT_EQ(value(workspace, "PYTHONPYCACHEPREFIX"), "/tmp/pycache/");
}

TEST(Workspace, CallsUnknownWhatOnlyTheHostKnows) {
  Repository repository;
  with_launchers(repository)
      .add("configs/x-master.yaml", single("k", "mi355x", "sglang", "{tp: 8, conc-list: [1]}"));
  const Workspace& workspace = repository.load();
  EXPECT_EQ(value(workspace, "PORT"), "${8888 + last digit of the runner's name}");
  EXPECT_EQ(value(workspace, "RUNNER_NAME"), "mi355x-amds_3");
}

TEST(Workspace, GivesTheEnvironmentOfAMultiNodeRowWithItsSettings) {
  Repository repository;
  with_launchers(repository)
      .add("configs/x-master.yaml",
           multi("k", "dynamo-vllm",
                 "\"CONFIG_FILE=recipes/vllm/a.yaml\", \"SLURM_PARTITION=big\", 'ODD=a b'"));
  const Workspace& workspace = repository.load();
  EXPECT_EQ(value(workspace, "CONC_LIST"), "4 8");
  EXPECT_EQ(value(workspace, "CONC"), "");
  EXPECT_EQ(value(workspace, "PREFILL_TP"), "4");
  EXPECT_EQ(value(workspace, "DECODE_DP_ATTN"), "true");
  EXPECT_EQ(value(workspace, "TOTAL_CPU_DRAM_GB"), "600");
  EXPECT_EQ(value(workspace, "IS_MULTINODE"), "true");
  EXPECT_EQ(value(workspace, "SLURM_PARTITION"), "big");
  EXPECT_EQ(value(workspace, "CONFIG_FILE"), "recipes/vllm/a.yaml");
  EXPECT_EQ(value(workspace, "ODD"), "${shell syntax in an additional setting}");
  EXPECT_EQ(value(workspace, "RESULT_DIR"), "(unset)");
}

const Target& first_target(const Workspace& workspace) {
  return workspace.sites().at(0).rows.at(0).throughput;
}

TEST(Workspace, PrefersTheScriptThatNamesTheFramework) {
  const std::string base = "benchmarks/single_node/fixed_seq_len/modelx_fp8_b300";
  Repository repository;
  with_launchers(repository)
      .add("configs/x-master.yaml", single("k", "b300", "vllm", "{tp: 4, conc-list: [16]}"))
      .add(base + ".sh", "")
      .add(base + "_vllm.sh", "");
  const Target& target = first_target(repository.load());
  EXPECT_EQ(target.script, base + "_vllm.sh");
  EXPECT_TRUE(target.script_exists);
}

TEST(Workspace, FallsBackToTheScriptWithoutFramework) {
  const std::string base = "benchmarks/single_node/fixed_seq_len/modelx_fp8_b300";
  Repository repository;
  with_launchers(repository)
      .add("configs/x-master.yaml",
           single("k", "b300", "trt", "{tp: 4, conc-list: [16], spec-decoding: mtp}"))
      .add(base + ".sh", "");
  const Target& target = first_target(repository.load());
  EXPECT_THAT(target.candidates, SizeIs(2));
  EXPECT_EQ(target.script, base + "_trt_mtp.sh");
  EXPECT_FALSE(target.script_exists);
}

TEST(Workspace, GivesNoSuffixForADraftModel) {
  Repository repository;
  with_launchers(repository)
      .add("configs/x-master.yaml",
           single("k", "b300", "vllm", "{tp: 4, conc-list: [1], spec-decoding: draft_model}"));
  EXPECT_EQ(first_target(repository.load()).script,
            "benchmarks/single_node/fixed_seq_len/modelx_fp8_b300.sh");
}

TEST(Workspace, ResolvesOnEveryFamilyOfTheLabel) {
  const std::string base = "benchmarks/single_node/fixed_seq_len/modelx_fp8_h200";
  Repository repository;
  with_launchers(repository)
      .add("configs/x-master.yaml", single("k", "h200", "vllm", "{tp: 4, conc-list: [16]}"))
      .add(base + ".sh", "")
      .add(base + "_vllm.sh", "");
  const RowLaunch& row = repository.load().sites().at(0).rows.at(0);
  EXPECT_EQ(row.throughput.runner.launcher, "h200-dgxc-slurm");
  EXPECT_EQ(row.throughput.script, base + "_vllm.sh");
  ASSERT_THAT(row.elsewhere, SizeIs(1));
  EXPECT_EQ(row.elsewhere[0].script, base + ".sh");
}

TEST(Workspace, FindsScriptsOfEarlierLayouts) {
  Repository repository;
  with_launchers(repository)
      .add("configs/x-master.yaml", single("k", "b300", "vllm", "{tp: 4, conc-list: [16]}"))
      .add("benchmarks/single_node/modelx_fp8_b300.sh", "");
  EXPECT_EQ(first_target(repository.load()).script, "benchmarks/single_node/modelx_fp8_b300.sh");
}

TEST(Workspace, FindsScriptsUnderTheirEarlierNames) {
  Repository repository;
  with_launchers(repository)
      .add("configs/x-master.yaml", single("k", "b300", "vllm", "{tp: 4, conc-list: [16]}"))
      .add("benchmarks/modelx_fp8_b300_docker.sh", "");
  EXPECT_EQ(first_target(repository.load()).script, "benchmarks/modelx_fp8_b300_docker.sh");
}

TEST(Workspace, LooksBelowTheRepositoryThatANestedSearchSpaceDrives) {
  Repository repository;
  repository.add("vendor/s/configs/runners.yaml", kRunners)
      .add("vendor/s/runners/launch_b300-nv.sh", "")
      .add("vendor/s/configs/x-master.yaml", single("k", "b300", "vllm", "{tp: 4, conc-list: [1]}"))
      .add("vendor/s/benchmarks/single_node/fixed_seq_len/modelx_fp8_b300.sh", "");
  const Target& target = first_target(repository.load());
  EXPECT_EQ(target.script, "vendor/s/benchmarks/single_node/fixed_seq_len/modelx_fp8_b300.sh");
  EXPECT_TRUE(target.script_exists);
}

TEST(Workspace, SaysWhyALauncherRefusesARow) {
  Repository repository;
  with_launchers(repository)
      .add("configs/x-master.yaml", multi("k", "dynamo-vllm", "'SLURM_PARTITION=big'"));
  const Target& target = first_target(repository.load());
  EXPECT_EQ(target.kind, Target::Kind::kRejected);
  EXPECT_EQ(target.rejected, "the row sets no CONFIG_FILE");
}

TEST(Workspace, AssumesTheCommonNamingForAnUnknownLauncher) {
  Repository repository;
  repository
      .add("configs/x-master.yaml", single("k", "x900-lab", "vllm", "{tp: 4, conc-list: [1]}"))
      .add("runners/launch_x900-lab.sh", "")
      .add("benchmarks/single_node/fixed_seq_len/modelx_fp8_x900_vllm.sh", "");
  const Target& target = first_target(repository.load());
  EXPECT_FALSE(target.launcher_known);
  EXPECT_TRUE(target.script_exists);
}

constexpr const char* kRecipe =
    "name: a\nmodel: {path: deepseek-v4-pro, container: 'acme/server:v1', precision: fp4}\n"
    "resources: {gpu_type: gb300, gpus_per_node: 4, prefill_nodes: 1, prefill_workers: 1, "
    "decode_nodes: 4, decode_workers: 2}\n"
    "backend: {type: vllm, vllm_config: {prefill: {}, decode: {}}}\n"
    "benchmark: {type: sa-bench, isl: 8192, osl: 1024, concurrencies: \"4x8\"}\n";
constexpr const char* kRecipes = "benchmarks/multi_node/srt-slurm-recipes/";

TEST(Workspace, ReadsTheRecipeThatARowSelects) {
  Repository repository;
  with_launchers(repository)
      .add("configs/x-master.yaml",
           multi("k", "dynamo-vllm", "\"CONFIG_FILE=recipes/vllm/deepseek-v4/a.yaml\""))
      .add(std::string(kRecipes) + "vllm/deepseek-v4/a.yaml", kRecipe)
      .add(std::string(kRecipes) + "vllm/deepseek-v4/unselected.yaml", ":\n:");
  const Workspace& workspace = repository.load();
  const Site& site = workspace.sites().at(0);
  EXPECT_THAT(workspace.problems(), IsEmpty());
  ASSERT_THAT(site.recipes, SizeIs(1));
  EXPECT_EQ(site.recipes[0].path, std::string(kRecipes) + "vllm/deepseek-v4/a.yaml");
  ASSERT_THAT(site.recipes[0].variants, SizeIs(1));
  ASSERT_THAT(site.recipes[0].uses, SizeIs(1));
  const RecipeReference& reference = site.recipes[0].uses[0].reference();
  EXPECT_EQ(reference.span.bytes(), "recipes/vllm/deepseek-v4/a.yaml");
  EXPECT_EQ(reference.checkout, "NVIDIA/srt-slurm aflowers/gb200-dsv4-recipes");
  EXPECT_THAT(reference.containers, ::testing::Contains("acme/server:v1"));
}

TEST(Workspace, CallsARecipeMissingWhereTheLauncherFillsTheFolderFromTheRepository) {
  Repository repository;
  with_launchers(repository)
      .add("configs/x-master.yaml",
           multi("k", "dynamo-vllm", "\"CONFIG_FILE=recipes/vllm/deepseek-v4/gone.yaml\""));
  EXPECT_EQ(first_target(repository.load()).recipe.place, RecipePlace::kMissing);
}

TEST(Workspace, CallsARecipeUpstreamWhereTheCheckoutKeepsItsOwn) {
  Repository repository;
  with_launchers(repository)
      .add("configs/x-master.yaml",
           multi("k", "dynamo-vllm", "\"CONFIG_FILE=recipes/trtllm/b.yaml\""));
  EXPECT_EQ(first_target(repository.load()).recipe.place, RecipePlace::kUpstream);
}

TEST(Workspace, LooksForUpstreamRecipesInTheRecipePathsOfTheUser) {
  Repository repository;
  with_launchers(repository)
      .add("configs/x-master.yaml",
           multi("k", "dynamo-vllm", "\"CONFIG_FILE=recipes/trtllm/b.yaml\""));
  text::MemoryTree empty;
  text::SourceStore empty_sources(empty);
  text::MemoryTree upstream;
  upstream.add("trtllm/b.yaml", kRecipe);
  text::SourceStore upstream_sources(upstream);
  text::SourceStore sources(repository.tree());
  const Workspace workspace =
      WorkspaceLoader(sources).look_in({&empty_sources, &upstream_sources}).load();
  const Site& site = workspace.sites().at(0);
  ASSERT_THAT(site.recipes, SizeIs(1));
  EXPECT_EQ(site.recipes[0].root, 2u);
  EXPECT_EQ(site.recipes[0].path, "trtllm/b.yaml");
  EXPECT_THAT(site.recipes[0].variants, SizeIs(1));
  EXPECT_EQ(site.find_recipe(site.rows.at(0).throughput.recipe), &site.recipes[0]);
}

TEST(Workspace, TakesTheEvaluationRecipeInEvalMode) {
  Repository repository;
  with_launchers(repository)
      .add("configs/x-master.yaml", multi("k", "dynamo-vllm",
                                          "\"CONFIG_FILE=recipes/vllm/deepseek-v4/a.yaml\", "
                                          "\"EVAL_CONFIG_FILE=recipes/vllm/deepseek-v4/e.yaml\""))
      .add(std::string(kRecipes) + "vllm/deepseek-v4/a.yaml", kRecipe)
      .add(std::string(kRecipes) + "vllm/deepseek-v4/e.yaml", kRecipe);
  const Site& site = repository.load().sites().at(0);
  EXPECT_EQ(site.rows.at(0).eval.recipe.setting, "EVAL_CONFIG_FILE");
  ASSERT_THAT(site.recipes, SizeIs(2));
  EXPECT_EQ(site.recipes[1].uses.at(0).mode, Mode::kEval);
}

TEST(Workspace, AppliesWhatTheLauncherChangesInTheRecipe) {
  std::string recipe = kRecipe;
  recipe.replace(recipe.find("decode: {}"), 10,
                 "decode: {speculative-config: '{\"method\": \"mtp\"}'}");
  Repository repository;
  with_launchers(repository)
      .add("configs/x-master.yaml",
           multi("k", "dynamo-vllm",
                 "\"CONFIG_FILE=recipes/vllm/deepseek-v4/a.yaml\", SYNTHETIC_ACCEPTANCE=true, "
                 "SYNTHETIC_ACCEPTANCE_LENGTH=2.50"))
      .add(std::string(kRecipes) + "vllm/deepseek-v4/a.yaml", recipe);
  const Workspace& workspace = repository.load();
  const auto decode_option = [&](Mode mode) {
    text::OriginPool pool;
    const auto launches = workspace.recipe_launches(workspace.sites().at(0), {0, 0, mode}, pool);
    return launches.at(0).at(1).argv.back().text();
  };
  EXPECT_EQ(decode_option(Mode::kThroughput),
            R"({"method":"mtp","rejection_sample_method":"synthetic",)"
            R"("synthetic_acceptance_length":2.5})");
  EXPECT_EQ(decode_option(Mode::kEval), R"({"method": "mtp"})");
}

TEST(Workspace, GivesTheCommandsOfAnLlmdRecipe) {
  Repository repository;
  std::string master =
      multi("k", "llmd-vllm", "CONFIG_FILE=low.yaml, PREFILL_NODES=2, DECODE_NODES=4");
  master.replace(master.find("cluster:gb300"), 13, "gb200");
  repository.add("configs/x-master.yaml", master)
      .add("configs/runners.yaml", "labels: {gb200: [gb200-nv_0]}\n")
      .add("runners/launch_gb200-nv.sh", "")
      .add("benchmarks/multi_node/dsv4_fp4_gb200_llmd-vllm-disagg.sh", "")
      .add("benchmarks/multi_node/llm-d-recipes/low.yaml", "prefill: {}\ndecode: {tp: 4}\n");
  const Workspace& workspace = repository.load();
  const Site& site = workspace.sites().at(0);
  EXPECT_TRUE(site.rows.at(0).throughput.script_exists);
  EXPECT_EQ(site.rows.at(0).throughput.recipe.place, RecipePlace::kInTree);
  text::OriginPool pool;
  const auto launches = workspace.recipe_launches(site, {0, 0, Mode::kThroughput}, pool);
  ASSERT_THAT(launches, SizeIs(1));
  ASSERT_THAT(launches[0], SizeIs(2));
  EXPECT_EQ(launches[0][1].argv.at(17).text(), "16");  // data-parallel ranks of decode
}

TEST(Workspace, ReportsASelectorThatTheRecipeDoesNotHaveAtTheRow) {
  Repository repository;
  with_launchers(repository)
      .add("configs/x-master.yaml",
           multi("k", "dynamo-vllm", "\"CONFIG_FILE=recipes/vllm/deepseek-v4/a.yaml:override_b\""))
      .add(std::string(kRecipes) + "vllm/deepseek-v4/a.yaml",
           "base:\n  resources: {}\n  backend: {}\noverride_a: {}\n");
  const Workspace& workspace = repository.load();
  ASSERT_THAT(workspace.problems(), SizeIs(1));
  EXPECT_EQ(workspace.problems()[0].rule, "RL5002");
  EXPECT_THAT(workspace.problems()[0].message, HasSubstr("'override_b'; it has 'override_a'"));
  EXPECT_EQ(workspace.problems()[0].span.bytes(), "recipes/vllm/deepseek-v4/a.yaml:override_b");
}

TEST(Workspace, ListsImagesOfEntriesSettingsAndRecipes) {
  Repository repository;
  with_launchers(repository)
      .add("configs/x-master.yaml",
           multi(
               "k", "dynamo-vllm",
               "\"CONFIG_FILE=recipes/vllm/deepseek-v4/a.yaml\", \"CLIENT_IMAGE=acme/client:v2\"") +
               multi("j", "dynamo-vllm", "\"CONFIG_FILE=recipes/vllm/deepseek-v4/a.yaml\""))
      .add(std::string(kRecipes) + "vllm/deepseek-v4/a.yaml", kRecipe);
  const std::vector<ImageUse>& uses = repository.load().image_uses();
  ASSERT_THAT(uses, SizeIs(4));
  EXPECT_EQ(uses[0].kind, ImageUse::Kind::kEntry);
  EXPECT_EQ(uses[1].kind, ImageUse::Kind::kSetting);
  EXPECT_EQ(uses[1].setting, "CLIENT_IMAGE");
  EXPECT_EQ(uses[1].span.bytes(), "acme/client:v2");
  EXPECT_EQ(uses[3].kind, ImageUse::Kind::kRecipeContainer);
  EXPECT_EQ(uses[3].span.bytes(), "acme/server:v1");
  EXPECT_THAT(uses[3].keys, ElementsAre("j", "k"));
}

TEST(Workspace, DoesNotTakeAnAliasForAnImage) {
  std::string recipe = kRecipe;
  recipe.replace(recipe.find("'acme/server:v1'"), 16, "dynamo-sglang");
  Repository repository;
  with_launchers(repository)
      .add("configs/x-master.yaml",
           multi("k", "dynamo-vllm", "\"CONFIG_FILE=recipes/vllm/deepseek-v4/a.yaml\""))
      .add(std::string(kRecipes) + "vllm/deepseek-v4/a.yaml", recipe);
  EXPECT_THAT(repository.load().image_uses(), SizeIs(1));
}

TEST(Workspace, TakesTheImageOutOfItsQuotes) {
  Repository repository;
  repository.add("configs/x-master.yaml", single("k", "b300", "vllm", "{tp: 4, conc-list: [1]}"));
  EXPECT_EQ(repository.load().image_uses().at(0).span.bytes(), "vllm/vllm-openai:v0.27.1");
}

TEST(Workspace, ReadsTheRecipesOfATreeWithoutSearchSpace) {
  Repository repository;
  repository.add("recipes/a.yaml", kRecipe)
      .add("recipes/b.yaml",
           "base:\n  model: {container: 'acme/server:v2'}\n  resources: {agg_nodes: 1, "
           "agg_workers: 1}\n  backend: {type: sglang}\n  benchmark: {concurrencies: [640]}\n"
           "zip_override_c:\n  benchmark: {concurrencies: ['60', '8x16']}\n");
  const Workspace& workspace = repository.load();
  EXPECT_THAT(workspace.sites(), IsEmpty());
  ASSERT_THAT(workspace.recipes(), SizeIs(2));
  ASSERT_THAT(workspace.recipes()[1].variants, SizeIs(2));
  EXPECT_EQ(workspace.recipes()[1].variants[1].concurrencies.at(1).value, 16);
  EXPECT_THAT(workspace.image_uses(), SizeIs(2));
}

TEST(Workspace, GoesOnAfterAFileThatDoesNotParse) {
  Repository repository;
  with_launchers(repository)
      .add("configs/bad-master.yaml", "k:\n  runner: x\n  scenarios: [\n")
      .add("configs/x-master.yaml", single("k", "b300", "vllm", "{tp: 4, conc-list: [1]}"));
  const Workspace& workspace = repository.load();
  ASSERT_THAT(workspace.problems(), SizeIs(1));
  EXPECT_EQ(workspace.problems()[0].rule, "RL1002");
  EXPECT_TRUE(workspace.problems()[0].span.valid());
  EXPECT_THAT(workspace.sites().at(0).rows, SizeIs(1));
}

TEST(Workspace, DoesNotDependOnTheNumberOfThreads) {
  text::MemoryTree tree;
  tree.add("configs/runners.yaml", kRunners);
  tree.add("configs/broken-master.yaml", multi("z", "dynamo-vllm", "A=1") + "more: [1,\n");
  std::string entries;
  for (int i = 0; i < 20; ++i) {
    const std::string name = "recipes/vllm/" + std::to_string(i) + ".yaml";
    entries += multi("k" + std::to_string(i), "dynamo-vllm", "CONFIG_FILE=" + name);
    tree.add("benchmarks/multi_node/srt-slurm-recipes/vllm/" + std::to_string(i) + ".yaml",
             i % 3 == 0 ? "broken: [" + std::to_string(i) + "\n" : "name: x\n");
  }
  tree.add("configs/x-master.yaml", entries);

  const auto describe = [&](unsigned threads) {
    text::SourceStore sources(tree);
    const Workspace workspace = WorkspaceLoader(sources).use_threads(threads).load();
    std::vector<std::string> lines;
    for (const space::Problem& problem : workspace.problems()) {
      lines.push_back(problem.identity + ": " + problem.message +
                      std::string(problem.span.bytes()));
    }
    for (const SelectedRecipe& recipe : workspace.sites().at(0).recipes) {
      lines.push_back(recipe.path + " " + std::to_string(recipe.variants.size()));
    }
    return lines;
  };
  const std::vector<std::string> lines = describe(1);
  EXPECT_THAT(lines, Contains(HasSubstr("configs/broken-master.yaml: ")));
  EXPECT_THAT(lines, Contains(HasSubstr("srt-slurm-recipes/vllm/18.yaml: ")));
  for (const unsigned threads : {0u, 2u, 8u}) EXPECT_EQ(describe(threads), lines) << threads;
}

}  // namespace
}  // namespace recipelint::layout
