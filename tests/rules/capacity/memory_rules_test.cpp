#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rules/capacity/capacity.h"
#include "tests/rules/fixture_findings.h"

namespace recipelint::rules {
namespace {

using findings::Level;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::FixtureFindings;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

/// What a rule could not judge in a fixture, without repetitions.
std::vector<std::string> causes(const Rule& rule, const std::string& fixture) {
  const FixtureFindings findings(rule, fixture);
  EXPECT_THAT(findings.found, IsEmpty());
  std::vector<std::string> list;
  for (const auto& each : findings.unevaluated) {
    EXPECT_EQ(each.rule, rule.id);
    if (list.empty() || list.back() != each.cause) list.push_back(each.cause);
  }
  return list;
}

TEST(KvMemoryFit, OffersASmallerStepFirst) {
  const FixtureFindings findings(kv_memory_fit(), "RL2003/bad");
  ASSERT_THAT(findings.found, SizeIs(1));
  const auto& finding = findings.found[0];
  EXPECT_EQ(finding.level, Level::kError);
  EXPECT_THAT(finding.message, AllOf(HasSubstr("needs 14.88 GiB"), HasSubstr("224.83 GiB")));
  ASSERT_THAT(finding.remedies, SizeIs(4));
  EXPECT_THAT(finding.remedies[0], AllOf(HasSubstr("to 4096"), HasSubstr("10.28 GiB")));
  EXPECT_EQ(FixtureFindings::place(finding.primary),
            "benchmarks/single_node/fixed_seq_len/dsv4_fp4_mi355x_vllm_mtp.sh:3 --max-model-len");
  EXPECT_THAT(finding.facts, Contains(HasSubstr("InferenceX#2540")));
  EXPECT_THAT(findings.unevaluated, IsEmpty());
}

TEST(KvMemoryFit, WarnsOfWhatOnlyTheUsualOverheadRulesOut) {
  const FixtureFindings findings(kv_memory_fit(), "RL2003/bad-likely");
  ASSERT_THAT(findings.found, SizeIs(1));
  EXPECT_EQ(findings.found[0].level, Level::kWarning);
  EXPECT_THAT(findings.found[0].message, HasSubstr("by the usual overhead"));
}

TEST(KvMemoryFit, SaysWhatItDoesNotKnow) {
  EXPECT_THAT(causes(kv_memory_fit(), "RL2003/trap-connector"),
              ElementsAre("whether the KV connector leaves hybrid layers on is not known"));
  EXPECT_THAT(causes(kv_memory_fit(), "RL2003/trap-unknown-model"),
              ElementsAre("the model 'example/Unheard-Of-8B' is not known"));
  EXPECT_THAT(causes(kv_memory_fit(), "RL2003/good"), IsEmpty());
}

TEST(WeightsDoNotFit, SaysWhatItDoesNotKnow) {
  EXPECT_THAT(causes(weights_do_not_fit(), "RL2003/trap-unknown-model"),
              ElementsAre("the model 'example/Unheard-Of-8B' is not known"));
  // What decides the KV cache alone is nothing to this rule.
  EXPECT_THAT(causes(weights_do_not_fit(), "RL2003/trap-connector"), IsEmpty());
}

TEST(WeightsDoNotFit, CountsTheSmallestThatTheyCanBe) {
  const FixtureFindings findings(weights_do_not_fit(), "RL2004/bad");
  ASSERT_THAT(findings.found, SizeIs(1));
  EXPECT_EQ(findings.found[0].level, Level::kError);
  EXPECT_THAT(findings.found[0].message,
              AllOf(HasSubstr("at least 181.72 GiB"), HasSubstr("0.90 of 178.35 GiB")));
}

TEST(HostMemoryBudget, TellsGigabytesFromGibibytes) {
  const FixtureFindings findings(host_memory_budget(), "RL2007/bad-units");
  ASSERT_THAT(findings.found, SizeIs(1));
  EXPECT_EQ(findings.found[0].level, Level::kWarning);
  EXPECT_THAT(findings.found[0].remedies,
              ElementsAre(StartsWith("Multiply TOTAL_CPU_DRAM_GB by 10^9")));
  const FixtureFindings ranks(host_memory_budget(), "RL2007/bad");
  ASSERT_THAT(ranks.found, SizeIs(1));
  EXPECT_EQ(ranks.found[0].level, Level::kError);
  EXPECT_THAT(ranks.found[0].remedies, ElementsAre("Give each rank 375 GB at most."));
}

TEST(HostMemoryBudget, NotesALabelThatIsTooSmall) {
  const FixtureFindings findings(host_memory_budget(), "RL2007/bad-label");
  ASSERT_THAT(findings.found, SizeIs(1));
  EXPECT_EQ(findings.found[0].level, Level::kNote);
  EXPECT_THAT(findings.found[0].message, HasSubstr("pins 2000 GB"));
}

TEST(HostMemoryBudget, SaysWhatItDoesNotKnow) {
  EXPECT_THAT(causes(host_memory_budget(), "RL2007/trap-no-size"),
              ElementsAre("how much host memory 'LMCacheConnectorV1' takes is not known"));
}

}  // namespace
}  // namespace recipelint::rules
