#include "analyzer/layout/cell_results.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/layout/repository.h"

namespace recipelint::layout {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kScript = "benchmarks/single_node/fixed_seq_len/m_fp8_b300_vllm.sh";

// Two entries that launch the same, but for the fields `more` of the second one's row.
recipelint::testing::Repository repository(const std::string& script,
                                           const std::string& more = "") {
  const auto entry = [](const std::string& key, const std::string& fields) {
    return key +
           ":\n  image: vllm/vllm-openai:v0.27.1\n  model: acme/M\n  model-prefix: m\n"
           "  precision: fp8\n  framework: vllm\n  runner: b300\n  multinode: false\n"
           "  scenarios:\n    fixed-seq-len:\n    - isl: 8192\n      osl: 1024\n"
           "      search-space:\n      - {tp: 8, conc-list: [32]" +
           fields + "}\n";
  };
  recipelint::testing::Repository repository;
  repository.add("configs/x-master.yaml", entry("first", "") + entry("second", more))
      .add("configs/runners.yaml", "labels:\n  b300:\n  - b300-nv_0\n")
      .add("runners/launch_b300-nv.sh", "#!/bin/bash\n")
      .add(kScript, script);
  return repository;
}

const facts::Catalog& facts() {
  static const facts::Catalog catalog;
  return catalog;
}

std::vector<std::string> names(const CellResults& results) {
  std::vector<std::string> out;
  for (const EvaluatedCell& cell : results.all()) out.push_back(cell.name());
  return out;
}

TEST(CellResults, EvaluatesNothingBeforeSomebodyAsks) {
  auto tree = repository("vllm serve \"$MODEL\"\n");
  const CellResults results(tree.load(), facts());
  EXPECT_FALSE(results.evaluated());
  EXPECT_THAT(names(results), Contains("first|8192x1024|tp8|c32"));
  EXPECT_TRUE(results.evaluated());
}

TEST(CellResults, NamesWhatTellsCellsApart) {
  auto tree = repository("vllm serve \"$MODEL\"\n", ", ep: 8, dp-attn: true, spec-decoding: mtp");
  const CellResults results(tree.load(), facts());
  EXPECT_THAT(names(results), AllOf(Contains("second|8192x1024|tp8|ep8|dpa|mtp|c32"),
                                    Contains("second|8192x1024|tp8|ep8|dpa|mtp|c32|eval")));
}

TEST(CellResults, GivesThroughputCellsBeforeEvalCells) {
  auto tree = repository("vllm serve \"$MODEL\"\n");
  const CellResults results(tree.load(), facts());
  EXPECT_THAT(names(results),
              ElementsAre("first|8192x1024|tp8|c32", "second|8192x1024|tp8|c32",
                          "first|8192x1024|tp8|c32|eval", "second|8192x1024|tp8|c32|eval"));
}

TEST(CellResults, SharesAResultOnlyBetweenEqualInputs) {
  auto equal = repository("vllm serve \"$MODEL\"\n");
  const CellResults shared(equal.load(), facts());
  EXPECT_EQ(shared.all()[0].launches, shared.all()[1].launches);
  EXPECT_NE(shared.all()[0].launches, shared.all()[2].launches) << "another mode";

  auto different = repository("vllm serve \"$MODEL\" --ep \"$EP_SIZE\"\n", ", ep: 2");
  const CellResults own(different.load(), facts());
  ASSERT_NE(own.all()[0].launches, own.all()[1].launches);
  ASSERT_EQ(own.all()[1].launches->launches.size(), 1u);
  EXPECT_EQ(own.all()[1].launches->launches[0].argv.back().text(), "2");
}

TEST(CellResults, IsTheSameForAnyNumberOfThreadsAndCallers) {
  auto tree = repository("vllm serve \"$MODEL\" --n \"$EP_SIZE\"\n", ", ep: 2");
  const Workspace& workspace = tree.load();
  const CellResults one(workspace, facts(), 1);
  const CellResults many(workspace, facts(), 8);
  std::thread other([&] { EXPECT_FALSE(many.all().empty()); });
  const auto cells = many.all();
  other.join();
  ASSERT_EQ(one.all().size(), cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    ASSERT_EQ(cells[i].launches->launches.size(), 1u);
    EXPECT_EQ(cells[i].launches->launches[0].argv.back().text(),
              one.all()[i].launches->launches[0].argv.back().text());
  }
}

// More cells than are evaluated in one go.
TEST(CellResults, GivesEachOfManyCellsItsOwnResult) {
  constexpr int kCells = 1'500;
  std::string list = "1";
  for (int i = 2; i <= kCells; ++i) list += fmt::format(", {}", i);
  auto tree = repository("vllm serve m --max-num-seqs $((CONC * 2))\n",
                         fmt::format("}}\n      - {{tp: 4, conc-list: [{}]", list));
  const CellResults results(tree.load(), facts(), 2);
  int met = 0;
  for (const EvaluatedCell& cell : results.all()) {
    if (cell.row()->row->tp.value_or(0) != 4 || cell.cell.mode != Mode::kThroughput) continue;
    ASSERT_EQ(cell.launches->launches.size(), 1u);
    const std::int64_t concurrency = cell.row()->concurrencies[cell.cell.concurrency].value;
    EXPECT_EQ(cell.launches->launches[0].argv.back().text(), std::to_string(2 * concurrency));
    ++met;
  }
  EXPECT_EQ(met, kCells);
}

TEST(CellResults, LeavesOutKeysThatNobodyAsksFor) {
  auto tree = repository("vllm serve \"$MODEL\"\n");
  const CellResults results(tree.load(), facts(), 0,
                            [](std::string_view key) { return key == "second"; });
  EXPECT_THAT(names(results),
              ElementsAre("second|8192x1024|tp8|c32", "second|8192x1024|tp8|c32|eval"));
}

TEST(CellResults, TellsHowMuchWorkAnEvaluationWas) {
  auto small = repository("vllm serve m\n");
  auto large = repository("for ((i = 0; i < 100; ++i)); do :; done\nvllm serve m\n");
  const CellResults few(small.load(), facts());
  const CellResults many(large.load(), facts());
  EXPECT_GT(few.all()[0].launches->steps, 0u);
  EXPECT_GT(many.all()[0].launches->steps, few.all()[0].launches->steps + 100);
}

TEST(CellResults, SaysWhatARefusedCellPrintedLast) {
  auto tree = repository("echo 'Looking.'\necho 'Error: no.' >&2\nexit 3\n");
  const CellResults results(tree.load(), facts());
  const CellLaunches& launches = *results.all()[0].launches;
  EXPECT_EQ(launches.status, CellLaunches::Status::kRejected);
  ASSERT_EQ(launches.reasons.size(), 1u);
  EXPECT_EQ(launches.reasons[0].cause, "exit status 3 after printing 'Error: no.'");
}

TEST(CellResults, DoesNotClaimTextsInWhichTheWaysDiffer) {
  auto tree = repository("if [ -d /models ]; then echo a; else echo b; fi\nexit 1\n");
  const CellResults results(tree.load(), facts());
  for (const Reason& reason : results.all()[0].launches->reasons) {
    EXPECT_THAT(reason.cause, Not(HasSubstr("printing")));
  }
}

TEST(CellResults, KnowsTheFieldsOfRows) {
  auto tree = repository("vllm serve \"$MODEL\"\n", ", ep: 2");
  const CellResults results(tree.load(), facts());
  const EvaluatedCell& cell = results.all()[1];
  EXPECT_EQ(cell.image(), "vllm/vllm-openai:v0.27.1");
  EXPECT_EQ(cell.model(), "acme/M");
  EXPECT_EQ(cell.runner(), "b300");
  EXPECT_EQ(cell.number("conc"), 32);
  EXPECT_EQ(cell.number("ep"), 2);
  EXPECT_EQ(cell.number("dp-attn"), std::nullopt) << "no number";
  EXPECT_EQ(cell.field("dp-attn")->text, "false");
}

TEST(CellResults, KnowsWhatWasGivenInPlaceOfARow) {
  text::MemoryTree tree;
  tree.add("a.sh", "vllm serve \"$MODEL\"\n");
  text::SourceStore sources(tree);
  GivenRun run;
  run.environment = {{"MODEL", "acme/M"}};
  run.fields = {{"image", "acme/vllm:1"}, {"gpu", "b200"}, {"conc", "8"}};
  const Workspace workspace = WorkspaceLoader(sources).run_by_hand(run).load();
  const CellResults results(workspace, facts());
  ASSERT_EQ(results.all().size(), 1u);
  const EvaluatedCell& cell = results.all()[0];
  EXPECT_EQ(cell.row(), nullptr);
  EXPECT_EQ(cell.name(), "a.sh");
  EXPECT_EQ(cell.image(), "acme/vllm:1");
  EXPECT_EQ(cell.runner(), "b200");
  EXPECT_EQ(cell.model(), "");
  EXPECT_EQ(cell.number("conc"), 8);
  EXPECT_EQ(cell.number("tp"), std::nullopt);
  ASSERT_EQ(cell.launches->launches.size(), 1u);
  EXPECT_EQ(cell.launches->launches[0].argv.back().text(), "acme/M");
}

}  // namespace
}  // namespace recipelint::layout
