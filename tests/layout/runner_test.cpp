#include "analyzer/layout/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "analyzer/space/read.h"
#include "analyzer/text/source_file.h"

namespace recipelint::layout {
namespace {

using ::testing::ElementsAre;

class RunnerFamilies : public ::testing::Test {
 protected:
  RunnerFamilies() {
    const auto document = yaml::Document::parse(file_);
    std::vector<space::Problem> problems;
    runners_ = space::read_runners(*document, problems);
  }
  std::vector<std::string> launchers_for(std::string_view label) const {
    std::vector<std::string> names;
    for (const Runner& runner : find_runners(&runners_, label, launchers_)) {
      names.push_back(runner.launcher + (runner.label_known ? "" : "?"));
    }
    return names;
  }

  const text::SourceFile file_{"runners.yaml",
                               "labels:\n"
                               "  fast: [lab-a_0, lab-b_0, lab-b_1, lab-c_0]\n"
                               "  \"cluster:one\": [lab-a_7]\n"
                               "  gone: [lab-x_0]\n"};
  space::Runners runners_;
  const std::vector<std::string> launchers_ = {"lab-a", "lab-b", "lab-b-large", "odd"};
};

TEST_F(RunnerFamilies, PutTheFamilyWithMostMachinesFirstAndDropThoseWithoutLauncher) {
  EXPECT_THAT(launchers_for("fast"), ElementsAre("lab-b", "lab-a"));
}

TEST_F(RunnerFamilies, KeepFamiliesWithoutLauncherIfThereIsNoOther) {
  EXPECT_THAT(launchers_for("gone"), ElementsAre("lab-x"));
}

TEST_F(RunnerFamilies, KnowTheMachineIfThereIsOnlyOne) {
  EXPECT_EQ(find_runners(&runners_, "cluster:one", launchers_).at(0).node, "lab-a_7");
  EXPECT_EQ(find_runners(&runners_, "fast", launchers_).at(0).node, "");
}

TEST_F(RunnerFamilies, AreGuessedByNameForAnUnknownLabel) {
  EXPECT_THAT(launchers_for("cluster:odd"), ElementsAre("odd?"));
  EXPECT_THAT(launchers_for("lab"), ElementsAre("lab-a?", "lab-b?", "lab-b-large?"));
  EXPECT_THAT(launchers_for("other_3"), ElementsAre("other?"));
}

TEST_F(RunnerFamilies, AreGuessedWithoutARunnersFile) {
  EXPECT_EQ(find_runners(nullptr, "lab-a", launchers_).at(0).launcher, "lab-a");
}

}  // namespace
}  // namespace recipelint::layout
