#include "analyzer/launch/recipe/srt_slurm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "analyzer/launch/recipe/srt_command.h"
#include "analyzer/text/source_file.h"

namespace recipelint::launch::recipe {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// A recipe file and what reading it gave.
class RecipeFile {
 public:
  explicit RecipeFile(std::string bytes, std::string_view selector = "")
      : file_("r.yaml", std::move(bytes)) {
    const auto document = yaml::Document::parse(file_);
    EXPECT_TRUE(document.ok()) << document.error().message;
    recipes = read_srt_recipe(*document, selector, problems);
  }
  std::vector<std::string> argv(std::size_t role = 0, const SubmittedChanges& changes = {}) {
    launches = srt_launches(recipes.at(0), changes, pool);
    std::vector<std::string> words;
    for (const shell::Value& word : launches.at(role).argv) words.push_back(word.text());
    return words;
  }

  std::vector<SrtRecipe> recipes;
  std::vector<RecipeProblem> problems;
  std::vector<Launch> launches;
  text::OriginPool pool;

 private:
  text::SourceFile file_;
};

std::string with_backend(const std::string& backend, const std::string& more = "") {
  return "name: a\nmodel: {path: m, container: c, precision: fp8}\n"
         "resources: {gpu_type: gb200, gpus_per_node: 4, agg_nodes: 1, agg_workers: 1}\n"
         "benchmark: {type: custom}\n" +
         more + "backend:\n" + backend;
}

TEST(SrtRecipe, ReadsRolesAndComputesGpusPerWorker) {
  RecipeFile file(
      "name: a\nmodel: {path: m, container: c, precision: fp8}\n"
      "resources: {gpu_type: b200, gpus_per_node: 8, prefill_nodes: 2, prefill_workers: 4,\n"
      "            decode_nodes: 0, decode_workers: 1}\n"
      "backend: {type: sglang}\nbenchmark: {isl: 8192, osl: 1024, concurrencies: '4x8x16'}\n");
  EXPECT_THAT(file.problems, IsEmpty());
  const SrtRecipe& recipe = file.recipes.at(0);
  EXPECT_THAT(recipe.problems, IsEmpty());
  ASSERT_THAT(recipe.roles, SizeIs(2));
  EXPECT_EQ(recipe.roles[0].gpus_per_worker.value, 4);
  EXPECT_EQ(recipe.roles[1].gpus_per_worker.value, 4);  // shares the nodes of prefill
  EXPECT_EQ(recipe.isl->value, 8192);
  ASSERT_THAT(recipe.concurrencies, SizeIs(3));
  EXPECT_EQ(recipe.concurrencies[2].value, 16);
}

TEST(SrtRecipe, ReadsEverySpellingOfConcurrencies) {
  const struct {
    const char* text;
    std::vector<std::int64_t> values;
  } cases[] = {
      {"\"8x16\"", {8, 16}}, {"'60'", {60}},       {"60", {60}},
      {"[640]", {640}},      {"[4, '8']", {4, 8}}, {"null", {}},
  };
  for (const auto& test : cases) {
    RecipeFile file(
        "model: {}\nresources: {agg_workers: 1}\nbackend: {}\nbenchmark: {concurrencies: " +
        std::string(test.text) + "}\n");
    std::vector<std::int64_t> values;
    for (const auto& point : file.recipes.at(0).concurrencies) values.push_back(point.value);
    EXPECT_EQ(values, test.values) << test.text;
    EXPECT_THAT(file.recipes.at(0).problems, IsEmpty()) << test.text;
  }
}

TEST(SrtRecipe, ReportsWrongValuesAtTheirPlaceAndGoesOn) {
  RecipeFile file(
      "model: {}\nresources: {agg_nodes: few, agg_workers: 2}\nbackend: {type: other}\n"
      "benchmark: {concurrencies: '8xfew', isl: -1}\n");
  const SrtRecipe& recipe = file.recipes.at(0);
  std::vector<std::string> places;
  for (const RecipeProblem& problem : recipe.problems) {
    places.emplace_back(problem.span.bytes());
  }
  EXPECT_THAT(places, ElementsAre("other", "few", "-1", "'8xfew'"));
  EXPECT_EQ(recipe.roles.at(0).workers.value, 2);
  EXPECT_EQ(recipe.concurrencies.at(0).value, 8);
}

TEST(SrtRecipe, MergesAnOverrideIntoTheBase) {
  RecipeFile file(
      "base:\n  model: {path: m, container: c}\n  resources: {agg_workers: 1, agg_nodes: 1}\n"
      "  backend:\n    type: sglang\n    sglang_config:\n      aggregated: {tp-size: 4, a: [1, 2], "
      "gone: 1}\n  benchmark: {}\n"
      "override_x:\n  backend:\n    sglang_config:\n      aggregated: {tp-size: 8, a: [3], gone: "
      "null, "
      "new: true}\n",
      "override_x");
  EXPECT_THAT(file.problems, IsEmpty());
  const auto words = file.argv();
  EXPECT_THAT(std::vector<std::string>(words.end() - 5, words.end()),
              ElementsAre("--a", "3", "--new", "--tp-size", "8"));
}

std::string zip_file(const std::string& zip) {
  return "base:\n  model: {container: c}\n  resources: {agg_workers: 1}\n  backend: {type: "
         "sglang}\n"
         "  benchmark: {}\nzip_override_z:\n" +
         zip;
}

TEST(SrtRecipe, ZipsListsAndRepeatsSingleItems) {
  RecipeFile file(
      zip_file("  backend:\n    sglang_config:\n      aggregated:\n        tp-size: [4, 8]\n"
               "        page-size: [64]\n        sizes: [[1, 2], [3]]\n"),
      "zip_override_z[1]");
  ASSERT_THAT(file.recipes, SizeIs(1));
  EXPECT_EQ(file.recipes[0].variant, "zip_override_z[1]");
  const auto words = file.argv();
  EXPECT_THAT(std::vector<std::string>(words.end() - 6, words.end()),
              ElementsAre("--page-size", "64", "--sizes", "3", "--tp-size", "8"));
}

TEST(SrtRecipe, ExpandsAllVariantsWithoutASelector) {
  RecipeFile file(zip_file("  benchmark: {concurrencies: ['1', '2', '3']}\n") + "override_a: {}\n");
  std::vector<std::string> variants;
  for (const SrtRecipe& recipe : file.recipes) variants.push_back(recipe.variant);
  EXPECT_THAT(variants, ElementsAre("override_a", "zip_override_z[0]", "zip_override_z[1]",
                                    "zip_override_z[2]"));
}

TEST(SrtRecipe, SaysWhatIsWrongWithASelectorOrAZip) {
  const struct {
    const char* zip;
    const char* selector;
    const char* message;
    bool selector_at_fault;
  } cases[] = {
      {"  a: [1, 2]\n", "zip_override_z[2]", "Index 2 is out of range", true},
      {"  a: [1, 2]\n", "zip_override_y[0]",
       "no variant 'zip_override_y[0]'; it has 'zip_override_z'", true},
      {"  a: [1, 2]\n", "override_*x", "no variant", true},
      {"  a: [1, 2]\n  b: [1, 2, 3]\n", "zip_override_z[0]", "The list has 3 items", false},
      {"  a: []\n", "zip_override_z[0]", "empty list", false},
      {"  a: 1\n", "zip_override_z[0]", "no list", false},
  };
  for (const auto& test : cases) {
    RecipeFile file(zip_file(test.zip), test.selector);
    EXPECT_THAT(file.recipes, IsEmpty()) << test.selector;
    ASSERT_THAT(file.problems, SizeIs(1)) << test.selector;
    EXPECT_THAT(file.problems[0].message, HasSubstr(test.message));
    EXPECT_EQ(file.problems[0].selector, test.selector_at_fault);
    EXPECT_TRUE(file.problems[0].span.valid());
  }
}

TEST(SrtRecipe, BoundsWhatAliasesCanBlowUp) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 6; ++i) {
    const std::string previous = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + previous;
    for (int k = 0; k < 9; ++k) bomb += ", " + previous;
    bomb += "]\n";
  }
  RecipeFile file(bomb);
  EXPECT_THAT(file.recipes, IsEmpty());
  ASSERT_THAT(file.problems, SizeIs(1));
  EXPECT_THAT(file.problems[0].message, HasSubstr("too many values"));
}

TEST(SrtCommand, SortsOptionsAndSpellsValuesAsPythonDoes) {
  RecipeFile file(
      with_backend("  type: sglang\n  sglang_config:\n    aggregated:\n"
                   "      z-last: 1\n      tp_size: 8\n      fraction: 0.90\n"
                   "      small: 1.0e-05\n      big: 1_000\n      on: true\n"
                   "      off: false\n      none: null\n      list: [a, 1, 2.5]\n"
                   "      text: None\n      model-path: dropped\n      nccl_port: 1\n"));
  const auto words = file.argv();
  // `on` and `off` are YAML 1.1 booleans, also as keys; srtctl would fail on them, so they are
  // quoted in real recipes. Here only the values matter.
  EXPECT_THAT(words, Contains("--fraction"));
  const auto begin = std::find(words.begin(), words.end(), "--big");
  ASSERT_NE(begin, words.end());
  const std::vector<std::string> tail(begin, words.end());
  EXPECT_THAT(std::vector<std::string>(tail.begin(), tail.begin() + 8),
              ElementsAre("--big", "1000", "--fraction", "0.9", "--list", "a", "1", "2.5"));
  EXPECT_THAT(tail, Not(Contains("--model-path")));
  EXPECT_THAT(tail, Not(Contains("--nccl-port")));
  EXPECT_THAT(tail, Contains("1e-05"));
  EXPECT_THAT(tail, Contains("--tp-size"));
  EXPECT_EQ(tail.back(), "1");
}

TEST(SrtCommand, StartsSglangOnSeveralNodes) {
  RecipeFile file(
      "model: {path: m, container: c}\n"
      "resources: {gpu_type: b200, gpus_per_node: 8, prefill_nodes: 1, prefill_workers: 1, "
      "decode_nodes: 2, decode_workers: 1, gpus_per_decode: 16}\n"
      "backend: {type: sglang, sglang_config: {prefill: {served-model-name: x}, decode: {tp-size: "
      "16}}}\nbenchmark: {}\n");
  EXPECT_THAT(
      file.argv(1),
      ElementsAre("python3", "-m", "dynamo.sglang", "--model-path", "/model", "--served-model-name",
                  "x", "--host", "0.0.0.0", "--port", "${port that srtctl assigns}", "--nccl-port",
                  "${port that srtctl assigns}", "--disaggregation-mode", "decode",
                  "--dist-init-addr", "${address of the worker's first node}", "--nnodes", "2",
                  "--node-rank", "0", "--request-plane", "${default request plane of srtctl}",
                  "--tp-size", "16"));
  EXPECT_EQ(file.launches[1].role, Role::kDecode);
  EXPECT_EQ(file.launches[1].program, "python3 -m dynamo.sglang");
}

TEST(SrtCommand, StartsOneVllmProcessPerGpuOrPerNode) {
  const std::string config =
      "  vllm_config: {aggregated: {tensor-parallel-size: 1, data-parallel-size: 4, "
      "data-parallel-rpc-port: 13345, data-parallel-hybrid-lb: true}}\n";
  RecipeFile per_gpu(with_backend("  type: vllm\n  connector: nixl\n" + config));
  const auto gpu_words = per_gpu.argv();
  EXPECT_THAT(gpu_words, Contains("--data-parallel-rank"));
  EXPECT_THAT(gpu_words, Contains(R"({"kv_connector": "NixlConnector", "kv_role": "kv_both"})"));
  EXPECT_THAT(gpu_words, Not(Contains("13345")));
  EXPECT_EQ(gpu_words.back(), "1");

  RecipeFile per_node(with_backend("  type: vllm\n  dp_launch_mode: per_node\n" + config));
  const auto node_words = per_node.argv();
  const auto local = std::find(node_words.begin(), node_words.end(), "--data-parallel-size-local");
  ASSERT_NE(local, node_words.end());
  EXPECT_EQ(*(local + 1), "4");
  EXPECT_EQ(std::count(node_words.begin(), node_words.end(), "--data-parallel-hybrid-lb"), 1);
}

TEST(SrtCommand, DropsTopologyOptionsOfDirectVllm) {
  RecipeFile file(
      with_backend("  type: vllm\n  vllm_config: {aggregated: {port: 1, nnodes: 2, "
                   "max_num_seqs: 8}}\n",
                   "frontend: {type: vllm}\n"));
  EXPECT_THAT(file.argv(), ElementsAre("vllm", "serve", "/model", "--host", "0.0.0.0", "--port",
                                       "${port of the frontend}", "--served-model-name",
                                       "${name of the model folder}", "--max-num-seqs", "8"));
}

TEST(SrtCommand, WritesTheConfigurationOfTensorRtLlm) {
  RecipeFile file(
      "model: {path: m, container: c}\n"
      "resources: {gpu_type: gb200, gpus_per_node: 4, prefill_nodes: 1, prefill_workers: 1, "
      "decode_nodes: 1, decode_workers: 1}\nbenchmark: {}\n"
      "backend:\n  type: trtllm\n  prefill_environment: {A: 1}\n  trtllm_config:\n    prefill:\n"
      "      tensor_parallel_size: 4\n      cuda_graph_config: {batch_sizes: [1, 2], "
      "enable_padding: "
      "true}\n      kv_cache_config: {dtype: fp8, free_gpu_memory_fraction: 0.5}\n"
      "      note: 'yes'\n      nothing: null\n    decode: {}\n");
  const auto words = file.argv(0);
  EXPECT_THAT(std::vector<std::string>(words.begin(), words.begin() + 7),
              ElementsAre("numactl", "-m", "0,1", "trtllm-llmapi-launch", "python3", "-m",
                          "dynamo.trtllm"));
  EXPECT_EQ(file.launches[0].program_index, 4u);
  ASSERT_THAT(file.launches[0].config_files, SizeIs(1));
  EXPECT_EQ(file.launches[0].config_files[0].path, "/logs/trtllm_config_prefill.yaml");
  EXPECT_EQ(file.launches[0].config_files[0].content.text(),
            "tensor_parallel_size: 4\n"
            "cuda_graph_config: {batch_sizes: [1, 2], enable_padding: true}\n"
            "kv_cache_config: {dtype: fp8, free_gpu_memory_fraction: 0.5}\n"
            "note: \"yes\"\n"
            "nothing: null\n");
  EXPECT_EQ(file.launches[0].environment.at("A").text(), "1");
}

TEST(SrtCommand, KeepsThePlaceOfEveryOption) {
  RecipeFile file(with_backend("  type: vllm\n  vllm_config: {aggregated: {max-num-seqs: 512}}\n"));
  file.argv();
  const auto& argv = file.launches[0].argv;
  EXPECT_EQ(argv[argv.size() - 2].origin().span().bytes(), "max-num-seqs");
  EXPECT_EQ(argv.back().origin().span().bytes(), "512");
}

TEST(SrtCommand, AppliesTheChangesOfTheLauncher) {
  const std::string backend =
      "  type: vllm\n  aggregated_environment: {FORCE: 1, KEEP: 2}\n  vllm_config:\n"
      "    aggregated:\n      watchdog-timeout: 5\n"
      "      speculative-config: '{\"method\": \"mtp\", \"num_speculative_tokens\": 2}'\n";
  SubmittedChanges changes;
  changes.added_options.push_back({"watchdog-timeout", "dist-timeout", shell::Value::of("1800")});
  changes.removed_environment = {"FORCE"};
  changes.synthetic_acceptance = shell::Value::of("2.5");
  RecipeFile file(with_backend(backend));
  const auto words = file.argv(0, changes);
  EXPECT_THAT(words, Contains(R"({"method":"mtp","num_speculative_tokens":2,)"
                              R"("rejection_sample_method":"synthetic",)"
                              R"("synthetic_acceptance_length":2.5})"));
  EXPECT_THAT(words, Contains("--dist-timeout"));
  EXPECT_THAT(file.launches[0].environment, SizeIs(1));
}

}  // namespace
}  // namespace recipelint::launch::recipe
