#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "rules/images/images.h"
#include "tests/rules/fixture_findings.h"

namespace recipelint::rules {
namespace {

using findings::Level;
using ::testing::ElementsAre;
using testing::FixtureFindings;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(ImageMismatch, ShowsBothImagesAndWhereTheyMeet) {
  const FixtureFindings findings(image_mismatch(), "RL3003/bad");
  ASSERT_THAT(findings.found, SizeIs(2));
  const findings::Finding& finding = findings.found[0];
  EXPECT_EQ(finding.level, Level::kError);
  EXPECT_EQ(FixtureFindings::place(finding.primary),
            "configs/x-master.yaml:2 vllm/vllm-openai:v0.26.0");
  ASSERT_THAT(finding.related, SizeIs(2));
  EXPECT_THAT(FixtureFindings::place(finding.related[0].span),
              HasSubstr("1p2d.yaml:4 vllm/vllm-openai:v0.27.1"));
  EXPECT_THAT(finding.remedies,
              ElementsAre("Write 'container: vllm/vllm-openai:v0.26.0' in the recipe.",
                          "Write 'image: vllm/vllm-openai:v0.27.1' in the entry."));
  EXPECT_THAT(findings.found[1].message, HasSubstr("does not map the container 'dynamo-vllm'"));
}

TEST(ImageMismatch, WarnsOfARecordedOriginOnly) {
  const FixtureFindings findings(image_mismatch(), "RL3003/bad-identity");
  ASSERT_THAT(findings.found, SizeIs(1));
  EXPECT_EQ(findings.found[0].level, Level::kWarning);
  EXPECT_THAT(findings.found[0].message, HasSubstr("made for 'vllm/vllm-openai:v0.26.0'"));
}

TEST(ImageMismatch, KnowsSpellingsDigestsAndAliases) {
  EXPECT_THAT(FixtureFindings(image_mismatch(), "RL3003/good").found, IsEmpty());
  EXPECT_THAT(FixtureFindings(image_mismatch(), "RL3003/traps").found, IsEmpty());
}

TEST(ImageForm, OffersTheSpellingThatTheImporterTakes) {
  const FixtureFindings findings(image_form(), "RL3004/bad");
  ASSERT_THAT(findings.found, SizeIs(3));
  EXPECT_THAT(findings.found[0].message, HasSubstr("enroot 3 does not take the digest"));
  EXPECT_THAT(findings.found[0].remedies,
              ElementsAre("Write 'registry-1.docker.io#vllm/vllm-openai:sha256:"
                          "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef'."));
  EXPECT_THAT(findings.found[1].remedies, ElementsAre("Write 'nvcr.io#acme/runtime:1.3.0'."));
  EXPECT_THAT(findings.found[2].message, HasSubstr("Docker does not take the '#'"));
  EXPECT_THAT(findings.found[2].remedies, ElementsAre("Write 'nvcr.io/acme/runtime:1.3.0'."));
}

TEST(ImageForm, IsSilentForFormsThatTheImporterTakes) {
  EXPECT_THAT(FixtureFindings(image_form(), "RL3004/good").found, IsEmpty());
}

}  // namespace
}  // namespace recipelint::rules
