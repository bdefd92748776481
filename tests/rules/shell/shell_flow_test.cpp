#include "rules/shell/shell_flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rules/reading/reading.h"
#include "rules/references/references.h"
#include "tests/rules/fixture_findings.h"

namespace recipelint::rules {
namespace {

using findings::Level;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::FixtureFindings;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(DeadValue, IsAWarningForWhatSizesAServerAndANoteElse) {
  const FixtureFindings findings(dead_value(), "RL6001/bad");
  ASSERT_THAT(findings.found, SizeIs(3));
  EXPECT_EQ(findings.found[0].identity, "CAPTURE_LIST");
  EXPECT_EQ(findings.found[0].level, Level::kWarning);
  // It only makes the next value of itself.
  ASSERT_THAT(findings.found[0].related, SizeIs(1));
  EXPECT_THAT(FixtureFindings::place(findings.found[0].related[0].span), HasSubstr(".sh:6 "));
  EXPECT_EQ(findings.found[1].level, Level::kNote);
  EXPECT_EQ(findings.found[2].identity, "ROWS_PER_SEQ");
}

TEST(DeadValue, ShowsWhereAnEmptyListIsExpanded) {
  const FixtureFindings findings(dead_value(), "RL6001/bad-empty-list");
  ASSERT_THAT(findings.found, SizeIs(1));
  EXPECT_EQ(findings.found[0].level, Level::kWarning);
  ASSERT_THAT(findings.found[0].related, SizeIs(1));
  EXPECT_THAT(FixtureFindings::place(findings.found[0].related[0].span), HasSubstr(".sh:3 "));
}

TEST(HelperContract, NamesTheWordAndTheCells) {
  const FixtureFindings findings(helper_contract(), "RL6004/bad");
  ASSERT_THAT(findings.found, SizeIs(1));
  EXPECT_EQ(FixtureFindings::place(findings.found[0].primary),
            "benchmarks/single_node/fixed_seq_len/modelx_fp8_b300_vllm.sh:7 EP_SIZE");
  EXPECT_THAT(findings.found[0].cells, Contains("cells|8192x1024|tp8|c16"));
}

TEST(UnsetVariable, NamesTheOptionThatLosesItsValue) {
  const FixtureFindings findings(unset_variable(), "RL6002/bad-lost-value");
  ASSERT_THAT(findings.found, SizeIs(3));
  EXPECT_EQ(findings.found[0].level, Level::kWarning);
  EXPECT_EQ(findings.found[0].identity, "SEQUENCE_LIMIT");
}

TEST(StrayCommand, NamesTheLineThatDoesNotGoOn) {
  const FixtureFindings findings(stray_command(), "RL6003/bad");
  ASSERT_THAT(findings.found, SizeIs(4));
  EXPECT_EQ(findings.found[0].level, Level::kError);
  ASSERT_THAT(findings.found[0].related, SizeIs(1));
  EXPECT_THAT(FixtureFindings::place(findings.found[0].related[0].span), HasSubstr(".sh:3 "));
  EXPECT_THAT(findings.found[1].message, HasSubstr("its backslash is followed by a blank"));
  EXPECT_THAT(findings.found[2].message, HasSubstr("a comment ends the command"));
  EXPECT_EQ(findings.found[3].identity, "CONC");
}

TEST(StrayCommand, IsOneFindingWithTheCellsOfBothModes) {
  const FixtureFindings findings(stray_command(), "RL6003/bad");
  ASSERT_THAT(findings.found, SizeIs(4));
  EXPECT_THAT(findings.found[0].cells,
              ElementsAre("cells|8192x1024|tp8|c16", "cells|8192x1024|tp8|c32",
                          "cells|8192x1024|tp8|c32|eval"));
}

TEST(CellRefused, NamesOnlyTheCellsThatAreRefusedAndTheirRow) {
  const FixtureFindings findings(cell_refused(), "RL6005/bad");
  ASSERT_THAT(findings.found, SizeIs(1));
  const findings::Finding& finding = findings.found[0];
  EXPECT_EQ(finding.level, Level::kError);
  EXPECT_THAT(finding.message, HasSubstr("'Error: no more than 16 requests, not 32'"));
  EXPECT_THAT(finding.cells,
              ElementsAre("cells|8192x1024|tp8|c32", "cells|8192x1024|tp8|c32|eval"));
  ASSERT_THAT(finding.related, SizeIs(1));
  EXPECT_THAT(FixtureFindings::place(finding.related[0].span),
              HasSubstr("configs/x-master.yaml:14 "));
}

TEST(CellRefused, LeavesDefectsWithARuleOfTheirOwnToThatRule) {
  const FixtureFindings unset(unset_variable(), "RL6002/bad");
  EXPECT_THAT(unset.found, SizeIs(2));
  EXPECT_THAT(FixtureFindings(cell_refused(), "RL6002/bad").found, IsEmpty());
}

TEST(UnsetVariable, ListsTheCellsThatReachIt) {
  const FixtureFindings findings(unset_variable(), "RL6002/bad");
  ASSERT_THAT(findings.found, SizeIs(2));
  EXPECT_THAT(findings.found[0].cells, ElementsAre("cells|8192x1024|tp8|c16"));
  EXPECT_THAT(findings.found[1].cells, Contains("cells|8192x1024|tp8|c32"));
}

TEST(MissingSourcedFile, IsAnErrorOnlyIfNothingCanHaveMadeTheFile) {
  const FixtureFindings findings(missing_sourced_file(), "RL5005/bad");
  ASSERT_THAT(findings.found, SizeIs(4));
  EXPECT_EQ(findings.found[0].level, Level::kError);
  EXPECT_EQ(findings.found[0].identity, "benchmarks/single_node/common.sh");
  EXPECT_EQ(findings.found[1].level, Level::kNote) << "a command may make the folder";
  EXPECT_EQ(findings.found[2].level, Level::kNote) << "the host decides";
  EXPECT_EQ(findings.found[3].level, Level::kWarning) << "a link out of the repository";
}

TEST(AnalysisLimit, NamesTheLimitAndThePlace) {
  const FixtureFindings findings(analysis_limit(), "RL1003/bad");
  ASSERT_THAT(findings.found, SizeIs(1));
  EXPECT_EQ(findings.found[0].identity, "more than 20000 turns of a loop");
}

}  // namespace
}  // namespace recipelint::rules
