#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/command.h"
#include "tests/support/paths.h"

namespace recipelint {
namespace {

using testing::run_command;

/// The demo, and one repository for each rule that has one.
std::vector<std::string> repositories() {
  const std::string fixtures = testing::source_dir() + "/fixtures";
  std::vector<std::string> found = {fixtures + "/demo"};
  for (const auto& rule : std::filesystem::directory_iterator(fixtures + "/rules")) {
    const std::string bad = rule.path().string() + "/bad";
    if (std::filesystem::is_directory(bad)) found.push_back(bad);
  }
  return found;
}

std::string output_of(std::vector<std::string> arguments, const std::string& repository,
                      const char* threads) {
  arguments.insert(arguments.end(), {repository, "-j", threads});
  const testing::CommandResult result = run_command(arguments);
  return std::to_string(result.code) + "\n" + result.out + result.err;
}

void expect_same_bytes(const std::vector<std::string>& command, const std::string& repository) {
  SCOPED_TRACE(command.front() + " " + command.back() + " " + repository);
  const std::string expected = output_of(command, repository, "1");
  ASSERT_FALSE(expected.empty());
  for (const char* threads : {"1", "2", "5"}) {
    EXPECT_EQ(output_of(command, repository, threads), expected) << threads << " threads";
  }
}

// The same bytes whenever it runs, in however many threads.
TEST(Determinism, HoldsForEveryCommandAtAnyNumberOfThreads) {
  const std::vector<std::vector<std::string>> commands = {
      {"check", "--format", "sarif"}, {"check", "--format", "text"},  {"argv", "--format", "json"},
      {"argv", "--mode", "eval"},     {"memory", "--format", "json"}, {"cells", "--format", "json"},
  };
  for (const auto& command : commands) expect_same_bytes(command, repositories().front());
}

TEST(Determinism, HoldsForTheFindingsOfEveryRule) {
  const auto all = repositories();
  ASSERT_GT(all.size(), 20u);
  for (const std::string& repository : all) {
    expect_same_bytes({"check", "--format", "json"}, repository);
  }
}

}  // namespace
}  // namespace recipelint
