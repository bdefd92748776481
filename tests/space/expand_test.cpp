#include "analyzer/space/expand.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/space/dram_budget.h"
#include "tests/space/space_files.h"

namespace recipelint::space {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::int64_t> values_of(const MatrixRow& row) {
  std::vector<std::int64_t> values;
  for (const Concurrency& concurrency : row.concurrencies) values.push_back(concurrency.value);
  return values;
}

/// The first concurrency of each matrix row.
std::vector<std::int64_t> first_values(const std::vector<MatrixRow>& matrix) {
  std::vector<std::int64_t> values;
  for (const MatrixRow& row : matrix) values.push_back(row.concurrencies.front().value);
  return values;
}

std::vector<std::string> names_of(const std::vector<MatrixRow>& matrix) {
  std::vector<std::string> names;
  for (const MatrixRow& row : matrix) names.push_back(row.exp_name);
  return names;
}

struct Range {
  std::string start;
  std::string end;
  std::vector<std::int64_t> values;
};

void PrintTo(const Range& range, std::ostream* out) {
  *out << range.start << ".." << range.end;
}

class ConcurrencyRange : public ::testing::TestWithParam<Range> {};

TEST_P(ConcurrencyRange, DoublesAndEndsAtTheBound) {
  SpaceFiles files;
  files.add_master(single_node("      - { tp: 8, conc-start: " + GetParam().start +
                               ", conc-end: " + GetParam().end + " }\n"));
  const auto matrix = expand(files.space, files.problems);
  EXPECT_EQ(first_values(matrix), GetParam().values);
}

INSTANTIATE_TEST_SUITE_P(Table, ConcurrencyRange,
                         ::testing::Values(Range{"4", "48", {4, 8, 16, 32, 48}},
                                           Range{"4", "64", {4, 8, 16, 32, 64}},
                                           Range{"4", "4", {4}}, Range{"3", "4", {3, 4}},
                                           Range{"1", "2", {1, 2}}, Range{"5", "11", {5, 10, 11}},
                                           Range{"8", "4", {}}, Range{"0", "4", {}},
                                           Range{"-4", "4", {}},
                                           Range{"4611686018427387904",
                                                 "9223372036854775807",
                                                 {4611686018427387904, 9223372036854775807}}));

TEST(Concurrencies, OfAHugeRangeAreStillFew) {
  SpaceFiles files;
  files.add_master(
      single_node("      - { tp: 1000000000, conc-start: 1, conc-end: 4611686018427387904 }\n"));
  const auto matrix = expand(files.space, files.problems);
  EXPECT_EQ(matrix.size(), 63u);
  EXPECT_EQ(matrix.back().concurrencies[0].value, std::int64_t{1} << 62);
}

TEST(Concurrencies, OfAListKeepOrderAndDuplicates) {
  SpaceFiles files;
  files.add_master(single_node("      - { tp: 8, conc-list: [64, 4, 64], conc-start: 1 }\n"));
  EXPECT_THAT(first_values(expand(files.space, files.problems)), ElementsAre(64, 4, 64));
}

TEST(Concurrencies, KnowWhereTheyComeFrom) {
  SpaceFiles files;
  files.add_master(
      single_node("      - { tp: 8, conc-list: [ 64, 4 ] }\n"
                  "      - { tp: 4, conc-start: 16, conc-end: 32 }\n"));
  const auto matrix = expand(files.space, files.problems);
  ASSERT_EQ(matrix.size(), 4u);
  EXPECT_EQ(matrix[1].concurrencies[0].span.bytes(), "4");
  EXPECT_EQ(matrix[3].concurrencies[0].span.bytes(), "conc-start: 16, conc-end: 32");
}

TEST(Expand, SingleNodeRowsAreOnePerConcurrency) {
  SpaceFiles files;
  files.add_master(single_node("      - { tp: 8, conc-list: [4, 8] }\n"));
  const auto matrix = expand(files.space, files.problems);
  ASSERT_EQ(matrix.size(), 2u);
  EXPECT_EQ(matrix[0].exp_name, "p_8k1k");
  EXPECT_EQ(matrix[0].max_model_len, 8192 + 1024 + 256);
  EXPECT_EQ(matrix[0].pp(), 1);
  EXPECT_EQ(matrix[0].ep(), 1);
  EXPECT_FALSE(matrix[0].dp_attn());
  EXPECT_EQ(matrix[0].spec_decoding(), "none");
  EXPECT_EQ(matrix[0].router(), nullptr);
  EXPECT_EQ(matrix[0].total_cpu_dram_gb, std::nullopt);
}

TEST(Expand, MultiNodeFixedRowsCarryTheWholeList) {
  SpaceFiles files;
  files.add_master(multi_node("      - { " + kWorkers + ", conc-list: [4, 8] }\n"));
  const auto matrix = expand(files.space, files.problems);
  ASSERT_EQ(matrix.size(), 1u);
  EXPECT_THAT(values_of(matrix[0]), ElementsAre(4, 8));
}

TEST(Expand, MultiNodeAgenticRowsAreOnePerConcurrency) {
  SpaceFiles files;
  files.add_master(agentic("true", "      - { " + kWorkers + ", conc-list: [4, 8] }\n"));
  EXPECT_THAT(names_of(expand(files.space, files.problems)),
              ElementsAre("p_p1x8_d1x8_conc4", "p_p1x8_d1x8_conc8"));
}

TEST(Expand, VisitsFixedItemsBeforeAgenticOnes) {
  SpaceFiles files;
  files.add_master(entry_head("key", "false") +
                   "  scenarios:\n"
                   "    agentic-coding:\n"
                   "    - search-space: [ { tp: 8, kv-offloading: none, conc-list: [1] } ]\n"
                   "    fixed-seq-len:\n"
                   "    - { isl: 1024, osl: 1024, search-space: [ { tp: 8, conc-list: [2] } ] }\n"
                   "    - { isl: 100, osl: 20, search-space: [ { tp: 8, conc-list: [3] } ] }\n");
  EXPECT_THAT(names_of(expand(files.space, files.problems)),
              ElementsAre("p_1k1k", "p_100_20", "p_tp8_conc1_kvnone"));
}

struct AgenticName {
  std::string multinode;
  std::string fields;
  std::string name;
};

void PrintTo(const AgenticName& row, std::ostream* out) {
  *out << row.fields;
}

class AgenticNames : public ::testing::TestWithParam<AgenticName> {};

TEST_P(AgenticNames, EncodeTopologyAndOffload) {
  SpaceFiles files;
  files.add_master(
      agentic(GetParam().multinode, "      - { " + GetParam().fields + ", conc-list: [16] }\n"));
  EXPECT_THAT(names_of(expand(files.space, files.problems)), ElementsAre(GetParam().name));
}

const std::string kDram = ", kv-offloading: dram, kv-offload-backend: { name: hicache }";
const std::string kWideWorker = "{ num-worker: 2, tp: 4, ep: 8, dp-attn: true }";

INSTANTIATE_TEST_SUITE_P(
    Table, AgenticNames,
    ::testing::Values(
        AgenticName{"false", "tp: 8, kv-offloading: none", "p_tp8_conc16_kvnone"},
        AgenticName{"false", "tp: 4, ep: 4, dp-attn: true" + kDram, "p_tp4_conc16_kvdram-hicache"},
        AgenticName{"false", "tp: 4, spec-decoding: mtp" + kDram,
                    "p_tp4_conc16_kvdram-hicache_spec-mtp"},
        AgenticName{"true", kWorkers, "p_p1x8_d1x8_conc16"},
        AgenticName{"true", "prefill: " + kWideWorker + ", decode: " + kWorker,
                    "p_p2x4ep8dpa_d1x8_conc16"},
        AgenticName{"true", kWorkers + kDram, "p_p1x8_d1x8_conc16_kvdram-hicache"},
        AgenticName{"true", kWorkers + ", kv-offloading: none", "p_p1x8_d1x8_conc16"}));

TEST(Expand, RouterAndTransferComeFromTheRowElseFromTheEntry) {
  SpaceFiles files;
  files.add_master(entry_head("key", "true") +
                   "  kv-p2p-transfer: nixl\n  router: { name: top, version: '1' }\n"
                   "  scenarios:\n    fixed-seq-len:\n    - isl: 1\n      osl: 1\n"
                   "      search-space:\n"
                   "      - { " +
                   kWorkers +
                   ", conc-list: [4] }\n"
                   "      - { router: null, kv-p2p-transfer: null, " +
                   kWorkers + ", conc-list: [8] }\n");
  const auto matrix = expand(files.space, files.problems);
  ASSERT_EQ(matrix.size(), 2u);
  ASSERT_NE(matrix[0].router(), nullptr);
  EXPECT_EQ(matrix[0].router()->name.value, "top");
  EXPECT_EQ(matrix[0].kv_p2p_transfer().value, "nixl");
  EXPECT_EQ(matrix[1].router(), nullptr);
  EXPECT_EQ(matrix[1].kv_p2p_transfer().value, std::nullopt);
}

TEST(Expand, RowsThatCannotBeLaunchedAreLeftOut) {
  SpaceFiles files;
  files.add_master(
      single_node("      - { tp: x, conc-list: [4] }\n"
                  "      - { tp: 8 }\n"
                  "      - { " +
                  kWorkers +
                  ", conc-list: [4] }\n"
                  "      - { tp: 2, conc-list: [x, 7] }\n"));
  EXPECT_THAT(first_values(expand(files.space, files.problems)), ElementsAre(7));
}

TEST(Expand, LengthsThatOverflowGiveNoModelLength) {
  SpaceFiles files;
  files.add_master(entry_head("key", "false") +
                   "  scenarios:\n    fixed-seq-len:\n    - isl: 9223372036854775807\n"
                   "      osl: 1\n      search-space: [ { tp: 1, conc-list: [1] } ]\n");
  const auto matrix = expand(files.space, files.problems);
  ASSERT_EQ(matrix.size(), 1u);
  EXPECT_EQ(matrix[0].max_model_len, std::nullopt);
}

TEST(Expand, StopsAtItsLimitsAndSaysWhere) {
  SpaceFiles files;
  files.add_master(
      single_node("      - { tp: 8, conc-list: [1, 2, 3] }\n"
                  "      - { tp: 4, conc-list: [1, 2, 3] }\n"));
  ExpandLimits limits;
  limits.rows = 5;
  EXPECT_EQ(expand(files.space, files.problems, limits).size(), 3u);
  EXPECT_THAT(
      files.reports(),
      ElementsAre("15: note[RL1003]: The search space has more than 5 rows or 400000 points; "
                  "it is not expanded from here on."));
}

// ---------------------------------------------------------------- CPU memory for offloaded KV

struct Budget {
  std::int64_t available_mib;
  std::string_view utilization;
  std::int64_t gpus;
  std::int64_t gpus_per_node;
  std::int64_t gb;
};

void PrintTo(const Budget& budget, std::ostream* out) {
  *out << budget.available_mib << " * " << budget.utilization;
}

class DramBudgets : public ::testing::TestWithParam<Budget> {};

TEST_P(DramBudgets, AreExact) {
  const Budget& budget = GetParam();
  const auto utilization = Decimal::parse(budget.utilization);
  ASSERT_TRUE(utilization);
  EXPECT_EQ(dram_budget_gb(budget.available_mib, *utilization, budget.gpus, budget.gpus_per_node),
            budget.gb);
}

INSTANTIATE_TEST_SUITE_P(
    Table, DramBudgets,
    ::testing::Values(Budget{2964436, "0.8", 8, 8, 2399}, Budget{2964436, "0.8", 4, 8, 1199},
                      Budget{2964436, "0.95", 8, 8, 2849}, Budget{2063837, "0.8", 8, 8, 1731},
                      Budget{1471356, "0.8", 8, 8, 1234}, Budget{860160, "0.8", 4, 4, 721},
                      Budget{2321924, "0.8", 8, 8, 1947}, Budget{3095781, "1", 8, 8, 2999},
                      // A binary fraction of 0.29 would give 2 here: 1e9/2^20 MiB are no integer,
                      // so 1953125 MiB are 2048 * 10^9 bytes exactly.
                      Budget{1953125, "0.5", 1, 1, 1024}, Budget{1953125, "0.001", 1, 8, 0},
                      Budget{1953125, "0.999999999999999999", 1, 1, 2047},
                      Budget{1953125, "0.3", 1, 3, 204}));

TEST(DramBudget, IsUnknownBeyondItsArithmetic) {
  const Decimal tiny{1, 18};
  EXPECT_EQ(dram_budget_gb(1000, tiny, 4611686018427387904 - 57, 9223372036854775783),
            std::nullopt);
  EXPECT_EQ(dram_budget_gb(1000, tiny, 1, 0), std::nullopt);
}

const std::string kRunners =
    "labels:\n  cluster:lab: [lab_0]\nhardware:\n  cluster:lab:\n"
    "    available-cpu-dram-mib: 2_964_436\n    gpus-per-node: 8\n";

struct DramRow {
  std::string multinode;
  std::string fields;
  std::optional<std::int64_t> gb;
  std::vector<std::string> reports;
};

void PrintTo(const DramRow& row, std::ostream* out) {
  *out << row.fields;
}

class DramRows : public ::testing::TestWithParam<DramRow> {};

TEST_P(DramRows, GetTheShareOfTheirGpus) {
  SpaceFiles files;
  files.add_runners(kRunners);
  files.add_master(
      agentic(GetParam().multinode, "      - { " + GetParam().fields + ", conc-list: [16] }\n"));
  const auto matrix = expand(files.space, files.problems);
  ASSERT_EQ(matrix.size(), 1u);
  EXPECT_EQ(matrix[0].total_cpu_dram_gb, GetParam().gb);
  EXPECT_EQ(files.reports(), GetParam().reports);
}

std::string prefill_of(const std::string& sizes) {
  return "prefill: { num-worker: 1, ep: 1, dp-attn: false, " + sizes + " }, decode: " + kWorker;
}

INSTANTIATE_TEST_SUITE_P(
    Table, DramRows,
    ::testing::Values(
        DramRow{"false", "tp: 8, kv-offloading: none", 0, {}},
        DramRow{"false", "tp: 8" + kDram, 2399, {}},
        DramRow{"false", "tp: 2, pcp-size: 2" + kDram, 1199, {}},
        DramRow{"false", "tp: 3" + kDram, 899, {}},
        DramRow{"false",
                "tp: 8, pp: 2" + kDram,
                std::nullopt,
                {"13: error[RL9001]: The row needs 16 GPUs (tp 8 * pp 2 * pcp-size 1), but "
                 "'cluster:lab' has 8 on a node; with 'kv-offloading: dram' a single-node row must "
                 "fit one node."}},
        DramRow{"false",
                "tp: '8'" + kDram,
                std::nullopt,
                {"13: warning[RL9001]: 'tp' is the string '8', not an integer. The validator takes "
                 "it for 8, but the generator passes it on as it is written.",
                 "13: error[RL9001]: 'tp' is the string '8': with 'kv-offloading: dram' the "
                 "generator calculates with it and fails."}},
        DramRow{"true", kWorkers, 0, {}}, DramRow{"true", prefill_of("tp: 4") + kDram, 1199, {}},
        DramRow{"true", prefill_of("tp: 8, pp: 2") + kDram, 2399, {}},
        DramRow{"true",
                prefill_of("tp: 3") + kDram,
                std::nullopt,
                {"13: error[RL9001]: The row needs 3 GPUs (tp 3 * pp 1 * pcp-size 1), but "
                 "'cluster:lab' has 8 on a node; with 'kv-offloading: dram' a prefill worker must "
                 "divide a node evenly."}},
        DramRow{"true",
                prefill_of("tp: 12") + kDram,
                std::nullopt,
                {"13: error[RL9001]: The row needs 12 GPUs (tp 12 * pp 1 * pcp-size 1), but "
                 "'cluster:lab' has 8 on a node; with 'kv-offloading: dram' a prefill worker must "
                 "fill whole nodes."}},
        DramRow{
            "true",
            prefill_of("tp: 4611686018427387904, pp: 4611686018427387904") + kDram,
            std::nullopt,
            {"13: error[RL9004]: The row needs more than 2^63 GPUs (tp 4611686018427387904 * pp "
             "4611686018427387904 * pcp-size 1)."}}));

TEST(DramRow, NeedsTheHardwareOfItsRunnerAndSaysSoOnce) {
  SpaceFiles files;
  files.add_runners("labels:\n  cluster:lab: [lab_0]\n");
  files.add_master(agentic("false", "      - { tp: 8, conc-list: [16]" + kDram + " }\n" +
                                        "      - { tp: 4, conc-list: [16]" + kDram + " }\n"));
  EXPECT_EQ(expand(files.space, files.problems).size(), 2u);
  EXPECT_THAT(
      files.reports(),
      ElementsAre("7: error[RL9001]: Runner 'cluster:lab' needs an entry under 'hardware' in "
                  "'configs/runners.yaml', because a row offloads to CPU memory."));
}

TEST(DramRow, IsUnknownWithoutARunnersFile) {
  SpaceFiles files;
  files.add_master(agentic("false", "      - { tp: 8, conc-list: [16]" + kDram + " }\n"));
  const auto matrix = expand(files.space, files.problems);
  ASSERT_EQ(matrix.size(), 1u);
  EXPECT_EQ(matrix[0].total_cpu_dram_gb, std::nullopt);
  EXPECT_THAT(files.reports(), IsEmpty());
}

// ---------------------------------------------------------------- points that occur twice

TEST(DuplicatePoint, WithinARow) {
  SpaceFiles files;
  files.add_master(
      single_node("      - tp: 8\n        conc-list:\n        - 4\n        - 8\n"
                  "        - 4\n        - 4\n"));
  expand(files.space, files.problems);
  EXPECT_THAT(
      files.reports(),
      ElementsAre("18: warning[RL9003]: Concurrency 4 occurs more than once in this row; such "
                  "a point is measured twice."));
}

TEST(DuplicatePoint, WithinAMultiNodeRow) {
  SpaceFiles files;
  files.add_master(multi_node("      - { " + kWorkers + ", conc-list: [4, 4] }\n"));
  expand(files.space, files.problems);
  EXPECT_EQ(files.problems.size(), 1u);
}

TEST(DuplicatePoint, BetweenRowsThatDifferOnlyInTheirWriting) {
  SpaceFiles files;
  files.add_master(
      single_node("      - { tp: 8, conc-start: 4, conc-end: 16 }\n"
                  "      - { tp: 8, ep: 1, pp: 1, dp-attn: false, spec-decoding: none, "
                  "conc-list: [16, 8, 64] }\n"));
  expand(files.space, files.problems);
  EXPECT_THAT(files.reports(),
              ElementsAre("15: warning[RL9003]: The row repeats points of another row of its entry "
                          "(concurrency 8, 16); they are measured twice."));
}

TEST(DuplicatePoint, BetweenEntriesIsOneProblem) {
  SpaceFiles files;
  std::string second = single_node("      - { tp: 8, conc-list: [16, 8] }\n");
  second.replace(0, 3, "yek");
  files.add_master(single_node("      - { tp: 8, conc-list: [8, 16] }\n"));
  files.add_master(second, "configs/other-master.yaml");
  expand(files.space, files.problems);
  EXPECT_THAT(files.reports(), ElementsAre("14: note[RL9003]: Entry 'yek' repeats 2 points of "
                                           "entry 'key'; they are measured twice."));
  EXPECT_THAT(files.problems[0].entries, ElementsAre("key", "yek"));
  EXPECT_EQ(files.problems[0].span.file->path(), "configs/other-master.yaml");
  EXPECT_EQ(files.problems[0].related[0].span.file->path(), "configs/lab-master.yaml");
}

TEST(DuplicatePoint, NeedsEqualityInEverythingThatRuns) {
  SpaceFiles files;
  files.add_master(multi_node(
      "      - { " + kWorkers + ", conc-list: [4] }\n" + "      - { prefill: " + kWorker +
      ", decode: { num-worker: 1, tp: 8, ep: 1, dp-attn: false, "
      "additional-settings: [A=1] }, conc-list: [4] }\n" +
      "      - { " + kWorkers + ", spec-decoding: mtp, conc-list: [4] }\n" + "      - { " +
      kWorkers + ", router: { name: r, version: '1' }, conc-list: [4] }\n"));
  expand(files.space, files.problems);
  EXPECT_THAT(files.reports(), IsEmpty());
}

}  // namespace
}  // namespace recipelint::space
