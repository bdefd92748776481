#include "rules/references/references.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

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

TEST(MissingScript, NamesTheKeyItsRowsAndTheScriptThatWasMeant) {
  const FixtureFindings findings(missing_script(), "RL5001/bad");
  ASSERT_THAT(findings.found, SizeIs(2));
  const findings::Finding& finding = findings.found[1];
  EXPECT_EQ(finding.level, Level::kError);
  EXPECT_EQ(finding.message,
            "The script 'benchmarks/single_node/fixed_seq_len/modely_fp8_b300_mtp.sh' does not "
            "exist, but the launcher 'b300-nv' runs it for 2 cells. It looks for "
            "'benchmarks/single_node/fixed_seq_len/modely_fp8_b300_vllm_mtp.sh' first.");
  EXPECT_EQ(FixtureFindings::place(finding.primary), "configs/x-master.yaml:15 speculative");
  ASSERT_THAT(finding.related, SizeIs(1));
  EXPECT_THAT(finding.cells, ElementsAre("speculative"));
  EXPECT_THAT(finding.remedies.at(0),
              HasSubstr("finds 'benchmarks/single_node/fixed_seq_len/modely_fp8_b300.sh'"));
  EXPECT_EQ(finding.identity, "benchmarks/single_node/fixed_seq_len/modely_fp8_b300_mtp.sh");
}

TEST(MissingScript, DoesNotOfferAScriptOfAnotherModelOrPrecision) {
  const FixtureFindings findings(missing_script(), "RL5001/bad");
  ASSERT_THAT(findings.found, SizeIs(2));
  EXPECT_THAT(findings.found[0].remedies.at(0), HasSubstr("Add '"));
}

TEST(MissingScript, IsSilentWhereACandidateExists) {
  EXPECT_THAT(FixtureFindings(missing_script(), "RL5001/good").found, IsEmpty());
  EXPECT_THAT(FixtureFindings(missing_script(), "RL5001/traps").found, IsEmpty());
}

TEST(MissingRecipeFile, TellsMissingFromUpstreamAndFromNoFileAtAll) {
  const FixtureFindings findings(missing_recipe_file(), "RL5002/bad");
  ASSERT_THAT(findings.found, SizeIs(3));
  EXPECT_EQ(findings.found[0].level, Level::kError);
  EXPECT_THAT(findings.found[0].message, HasSubstr("names no recipe file"));
  EXPECT_EQ(findings.found[1].level, Level::kError);
  EXPECT_EQ(FixtureFindings::place(findings.found[1].primary),
            "configs/x-master.yaml:23 recipes/vllm/deepseek-v4/gone.yaml");
  EXPECT_THAT(findings.found[1].message,
              HasSubstr("'benchmarks/multi_node/srt-slurm-recipes/vllm/deepseek-v4/gone.yaml' does "
                        "not exist"));
  EXPECT_EQ(findings.found[2].level, Level::kNote);
  EXPECT_THAT(findings.found[2].message, HasSubstr("sa-submission-q2-2026"));
  EXPECT_THAT(findings.found[2].cells, ElementsAre("upstream"));
}

TEST(MissingRecipeFile, LeavesAMissingVariantToTheReader) {
  const FixtureFindings findings(missing_recipe_file(), "RL5002/bad");
  ASSERT_THAT(findings.workspace().problems(), SizeIs(1));
  EXPECT_EQ(findings.workspace().problems()[0].rule, "RL5002");
}

TEST(MissingRecipeFile, IsSilentForFilesOfTheTree) {
  EXPECT_THAT(FixtureFindings(missing_recipe_file(), "RL5002/good").found, IsEmpty());
}

TEST(UnreachedFile, ReportsScriptsAndTheUppermostUnreachedFolders) {
  const FixtureFindings findings(unreached_file(), "RL5004/bad");
  ASSERT_THAT(findings.found, SizeIs(3));
  EXPECT_THAT(findings.found[0].message, HasSubstr("names 'modelx_fp8_b300_old.sh'"));
  EXPECT_EQ(findings.found[0].primary.file->path(),
            "benchmarks/single_node/fixed_seq_len/modelx_fp8_b300_old.sh");
  EXPECT_THAT(findings.found[1].message, HasSubstr("selects 1 of the 2 recipes"));
  EXPECT_THAT(findings.found[2].message,
              HasSubstr("selects a recipe in "
                        "'benchmarks/multi_node/srt-slurm-recipes/vllm/retired': 'a.yaml', "
                        "'b.yaml'."));
}

TEST(UnreachedFile, KnowsHelpersAndLeavesDeprecatedFoldersOut) {
  EXPECT_THAT(FixtureFindings(unreached_file(), "RL5004/good").found, IsEmpty());
  EXPECT_THAT(FixtureFindings(unreached_file(), "RL5004/traps").found, IsEmpty());
}

}  // namespace
}  // namespace recipelint::rules
