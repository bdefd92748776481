// Every folder fixtures/rules/<RULE>/<case>/ is a small repository that is checked for this rule
// (and for what could not be read). <case>.expected beside it holds the complete output in the
// `unix` format, so a finding too many fails as a missing one does; <case>.args holds further
// arguments, one a line, in which {folder} in front stands for the repository. <case>.before/ is the
// same repository before the change in question, which is then what --diff-base names. That rules
// stay silent on what other rules are about is what the
// good repositories of the tests in tests/product show. RECIPELINT_UPDATE_GOLDEN=1 rewrites the
// expectations.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/app/command_line.h"
#include "tests/support/git_repository.h"
#include "tests/support/golden.h"
#include "tests/support/paths.h"

namespace recipelint {
namespace {

namespace fs = std::filesystem;

fs::path fixtures() {
  return fs::path(testing::source_dir()) / "fixtures" / "rules";
}

constexpr const char* kBefore = ".before";

// "RL3001/bad" for every case, sorted.
std::vector<std::string> cases() {
  std::vector<std::string> found;
  for (const auto& rule : fs::directory_iterator(fixtures())) {
    for (const auto& entry : fs::directory_iterator(rule.path())) {
      if (!entry.is_directory() || entry.path().extension() == kBefore) continue;
      found.push_back(fs::relative(entry.path(), fixtures()).string());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> lines_of(const fs::path& file) {
  std::vector<std::string> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

class RuleFixture : public ::testing::TestWithParam<std::string> {};

TEST_P(RuleFixture, GivesExactlyTheExpectedFindings) {
  const std::string fixture = (fixtures() / GetParam()).string();
  const bool has_history = fs::is_directory(fixture + kBefore);
  std::optional<testing::GitRepository> git;
  if (has_history) {
    git.emplace();
    git->commit_folder(fixture + kBefore);
    git->replace_files(fixture);
  }
  const std::string folder = has_history ? git->path() : fixture;
  const std::string rule = GetParam().substr(0, GetParam().find('/'));
  std::vector<std::string> arguments = {"check",    "--root",          folder, "--format", "unix",
                                        "--select", rule + ",reading", folder};
  if (has_history) arguments.insert(arguments.end(), {"--diff-base", "HEAD"});
  for (std::string argument : lines_of(fixture + ".args")) {
    constexpr std::string_view kFolder = "{folder}";
    if (argument.starts_with(kFolder)) argument.replace(0, kFolder.size(), folder);
    arguments.push_back(std::move(argument));
  }
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_NE(app::run(arguments, {in, out, err}), app::kUsage) << err.str();
  testing::expect_golden(fixture + ".expected", out.str());

  // A rule's own bad fixture that does not show the rule, or a good one that does, proves nothing.
  const bool fires = out.str().find("[" + rule + "]") != std::string::npos;
  const std::string name = GetParam().substr(rule.size() + 1);
  if (name.starts_with("bad")) {
    EXPECT_TRUE(fires);
  }
  if (name.starts_with("good") || name.starts_with("trap")) {
    EXPECT_FALSE(fires);
  }
}

INSTANTIATE_TEST_SUITE_P(All, RuleFixture, ::testing::ValuesIn(cases()), [](const auto& test) {
  std::string name = test.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace recipelint
