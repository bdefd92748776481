// Whole small repositories through the command line, as a user calls it: all that the search space
// knows in fixtures/repos/search-space, a repository of another layout, and a tree of recipes
// alone.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/command.h"
#include "tests/support/golden.h"
#include "tests/support/paths.h"

namespace recipelint {
namespace {

using testing::CommandResult;

std::string repository(const std::string& name) {
  return testing::source_dir() + "/fixtures/repos/" + name;
}

void expect_output(std::vector<std::string> arguments, const std::string& name,
                   const std::string& golden) {
  arguments.insert(arguments.end(), {"--root", repository(name)});
  const CommandResult result = testing::run_command(arguments);
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(testing::matches_golden(result.out, golden));
}

// Ranges and lists, defaults, evaluations, agentic rows with offload, several nodes with a recipe,
// a nested copy of an earlier layout, rows without a script.
TEST(SearchSpaceRepository, HasTheCellsOfBothGenerations) {
  expect_output({"cells", "--format", "json"}, "search-space", "search-space/repository.jsonl");
}

TEST(SearchSpaceRepository, LaunchesForThroughput) {
  expect_output({"argv"}, "search-space", "search-space/throughput.txt");
}

TEST(SearchSpaceRepository, LaunchesForEvaluations) {
  expect_output({"argv", "--mode", "eval"}, "search-space", "search-space/evaluations.txt");
}

TEST(SearchSpaceRepository, SaysWhichFilesAreMissing) {
  expect_output({"check", "-q", "--select", "references", "--format", "unix"}, "search-space",
                "search-space/references.txt");
}

TEST(OtherLayout, HasItsCells) {
  expect_output({"cells", "--format", "json"}, "other-layout", "other-layout/cells.jsonl");
}

TEST(OtherLayout, LaunchesAsItsProfileSays) {
  expect_output({"argv", "--mode", "both"}, "other-layout", "other-layout/argv.txt");
}

TEST(OtherLayout, IsJudged) {
  expect_output({"check", "-q"}, "other-layout", "other-layout/check.txt");
}

TEST(RecipeTree, HasACellForEachConcurrencyOfEachVariant) {
  expect_output({"cells"}, "recipes-only", "recipes-only/cells.txt");
  expect_output({"cells", "--format", "json"}, "recipes-only", "recipes-only/cells.jsonl");
}

TEST(RecipeTree, LaunchesWhatTheRecipesSay) {
  expect_output({"argv"}, "recipes-only", "recipes-only/argv.txt");
}

TEST(RecipeTree, IsJudged) {
  expect_output({"check", "-q"}, "recipes-only", "recipes-only/check.txt");
}

TEST(RecipeTree, HasTheMemoryOfItsServers) {
  expect_output({"memory"}, "recipes-only", "recipes-only/memory.txt");
}

}  // namespace
}  // namespace recipelint
