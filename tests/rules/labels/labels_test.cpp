#include "rules/labels/labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/rules/fixture_findings.h"

namespace recipelint::rules {
namespace {

using findings::Level;
using ::testing::ElementsAre;
using testing::FixtureFindings;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(ConcurrencyList, SaysWhatIsMeasuredInVainAndWhatNever) {
  const FixtureFindings findings(concurrency_list(), "RL4004/bad");
  ASSERT_THAT(findings.found, SizeIs(2));
  EXPECT_THAT(findings.found[0].message,
              HasSubstr("runs 4, 8. It measures 4 without a point in the search space."));
  EXPECT_THAT(
      findings.found[0].remedies,
      ElementsAre("Write 'conc-list: [4, 8]'.", "Write 'concurrencies: \"8\"' in the recipe."));
  EXPECT_THAT(findings.found[1].message, HasSubstr("runs 32, 64. It never measures 128."));
  EXPECT_EQ(findings.found[1].level, Level::kWarning);
  ASSERT_THAT(findings.found[1].related, SizeIs(2));
  EXPECT_THAT(FixtureFindings::place(findings.found[1].related[0].span), HasSubstr("[32, 64]"));
}

TEST(ConcurrencyList, IgnoresOrderAndRecipesWithoutAList) {
  EXPECT_THAT(FixtureFindings(concurrency_list(), "RL4004/good").found, IsEmpty());
  EXPECT_THAT(FixtureFindings(concurrency_list(), "RL4004/traps").found, IsEmpty());
}

TEST(WorkerCount, ComparesNumberAndSize) {
  const FixtureFindings findings(worker_count(), "RL4005/bad");
  ASSERT_THAT(findings.found, SizeIs(2));
  EXPECT_EQ(findings.found[0].level, Level::kError);
  EXPECT_EQ(FixtureFindings::place(findings.found[0].primary), "configs/x-master.yaml:25 3");
  EXPECT_THAT(findings.found[0].remedies, ElementsAre("Write 'num-worker: 2'."));
  EXPECT_THAT(findings.found[1].message, HasSubstr("a decode worker 8 GPUs"));
  EXPECT_THAT(findings.found[1].remedies, ElementsAre("Write 'tp: 4'."));
}

TEST(WorkerCount, KnowsBothConventionsForDataParallelRows) {
  EXPECT_THAT(FixtureFindings(worker_count(), "RL4005/good").found, IsEmpty());
  EXPECT_THAT(FixtureFindings(worker_count(), "RL4005/traps").found, IsEmpty());
}

TEST(WorkerCount, NotesRanksThatAreCountedAsWorkers) {
  const FixtureFindings findings(worker_count(), "RL4005/bad-ranks");
  ASSERT_THAT(findings.found, SizeIs(1));
  EXPECT_EQ(findings.found[0].level, Level::kNote);
  EXPECT_THAT(findings.found[0].message, HasSubstr("have the same 8 GPUs"));
}

TEST(TopologyArithmetic, ShowsTheArithmetic) {
  const FixtureFindings findings(topology_arithmetic(), "RL4007/bad");
  ASSERT_THAT(findings.found, SizeIs(3));
  EXPECT_THAT(findings.found[0].message, HasSubstr("need 2 nodes of 4, but the recipe reserves 1"));
  EXPECT_THAT(findings.found[1].message, HasSubstr("6 is no multiple of the 4 GPUs"));
  EXPECT_EQ(findings.found[2].message,
            "A decode worker uses 2 GPUs, 2 (tensor-parallel-size), but the resources give it 4.");
  EXPECT_THAT(findings.found[2].cells, ElementsAre("product"));
  EXPECT_THAT(FixtureFindings::place(findings.found[2].primary), HasSubstr("product.yaml:22 2"));
}

TEST(TopologyArithmetic, CountsDataParallelRanksAndSpreadWorkers) {
  EXPECT_THAT(FixtureFindings(topology_arithmetic(), "RL4007/good").found, IsEmpty());
  EXPECT_THAT(FixtureFindings(topology_arithmetic(), "RL4007/traps").found, IsEmpty());
}

TEST(TopologyArithmetic, ChecksRecipesWithoutASearchSpace) {
  const FixtureFindings findings(topology_arithmetic(), "RL4007/bad-recipes");
  ASSERT_THAT(findings.found, SizeIs(2));
  EXPECT_THAT(findings.found[0].message, HasSubstr("3 data-parallel ranks do not divide"));
  EXPECT_EQ(findings.found[1].level, Level::kNote);
  EXPECT_THAT(findings.found[1].message, HasSubstr("needs 1 node of 8, but the recipe reserves 2"));
}

}  // namespace
}  // namespace recipelint::rules
