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

TEST(ParallelismLabel, PointsAtTheRowOfARecipe) {
  const FixtureFindings findings(parallelism_label(), "RL4001/bad");
  ASSERT_THAT(findings.found, SizeIs(1));
  const findings::Finding& finding = findings.found[0];
  EXPECT_EQ(finding.level, Level::kError);
  EXPECT_EQ(FixtureFindings::place(finding.primary), "configs/x-master.yaml:26 8");
  ASSERT_THAT(finding.related, SizeIs(1));
  EXPECT_THAT(FixtureFindings::place(finding.related[0].span),
              HasSubstr("dcp.yaml:22 decode-context-parallel-size"));
  EXPECT_THAT(finding.remedies, ElementsAre("Write 'dcp-size: 8' in the row.",
                                            "Launch it with a decode-context-parallel size of 1."));
}

TEST(ParallelismLabel, PointsAtTheOptionOfAScriptAndNamesItsCells) {
  const FixtureFindings findings(parallelism_label(), "RL4001/bad-always");
  ASSERT_THAT(findings.found, SizeIs(1));
  const findings::Finding& finding = findings.found[0];
  EXPECT_THAT(FixtureFindings::place(finding.primary), HasSubstr(":6 --enable-expert-parallel"));
  EXPECT_THAT(finding.cells, ElementsAre("expert-parallel-always|8192x1024|tp4|c8"));
  ASSERT_THAT(finding.related, SizeIs(1));
  EXPECT_THAT(finding.related[0].label, "what the row says");
  EXPECT_THAT(finding.remedies,
              ElementsAre("Write 'ep: 4' in the row.", "Launch it without expert parallelism."));
}

TEST(ParallelismLabel, KnowsBothConventionsForDataParallelRows) {
  EXPECT_THAT(FixtureFindings(parallelism_label(), "RL4001/trap-conventions").found, IsEmpty());
}

TEST(SpeculationLabel, WarnsOfARowAndNotesATier) {
  const FixtureFindings rows(speculation_label(), "RL4002/bad");
  ASSERT_THAT(rows.found, SizeIs(2));
  EXPECT_EQ(rows.found[0].level, Level::kWarning);
  EXPECT_EQ(rows.found[1].level, Level::kWarning);
  const FixtureFindings tier(speculation_label(), "RL4002/bad-tier");
  ASSERT_THAT(tier.found, SizeIs(1));
  EXPECT_EQ(tier.found[0].level, Level::kNote);
  EXPECT_THAT(tier.found[0].cells, ElementsAre("tier-without|8192x1024|tp8|mtp|c10"));
}

TEST(SpeculationLabel, CountsWhatItCannotSee) {
  const FixtureFindings findings(speculation_label(), "RL4002/trap-unknown");
  EXPECT_THAT(findings.found, IsEmpty());
  EXPECT_THAT(findings.unevaluated, SizeIs(1));
}

TEST(KvOffloadLabel, NamesTheConnectorAndItsSource) {
  const FixtureFindings findings(kv_offload_label(), "RL4006/bad-recipes");
  ASSERT_THAT(findings.found, SizeIs(2));
  EXPECT_EQ(findings.found[0].level, Level::kError);
  EXPECT_THAT(findings.found[1].facts, ElementsAre(HasSubstr("'MooncakeStoreConnector' offloads")));
}

TEST(KvOffloadLabel, IsSilentWhereTheConfigurationOfAConnectorDecides) {
  const FixtureFindings findings(kv_offload_label(), "RL4006/trap-others");
  EXPECT_THAT(findings.found, IsEmpty());
}

TEST(IgnoredField, NamesTheVariableThatNobodyReads) {
  const FixtureFindings findings(ignored_field(), "RL4003/bad");
  ASSERT_THAT(findings.found, SizeIs(1));
  const findings::Finding& finding = findings.found[0];
  EXPECT_EQ(finding.level, Level::kWarning);
  EXPECT_EQ(FixtureFindings::place(finding.primary), "configs/x-master.yaml:15 8");
  EXPECT_THAT(finding.cells, SizeIs(3));
  EXPECT_THAT(finding.remedies,
              ElementsAre(HasSubstr("follow '$EP_SIZE'"),
                          "Give all of these rows the one value of 'ep' that holds."));
}

TEST(IgnoredField, OnlyNotesWhatIsTrueAllTheSame) {
  const FixtureFindings findings(ignored_field(), "RL4003/bad-implied");
  ASSERT_THAT(findings.found, SizeIs(1));
  EXPECT_EQ(findings.found[0].level, Level::kNote);
}

TEST(IgnoredField, LeavesOpenWhatAHelperDoes) {
  for (const char* fixture : {"RL4003/trap-helper", "RL4003/trap-inline"}) {
    const FixtureFindings findings(ignored_field(), fixture);
    EXPECT_THAT(findings.found, IsEmpty()) << fixture;
    EXPECT_THAT(findings.unevaluated, SizeIs(2)) << fixture;
  }
}

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
