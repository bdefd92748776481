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
  auto result = Profile::read((*document)->root());
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
      {"launchers: {}\n", "a list is needed"},
      {"launchers:\n  - launcher: a\n    step: []\n", "unknown key 'step'"},
      {"launchers:\n  - steps: [{script: [x]}]\n", "unknown key 'script'"},
      {"launchers:\n  - steps: [{scripts: [\"${x\"]}]\n", "without '}'"},
      {"launchers:\n  - steps: [{recipe: {gpus-per-node: many}}]\n", "number of GPUs"},
      {"launchers:\n  - steps: [{recipe: {gpus-per-node: 8}}]\n", "'recipe' needs a 'setting'"},
      {"launchers:\n  - steps: [{settings: maybe}]\n", "'true' or 'false'"},
      {"launchers:\n  - steps: []\n", "its name"},
      {"launchers:\n  - steps: [{set: {A-B: x}}]\n", "'A-B' is no name of a variable"},
      {"folders: {launcher-files: start.sh}\n", "one '*'"},
      {"folders: {mounts: workspace}\n", "absolute folders"},
      {"extends: other\n", "only 'inferencex'"},
  };
  for (const auto& test : cases) {
    const auto profile = read(test.text);
    ASSERT_FALSE(profile.ok()) << test.text;
    EXPECT_THAT(profile.error().message, HasSubstr(test.message)) << test.text;
  }
}

TEST(LayoutProfile, CanExtendTheEmbeddedOne) {
  const auto profile = read(
      "extends: inferencex\n"
      "launchers:\n"
      "  - launcher: [b200-cw, lab]\n"
      "    steps: [{scripts: [\"run/${MODEL_PREFIX}.sh\"]}]\n");
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_EQ(profile->folders.launchers, inferencex_profile().folders.launchers);
  EXPECT_EQ(profile->single_node.size(), inferencex_profile().single_node.size());
  ASSERT_NE(profile->find_launcher("b200-cw"), nullptr);
  EXPECT_EQ(profile->find_launcher("b200-cw")->steps.size(), 1u) << "its own comes first";
  EXPECT_EQ(profile->find_launcher("h200-cw")->names,
            inferencex_profile().find_launcher("h200-cw")->names);
}

TEST(LayoutProfile, KnowsWhetherTheModeDecides) {
  EXPECT_FALSE(inferencex_profile().mode_decides);
  const std::string workflow =
      "workflow:\n  single-node:\n  - set: {EVALUATE: \"${mode:eval}\", SUITE: speed}\n"
      "  - when: {EVALUATE: \"true\"}\n    set: {SUITE: quality}\n"
      "launchers:\n- launcher: lab\n  steps:\n";
  EXPECT_TRUE(read(workflow + "  - scripts: [\"${SUITE}.sh\"]\n")->mode_decides);
  EXPECT_FALSE(read(workflow + "  - scripts: [\"all.sh\"]\n")->mode_decides);
}

TEST(LayoutProfile, AliasesDoNotMakeItEndless) {
  std::string text = "anchors:\n  s0: &s0 [{set: {A: x}}]\n";
  for (int i = 1; i < 6; ++i) {
    const std::string name = "s" + std::to_string(i);
    text += "  " + name + ": &" + name + " [";
    for (int k = 0; k < 8; ++k) text += "{first: *s" + std::to_string(i - 1) + "}, ";
    text += "]\n";
  }
  const auto profile =
      read(text + "launchers: [{launcher: a, steps: *s5}, {launcher: b, steps: *s5}]\n");
  ASSERT_FALSE(profile.ok());
  EXPECT_THAT(profile.error().message, HasSubstr("too many parts"));
}

TEST(Folders, NameLaunchers) {
  Folders folders;
  folders.launchers = "ci";
  EXPECT_EQ(folders.launcher_path("b200-cw"), "ci/launch_b200-cw.sh");
  EXPECT_EQ(folders.launcher_of("launch_b200-cw.sh"), "b200-cw");
  EXPECT_EQ(folders.launcher_of("launch_.sh"), "");
  EXPECT_EQ(folders.launcher_of("stop_b200-cw.sh"), "");
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
