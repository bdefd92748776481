#include "analyzer/layout/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "analyzer/facts/embedded.h"
#include "analyzer/text/source_file.h"

namespace recipelint::layout {
namespace {

using ::testing::HasSubstr;

text::Result<Profile> read(const std::string& bytes) {
  // The profile keeps copies only, so the file may go.
  const text::SourceFile file("profile.yaml", bytes);
  const auto document = yaml::Document::parse(file);
  EXPECT_TRUE(document.ok());
  auto result = Profile::read(**document);
  if (!result) return text::Error{result.error().message, {}};
  return result;
}

TEST(LayoutProfile, TheEmbeddedOneIsOfItsForm) {
  const auto profile = read(std::string(facts::embedded_data("inferencex_layout.yaml")));
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_EQ(profile->name, "inferencex");
  EXPECT_FALSE(profile->single_node.empty());
  EXPECT_FALSE(profile->multi_node.empty());
  EXPECT_EQ(profile->launchers.size(), inferencex_profile().launchers.size());
  EXPECT_TRUE(profile->knows_launcher("b200-dgxc-slurm"));
  EXPECT_FALSE(profile->knows_launcher("x900-lab"));
  ASSERT_NE(profile->find_launcher("x900-lab"), nullptr);
  EXPECT_EQ(profile->find_launcher("x900-lab")->names.front(), "*");
}

TEST(LayoutProfile, ReadsARepositorysOwnMapping) {
  const auto profile = read(
      "schema: recipelint-layout/1\n"
      "name: mine\n"
      "launchers:\n"
      "  - launcher: lab\n"
      "    steps:\n"
      "      - when: {FRAMEWORK: [vllm, \"sg*\"]}\n"
      "        unless: {PRECISION: fp8}\n"
      "        set: {PORT: \"9000\"}\n"
      "        scripts: [\"run/${MODEL_PREFIX}.sh\"]\n");
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  const Step& step = profile->launchers.at(0).steps.at(0);
  EXPECT_EQ(step.guard.when.at(0).patterns.size(), 2u);
  EXPECT_EQ(step.guard.unless.at(0).name, "PRECISION");
  EXPECT_EQ(step.scripts.size(), 1u);
}

TEST(LayoutProfile, NamesWhatIsWrong) {
  const struct {
    const char* text;
    const char* message;
  } cases[] = {
      {"schema: other/1\n", "recipelint-layout/1"},
      {"launchers: {}\n", "expected a list"},
      {"launchers:\n  - launcher: a\n    step: []\n", "unknown key 'step'"},
      {"launchers:\n  - steps: [{script: [x]}]\n", "unknown key 'script'"},
      {"launchers:\n  - steps: [{scripts: [\"${x\"]}]\n", "without '}'"},
      {"launchers:\n  - steps: [{recipe: {gpus-per-node: many}}]\n", "number of GPUs"},
      {"launchers:\n  - steps: [{settings: maybe}]\n", "true or false"},
  };
  for (const auto& test : cases) {
    const auto profile = read(test.text);
    ASSERT_FALSE(profile.ok()) << test.text;
    EXPECT_THAT(profile.error().message, HasSubstr(test.message)) << test.text;
  }
}

TEST(MatchesPattern, StarStandsForAnyText) {
  const struct {
    const char* pattern;
    const char* text;
    bool matches;
  } cases[] = {
      {"trt", "trt", true},
      {"trt", "trtllm", false},
      {"*", "", true},
      {"*-V2", "NVFP4-V2", true},
      {"*-V2", "NVFP4-V2x", false},
      {"a*", "b", false},
      {"a*b*c", "aXbYc", true},
      {"a*b*c", "aXc", false},
      {"*x*", "axb", true},
      {"ab*ba", "aba", false},
      {"", "", true},
      {"", "x", false},
      {"recipes/*/*.yaml", "recipes/a/b/c.yaml", true},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(matches_pattern(test.pattern, test.text), test.matches)
        << test.pattern << " " << test.text;
  }
}

}  // namespace
}  // namespace recipelint::layout
