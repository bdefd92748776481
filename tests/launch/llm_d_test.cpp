#include "analyzer/launch/recipe/llm_d.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyzer/text/source_file.h"

namespace recipelint::launch::recipe {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* kRecipe =
    "kind: EndpointPickerConfig\n"
    "prefill:\n  extra-args: >-\n    --max-num-seqs 16\n    --compilation-config "
    "{\"mode\":0}\n  env: {A: 1, B: \"x\"}\n"
    "decode: {tp: 8, enable-expert-parallel: false}\n";

std::vector<std::string> words(const Launch& launch) {
  std::vector<std::string> result;
  for (const shell::Value& word : launch.argv) result.push_back(word.text());
  return result;
}

TEST(LlmdRecipe, ServesExpertParallelOverAllRanksOfAnEngine) {
  const text::SourceFile file("r.yaml", kRecipe);
  const LlmdRecipe recipe = read_llmd_recipe(*yaml::Document::parse(file));
  EXPECT_THAT(recipe.problems, IsEmpty());
  text::OriginPool pool;
  const Launch launch = llmd_launch(recipe.roles.at(0), {2, 4}, shell::Value::of("acme/m"), pool);
  EXPECT_EQ(launch.role, Role::kPrefill);
  EXPECT_THAT(
      words(launch),
      ElementsAre("vllm", "serve", "/models", "--port", "8200", "--served-model-name", "acme/m",
                  "--trust-remote-code", "--disable-access-log-for-endpoints=/health,/metrics",
                  "--tensor-parallel-size", "1", "--kv_transfer_config",
                  R"({"kv_connector":"NixlConnector","kv_role":"kv_producer",)"
                  R"("kv_load_failure_policy":"fail"})",
                  "--api-server-count", "4", "--enable-expert-parallel", "--data-parallel-size",
                  "8", "--data-parallel-hybrid-lb", "--data-parallel-size-local", "4",
                  "--data-parallel-address", "${address of the engine's first node}",
                  "--data-parallel-rpc-port", "5555", "--data-parallel-start-rank", "0",
                  "--max-num-seqs", "16", "--compilation-config", "{\"mode\":0}"));
  EXPECT_EQ(launch.environment.at("A").text(), "1");
}

TEST(LlmdRecipe, ServesTensorParallelAcrossNodes) {
  const text::SourceFile file("r.yaml", kRecipe);
  const LlmdRecipe recipe = read_llmd_recipe(*yaml::Document::parse(file));
  text::OriginPool pool;
  const Launch launch = llmd_launch(recipe.roles.at(1), {2, 4}, shell::Value::of("m"), pool);
  const auto argv = words(launch);
  EXPECT_THAT(std::vector<std::string>(argv.end() - 6, argv.end()),
              ElementsAre("--master-addr", "${address of the engine's first node}", "--nnodes", "2",
                          "--node-rank", "0"));
  EXPECT_EQ(argv[10], "8");
  EXPECT_EQ(launch.argv[10].origin().span().bytes(), "8");
}

TEST(LlmdRecipe, ReportsWrongTypesAtTheirPlace) {
  const text::SourceFile file("r.yaml",
                              "prefill: {tp: zero, enable-expert-parallel: 1}\ndecode: 1\n");
  const LlmdRecipe recipe = read_llmd_recipe(*yaml::Document::parse(file));
  std::vector<std::string> places;
  for (const RecipeProblem& problem : recipe.problems) places.emplace_back(problem.span.bytes());
  EXPECT_THAT(places, ElementsAre("zero", "1", "1"));
  EXPECT_THAT(recipe.roles, SizeIs(2));
}

}  // namespace
}  // namespace recipelint::launch::recipe
