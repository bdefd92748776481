#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/command.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"

namespace recipelint {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::run_command;

/// A folder of scripts without a search space.
class BareScript : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write(
        "serve.sh",
        "set -u\n"
        "vllm serve \"$MODEL\" --tensor-parallel-size \"${TP:-2}\" --port \"${1:-8000}\"\n");
    folder_.write("more/other.sh", "source common.sh\nvllm serve other --seed \"$SEED\"\n");
    folder_.write("more/common.sh", "SEED=7\n");
  }

  std::vector<std::string> with_root(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--root", folder_.path().string()});
    return arguments;
  }
  std::vector<json> argv(const std::string& path, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"argv", folder_.path().string() + path, "--format",
                                          "json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const testing::CommandResult run = run_command(with_root(arguments));
    EXPECT_EQ(run.code, 0) << run.err;
    std::istringstream lines(run.out);
    std::vector<json> cells;
    for (std::string line; std::getline(lines, line);) cells.push_back(json::parse(line));
    return cells;
  }
  testing::CommandResult check(const std::string& path, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"check", folder_.path().string() + path, "-q"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_command(with_root(arguments));
  }

  testing::TemporaryFolder folder_;
};

std::vector<std::string> texts(const json& launch) {
  std::vector<std::string> words;
  for (const json& word : launch["argv"]) words.push_back(word["text"]);
  return words;
}

TEST_F(BareScript, StartsWithTheGivenVariables) {
  const auto cells = argv("/serve.sh", {"--set", "MODEL=acme/M", "--set", "TP=8"});
  ASSERT_EQ(cells.size(), 1u);
  EXPECT_EQ(cells[0]["script"], "serve.sh");
  EXPECT_EQ(cells[0]["status"], "complete");
  EXPECT_TRUE(cells[0]["key"].is_null());
  EXPECT_TRUE(cells[0]["conc"].is_null());
  EXPECT_THAT(
      texts(cells[0]["launches"][0]),
      ElementsAre("vllm", "serve", "acme/M", "--tensor-parallel-size", "8", "--port", "8000"));
}

TEST_F(BareScript, WhatIsNotGivenIsUnknownUnlessItHasADefault) {
  const auto cells = argv("/serve.sh");
  ASSERT_EQ(cells.size(), 1u);
  EXPECT_EQ(cells[0]["status"], "partial");
  const json& words = cells[0]["launches"][0]["argv"];
  EXPECT_FALSE(words[2]["known"]);
  EXPECT_EQ(words[2]["text"], "${environment variable MODEL}");
  EXPECT_EQ(words[4]["text"], "2");
  EXPECT_EQ(check("/serve.sh").out, "") << "what nobody gave is no unset variable";
}

TEST_F(BareScript, TakesItsCellFromTheCommandLine) {
  const auto cells = argv("/serve.sh", {"--cell", "conc=64,isl=8192", "--gpu", "b200"});
  ASSERT_EQ(cells.size(), 1u);
  EXPECT_EQ(cells[0]["conc"], 64);
}

TEST_F(BareScript, IsHeldToWhatTheCommandLineSaysAboutIt) {
  folder_.write("wide.sh",
                "vllm serve m -tp 8 -dcp 8 --kv-offloading-size 64 "
                "--kv-offloading-backend native\n");
  const auto said = [&](const std::string& fields) {
    return check("/wide.sh", {"--select", "RL4001,RL4006", "--image", "vllm/vllm-openai:v0.26.0",
                              "--cell", fields})
        .out;
  };
  EXPECT_EQ(said("tp=8,dcp-size=8,kv-offloading=dram"), "");
  EXPECT_THAT(said("dcp-size=4"), HasSubstr("The command line says dcp-size 4"));
  EXPECT_THAT(said("pcp-size=2"), HasSubstr("The command line says pcp-size 2"));
  EXPECT_THAT(said("kv-offloading=none"), HasSubstr("error[RL4006]"));
}

TEST_F(BareScript, ComesInFoldersToo) {
  std::vector<std::string> scripts;
  for (const json& cell : argv("")) scripts.push_back(cell["script"]);
  EXPECT_THAT(scripts, ElementsAre("more/common.sh", "more/other.sh", "serve.sh"));
}

TEST_F(BareScript, FindsWhatLiesBesideIt) {
  const auto cells = argv("/more/other.sh");
  ASSERT_EQ(cells.size(), 1u);
  EXPECT_EQ(cells[0]["status"], "complete");
  EXPECT_THAT(texts(cells[0]["launches"][0]), ElementsAre("vllm", "serve", "other", "--seed", "7"));
}

TEST_F(BareScript, IsJudgedByTheRulesAboutScripts) {
  folder_.write("broken.sh", "vllm serve m --json '{'\nX=$((8 / SIZE))\nvllm serve m --n $X\n");
  const auto unknown = check("/broken.sh", {"--select", "RL6008"});
  EXPECT_EQ(unknown.out, "");
  const auto known = check("/broken.sh", {"--select", "RL6008", "--set", "SIZE=0"});
  EXPECT_THAT(known.out, HasSubstr("note[RL6008]"));
  EXPECT_THAT(known.out, HasSubstr("division by 0"));
}

TEST_F(BareScript, MayNeedArgumentsThatNobodyGave) {
  folder_.write("port.sh", "set -u\nvllm serve m --port \"$1\"\n");
  EXPECT_EQ(check("/port.sh").out, "");
  const auto cells = argv("/port.sh");
  ASSERT_EQ(cells.size(), 1u);
  EXPECT_EQ(cells[0]["status"], "rejected");
}

TEST_F(BareScript, WithCrlfLineEndsIsPartial) {
  folder_.write("dos.sh", "vllm serve m\r\n");
  const auto cells = argv("/dos.sh");
  ASSERT_EQ(cells.size(), 1u);
  EXPECT_EQ(cells[0]["status"], "partial");
  ASSERT_EQ(cells[0]["reasons"].size(), 1u);
  EXPECT_THAT(cells[0]["reasons"][0]["cause"].get<std::string>(), HasSubstr("end in CRLF"));
  EXPECT_EQ(cells[0]["reasons"][0]["line"], 1);
}

TEST_F(BareScript, RefusesWhatDescribesNoRun) {
  const std::string script = folder_ / "serve.sh";
  const auto error = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"argv", script});
    const testing::CommandResult run = run_command(with_root(more));
    EXPECT_EQ(run.code, 2);
    return run.err;
  };
  EXPECT_THAT(error({"--set", "TP"}), HasSubstr("--set 'TP' is no NAME=VALUE"));
  EXPECT_THAT(error({"--set", "1=2"}), HasSubstr("--set '1=2' is no NAME=VALUE"));
  EXPECT_THAT(error({"--image", ""}), HasSubstr("--image is empty"));
  EXPECT_THAT(error({"--cell", "batch=2"}), HasSubstr("there is no field 'batch'"));
  EXPECT_THAT(error({"--cell", "conc=0"}), HasSubstr("write a number above 0"));
  EXPECT_THAT(error({"--cell", "dp-attn=1"}), HasSubstr("write true or false"));
  EXPECT_THAT(error({"--cell", "dcp-size=0"}), HasSubstr("write a number above 0"));
  EXPECT_THAT(error({"--cell", "pcp-size=all"}), HasSubstr("write a number above 0"));
  EXPECT_THAT(error({"--cell", "kv-offloading=nvme"}), HasSubstr("write none or dram"));
  EXPECT_THAT(error({"--cell", "conc"}), HasSubstr("no FIELD=VALUE"));
}

TEST(BareScriptInASearchSpace, IsRunByHandOnlyIfSomethingIsGiven) {
  const std::string demo = testing::source_dir() + "/fixtures/demo";
  const std::string script = demo + "/benchmarks/single_node/fixed_seq_len/llama70b_fp8_h200.sh";
  const auto lines = [](const testing::CommandResult& run) {
    return std::count(run.out.begin(), run.out.end(), '\n');
  };
  const auto rows = run_command({"argv", script, "--format", "json"});
  EXPECT_GT(lines(rows), 1);
  const auto some = run_command({"argv", script, "--format", "json", "--cell", "conc=64,tp=4"});
  EXPECT_EQ(lines(some), 2) << "a search space has the cells";
  const auto one = run_command({"argv", script, "--format", "json", "--set", "CONC=5", "--cell",
                                "conc=5", "--model", "acme/M"});
  ASSERT_EQ(lines(one), 1) << one.err;
  EXPECT_EQ(json::parse(one.out)["conc"], 5);
  EXPECT_EQ(run_command({"argv", demo, "--set", "CONC=5"}).code, 2);
  EXPECT_EQ(run_command({"check", demo, "--cell", "conc=5"}).code, 2);
}

}  // namespace
}  // namespace recipelint
