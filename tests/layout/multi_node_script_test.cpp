// A row that runs on several nodes through a script wants servers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "analyzer/layout/cell_results.h"
#include "tests/layout/repository.h"

namespace recipelint::layout {
namespace {

using Status = CellLaunches::Status;

constexpr const char* kMaster =
    "key:\n  image: i\n  model: m\n  model-prefix: m\n  precision: fp8\n  framework: vllm-disagg\n"
    "  runner: x9\n  multinode: true\n  scenarios:\n    fixed-seq-len:\n    - isl: 8192\n"
    "      osl: 1024\n      search-space:\n      - conc-list: [64]\n"
    "        prefill: {num-worker: 1, tp: 8, ep: 1, dp-attn: false}\n"
    "        decode: {num-worker: 1, tp: 8, ep: 1, dp-attn: false}\n";

/// What the one cell starts whose script this is.
CellLaunches launches_of(const std::string& script) {
  static const facts::Catalog facts;
  recipelint::testing::Repository repository;
  repository.add("configs/x-master.yaml", kMaster)
      .add("configs/runners.yaml", "labels:\n  x9: [x9-lab_0]\n")
      .add("runners/launch_x9-lab.sh", "#!/bin/bash\n")
      .add("benchmarks/multi_node/m_fp8_x9_vllm-disagg.sh", script)
      .add("benchmarks/multi_node/submit.sh", "sbatch job.slurm\n");
  const CellResults results(repository.load(), facts, 1);
  CellLaunches launches = *results.all().front().launches;
  // What it points into goes with the repository.
  launches.launches.clear();
  for (Reason& reason : launches.reasons) reason.span = {};
  return launches;
}

void expect_partial(const std::string& script, const std::string& cause) {
  const CellLaunches launches = launches_of(script);
  EXPECT_EQ(launches.status, Status::kPartial) << script;
  ASSERT_EQ(launches.reasons.size(), 1u) << script;
  EXPECT_EQ(launches.reasons[0].cause, cause) << script;
}

TEST(MultiNodeScript, IsPartialIfOthersStartTheServers) {
  expect_partial("sbatch job.slurm\n", "what sbatch starts is not evaluated");
  expect_partial("cd benchmarks/multi_node\nJOB=$(bash ./submit.sh 1 2)\necho \"$JOB\"\n",
                 "what sbatch starts is not evaluated");
  expect_partial("cd \"$GITHUB_WORKSPACE/x\"\nbash ./submit.sh\n",
                 "what a script of the host starts is not evaluated");
}

TEST(MultiNodeScript, IsPartialIfNothingTellsWhoDoes) {
  expect_partial("echo done\n", "no server that the script starts was found");
  expect_partial("vllm-router --port 1\n", "no server that the script starts was found");
}

TEST(MultiNodeScript, IsCompleteIfItStartsServersOrWantsToEnd) {
  EXPECT_EQ(launches_of("vllm serve m\n").status, Status::kComplete);
  EXPECT_EQ(launches_of("exit 0\n").status, Status::kComplete);
  EXPECT_EQ(launches_of("exit 3\n").status, Status::kRejected);
}

}  // namespace
}  // namespace recipelint::layout
