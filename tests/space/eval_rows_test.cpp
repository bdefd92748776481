#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/space/expand.h"
#include "tests/space/space_files.h"

namespace recipelint::space {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// "tp8/64" for a single-node row that is evaluated, "conc 4..64 at 64" for a multi-node one.
std::vector<std::string> evaluated(std::span<const MatrixRow> matrix) {
  std::vector<std::string> rows;
  for (const MatrixRow& row : matrix) {
    if (!row.run_eval) continue;
    const auto first = std::to_string(row.concurrencies.front().value);
    const auto last = std::to_string(row.concurrencies.back().value);
    rows.push_back(row.multi_node() ? first + ".." + last + " at " + std::to_string(*row.eval_conc)
                                    : "tp" + std::to_string(*row.row->tp) + "/" + first);
  }
  return rows;
}

std::vector<std::string> by_default(const std::string& master) {
  SpaceFiles files;
  files.add_master(master);
  return evaluated(expand(files.space, files.problems));
}

TEST(EvalRows, SingleNodeTakesHighestAndMedianOfEveryTp) {
  EXPECT_THAT(by_default(single_node("      - { tp: 8, conc-list: [4, 16, 32, 64] }\n"
                                     "      - { tp: 4, conc-list: [8, 32, 64, 128] }\n")),
              ElementsAre("tp8/64", "tp4/64", "tp4/128"));
}

TEST(EvalRows, SingleNodeGroupsBySpeculationAndDpAttn) {
  EXPECT_THAT(by_default(single_node("      - { tp: 8, conc-list: [64] }\n"
                                     "      - { tp: 8, spec-decoding: mtp, conc-list: [16] }\n"
                                     "      - { tp: 8, dp-attn: true, conc-list: [32] }\n")),
              ElementsAre("tp8/64", "tp8/16", "tp8/32"));
}

TEST(EvalRows, OnlyConcurrenciesOfAtLeastSixteenCount) {
  EXPECT_THAT(by_default(single_node("      - { tp: 8, conc-list: [4, 8, 15] }\n")), IsEmpty());
}

TEST(EvalRows, OnlyOneLengthCounts) {
  std::string text = single_node("      - { tp: 8, conc-list: [64] }\n");
  text.replace(text.find("8192"), 4, "1024");
  EXPECT_THAT(by_default(text), IsEmpty());
}

TEST(EvalRows, MultiNodeTakesTheHighestOfEachTopology) {
  EXPECT_THAT(
      by_default(multi_node("      - { " + kWorkers + ", conc-list: [4, 64, 32] }\n" +
                            "      - { " + kWorkers + ", conc-list: [16, 128] }\n" + "      - { " +
                            kWorkers + ", pp: 1, conc-list: [8] }\n" +
                            "      - { spec-decoding: mtp, " + kWorkers + ", conc-list: [16] }\n")),
      ElementsAre("16..128 at 128", "16..16 at 16"));
}

TEST(EvalRows, OfEqualConcurrenciesTheFirstRowIsTaken) {
  EXPECT_THAT(by_default(multi_node("      - { " + kWorkers + ", conc-list: [32, 64] }\n" +
                                    "      - { " + kWorkers + ", conc-list: [16, 64] }\n")),
              ElementsAre("32..64 at 64"));
}

const std::string kAgenticRows =
    "      - { tp: 8, kv-offloading: none, conc-list: [2, 4] }\n"
    "      - { tp: 4, kv-offloading: none, spec-decoding: mtp, conc-list: [4] }\n";

TEST(EvalRows, AgenticOnesAreNotEvaluatedByDefault) {
  EXPECT_THAT(by_default(agentic("false", kAgenticRows)), IsEmpty());
}

TEST(SelectEvalRows, TakesOneAgenticRowOfAConfiguration) {
  SpaceFiles files;
  files.add_master(agentic("false", kAgenticRows));
  const auto rows = select_eval_rows(expand(files.space, files.problems));
  EXPECT_THAT(evaluated(rows), ElementsAre("tp8/4"));
  EXPECT_TRUE(rows[0].eval_only);
}

TEST(SelectEvalRows, TakesTheHighestOfAnAgenticTopology) {
  SpaceFiles files;
  files.add_master(agentic("true", "      - { " + kWorkers + ", conc-list: [8, 32, 16] }\n"));
  EXPECT_THAT(evaluated(select_eval_rows(expand(files.space, files.problems))),
              ElementsAre("32..32 at 32"));
}

TEST(SelectEvalRows, KeepsTheDefaultOnes) {
  SpaceFiles files;
  files.add_master(single_node("      - { tp: 8, conc-list: [4, 64] }\n"));
  const auto rows = select_eval_rows(expand(files.space, files.problems));
  EXPECT_THAT(evaluated(rows), ElementsAre("tp8/64"));
}

}  // namespace
}  // namespace recipelint::space
