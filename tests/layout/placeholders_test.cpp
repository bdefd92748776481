#include "analyzer/layout/placeholders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/layout/repository.h"

namespace recipelint::layout {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Placeholders, AreCapitalsBetweenTwoUnderscores) {
  EXPECT_THAT(placeholders_in("__HF_HOME__"), ElementsAre("__HF_HOME__"));
  EXPECT_THAT(placeholders_in("a/__A__/__B2__:c"), ElementsAre("__A__", "__B2__"));
  EXPECT_THAT(placeholders_in("__init__ x__A__ __A__x __A_ _A__ A__B__C ____ __1__ __ ______"),
              IsEmpty());
  EXPECT_THAT(placeholders_in(""), IsEmpty());
}

TEST(Placeholders, AreFilledInByWhoeverMentionsThemOrBuildsSuchWords) {
  const auto filled_in = [](const std::string& path, const std::string& bytes) {
    testing::Repository repository;
    repository
        .add("configs/x-master.yaml",
             "key:\n  runner: lab\n  scenarios:\n    fixed-seq-len:\n    - search-space: []\n")
        .add("configs/runners.yaml", "labels: {}\n")
        .add("runners/launch_lab.sh", "")
        .add(path, bytes);
    const Workspace& workspace = repository.load();
    return may_be_filled_in(workspace, workspace.sites().front(), "__HOME_OF_X__");
  };
  EXPECT_TRUE(filled_in("runners/launch_lab.sh", "sed -i 's|__HOME_OF_X__|/x|' f\n"));
  EXPECT_TRUE(filled_in("runners/tools/fill.py", "text.replace('__HOME_OF_X__', home)\n"));
  EXPECT_TRUE(filled_in(".github/workflows/run.yml", "run: sed 's|__HOME_OF_X__|/x|' f\n"));
  EXPECT_TRUE(filled_in("runners/fill.sh", "sed \"s|__${n}__|x|\" f\n"));
  EXPECT_TRUE(filled_in("runners/fill.sh", "sed \"s|__HOME_${n}__|x|\" f\n"));
  EXPECT_TRUE(filled_in("runners/fill.sh", "sed -E 's|__[A-Z_]+__|x|' f\n"));
  EXPECT_FALSE(filled_in("runners/fill.py", "super().__init__(__file__)\nm[__name__].__x__()\n"));
  EXPECT_FALSE(filled_in("runners/fill.sh", "sed -i 's|__HOME__|/x|' f\n"));
  EXPECT_FALSE(filled_in("benchmarks/readme.md", "__HOME_OF_X__\n"));
}

}  // namespace
}  // namespace recipelint::layout
