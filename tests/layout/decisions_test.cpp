#include "analyzer/layout/decisions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyzer/layout/environment.h"
#include "analyzer/text/source_file.h"
#include "tests/layout/repository.h"

namespace recipelint::layout {
namespace {

using recipelint::testing::Repository;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

Profile read(const std::string& steps) {
  const text::SourceFile file("profile.yaml", "launchers:\n- launcher: lab\n  steps:\n" + steps);
  const auto document = yaml::Document::parse(file);
  EXPECT_TRUE(document.ok());
  auto profile = Profile::read((*document)->root());
  EXPECT_TRUE(profile.ok());
  return std::move(profile).value();
}

TEST(MarkDecisions, FollowsTheNamesBackToWhatTheyAreMadeOf) {
  const Profile profile = read(
      "  - set: {A: \"${B%%_*}\", B: \"${row:model}\", PORT: \"8888\"}\n"
      "  - set: {URL: \"${PORT}\"}\n"
      "  - scripts: [\"${A:-${C}}.sh\"]\n");
  EXPECT_THAT(profile.deciding, ElementsAre("A", "B", "C"));
  const std::vector<Step>& steps = profile.launchers[0].steps;
  EXPECT_TRUE(steps[0].decides);
  EXPECT_TRUE(steps[0].set[0].decides);
  EXPECT_TRUE(steps[0].set[1].decides);
  EXPECT_FALSE(steps[0].set[2].decides);
  EXPECT_FALSE(steps[1].decides);
  EXPECT_TRUE(steps[2].decides);
}

TEST(MarkDecisions, CountsEveryKindOfReader) {
  const struct {
    const char* steps;
    std::vector<const char*> names;
  } cases[] = {
      {"  - {when: {A: x}, unless: {B: y}, reject: \"no ${C##*/}\"}\n", {"A", "B", "C"}},
      {"  - {scripts: [\"${product:A,B}${indices:C}\"]}\n", {"A", "B", "C"}},
      {"  - {when: {A: x}, local: {S: \"${B}\"}}\n  - {scripts: [\"${S}\"]}\n", {"A", "B", "S"}},
      {"  - {when: {A: x}, importer: enroot}\n", {"A"}},
      {"  - {when: {A: x}, keep: [B]}\n", {"A"}},
      // An alternative that sets nothing of interest keeps the next one from being run.
      {"  - first: [{when: {A: x}, set: {P: \"1\"}}, {reject: no}]\n", {"A"}},
      {"  - recipe:\n      setting: A\n      eval-setting: B\n      containers: [\"${C}\"]\n"
       "      checkouts: [{when: {D: x}, ref: r}]\n      edits: [{when: {E: x}, remove: F}]\n",
       {"A", "B", "C", "D"}},
      {"  - {when: {A: x}, set: {P: \"${B}\"}}\n", {}},
  };
  for (const auto& test : cases) {
    const Profile profile = read(test.steps);
    EXPECT_THAT(profile.deciding, ::testing::ElementsAreArray(test.names)) << test.steps;
  }
}

std::string varied_entry(int number, const std::string& prefix, const std::string& framework,
                         bool several_nodes) {
  const std::string worker = "num-worker: 1, tp: 4, ep: 1, dp-attn: false";
  const std::string layout =
      several_nodes ? "prefill: {" + worker +
                          ", additional-settings: [CONFIG_FILE=recipes/a.yaml, X=1]}, decode: {" +
                          worker + "}"
                    : "tp: 4";
  return "k" + std::to_string(number) + ":\n  image: acme/server:v1\n  model: acme/Model-X\n" +
         "  model-prefix: " + prefix + "\n  precision: " + (number % 3 == 0 ? "fp8" : "fp4") +
         "\n  framework: " + framework +
         "\n  runner: lab\n  multinode: " + (several_nodes ? "true" : "false") +
         "\n  scenarios:\n    fixed-seq-len:\n    - isl: 8192\n      osl: 1024\n" +
         "      search-space:\n      - {conc-list: [4], spec-decoding: " +
         (number % 7 < 3 ? "mtp" : "none") + ", " + layout + "}\n";
}

/// Entries of many kinds, so that each launcher's rules are asked for what they distinguish.
std::string varied_entries() {
  std::string text;
  int number = 0;
  for (const char* prefix : {"dsr1", "dsv4", "kimik2.5", "minimaxm3", "glm5", "modelx"}) {
    for (const char* framework : {"vllm", "sglang", "trt", "atom", "tilert", "dynamo-vllm",
                                  "dynamo-sglang", "dynamo-trt", "llmd-vllm", "sglang-disagg"}) {
      text += varied_entry(++number, prefix, framework, false);
      text += varied_entry(++number, prefix, framework, true);
    }
  }
  return text;
}

void expect_same_decision(const LaunchPlan& target, const LaunchPlan& whole,
                          const Profile& profile) {
  EXPECT_EQ(target.rejected, whole.rejected);
  EXPECT_EQ(target.scripts, whole.scripts);
  EXPECT_EQ(target.recipe, whole.recipe);
  EXPECT_EQ(target.importer, whole.importer);
  for (const std::string& name : profile.deciding) {
    const auto in_target = target.environment.find(name);
    const auto in_whole = whole.environment.find(name);
    ASSERT_EQ(in_target == target.environment.end(), in_whole == whole.environment.end()) << name;
    if (in_whole == whole.environment.end()) continue;
    EXPECT_TRUE(shell::same_text(in_target->second, in_whole->second)) << name;
    EXPECT_EQ(in_target->second.origin().span(), in_whole->second.origin().span()) << name;
  }
}

TEST(PlanTarget, DecidesAsTheWholePlanDoesForEveryLauncher) {
  Repository repository;
  repository.add("configs/x-master.yaml", varied_entries())
      .add("configs/runners.yaml", "labels: {lab: [lab_0]}\n");
  const Site& site = repository.load().sites().at(0);
  ASSERT_EQ(site.matrix.size(), 120u);
  for (const Launcher& launcher : site.profile->launchers) {
    const Runner runner{launcher.names.front(), "", 2, {}, true};
    SCOPED_TRACE(runner.launcher);
    for (const space::MatrixRow& row : site.matrix) {
      const RowFields fields(row, 0);
      for (const Mode mode : {Mode::kThroughput, Mode::kEval}) {
        text::OriginPool pool;
        const LaunchPlan whole = plan_launch(*site.profile, runner, fields, mode, pool);
        const LaunchPlan target = plan_target(*site.profile, runner, fields, mode, pool);
        expect_same_decision(target, whole, *site.profile);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(PlanTarget, LeavesOutWhatDecidesNothing) {
  const Profile& profile = inferencex_profile();
  EXPECT_THAT(profile.deciding, Contains("FRAMEWORK"));
  EXPECT_THAT(profile.deciding, Not(Contains("RESULT_FILENAME")));
  EXPECT_THAT(profile.deciding, Not(Contains("TP")));
  Repository repository;
  repository.add("configs/x-master.yaml", varied_entries());
  const Site& site = repository.load().sites().at(0);
  text::OriginPool pool;
  const LaunchPlan plan = plan_target(profile, {"b200-cw", "", 1, {}, true},
                                      RowFields(site.matrix.front(), 0), Mode::kThroughput, pool);
  EXPECT_EQ(plan.environment.count("FRAMEWORK"), 1u);
  EXPECT_EQ(plan.environment.count("TP"), 0u);
  EXPECT_EQ(plan.environment.count("RESULT_FILENAME"), 0u);
}

}  // namespace
}  // namespace recipelint::layout
