#include "analyzer/facts/commit_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "analyzer/facts/embedded.h"

namespace recipelint::facts {
namespace {

using Outcome = CommitIndex::Outcome;

constexpr std::string_view kTable =
    "# Commits of an engine.\n"
    "# Source: its history\n"
    "# Date: 2026-08-17\n"
    "00aa00000001\t20260801T000001\n"
    "00aa00000002\t20260802T000002\n"
    "11bb22cc33dd\t20260803T120000\n"
    "fffffffffff0\t20260804T235959\n";

TEST(CommitIndex, FindsAHashAndItsPrefixes) {
  const CommitIndex index(kTable);
  ASSERT_EQ(index.size(), 4u);
  for (const std::string_view prefix :
       {"11bb22c", "11bb22cc33dd", "11bb22cc33dd000000000000000000000000beef"}) {
    const auto answer = index.find(prefix);
    ASSERT_EQ(answer.outcome, Outcome::kFound) << prefix;
    EXPECT_EQ(answer.commit->hash, "11bb22cc33dd");
    EXPECT_EQ(answer.commit->day, (Date{2026, 8, 3}));
    EXPECT_EQ(answer.commit->seconds_since_epoch, 1785758400);
  }
  EXPECT_EQ(index.find("00aa00000001").outcome, Outcome::kFound);
  EXPECT_EQ(index.find("fffffffffff0").commit->day, (Date{2026, 8, 4}));
}

TEST(CommitIndex, KnowsWhatItDoesNotKnow) {
  const CommitIndex index(kTable);
  for (const std::string_view prefix :
       {"11bb22c0", "0000000", "fffffffffff1", "11bb22", "", "11BB22C", "11bb22cx",
        "11bb22cc33dd000000000000000000000000beef0"}) {
    EXPECT_EQ(index.find(prefix).outcome, Outcome::kUnknown) << prefix;
  }
  EXPECT_EQ(index.find("00aa000").outcome, Outcome::kAmbiguous);
}

TEST(CommitIndex, ReadsItsHeader) {
  const CommitIndex index(kTable);
  EXPECT_EQ(index.header("Source"), "its history");
  EXPECT_EQ(index.header("Date"), "2026-08-17");
  EXPECT_EQ(index.header("Licence"), "");
}

TEST(CommitIndex, IsEmptyForOtherBytes) {
  for (const std::string_view bytes : {"", "#", "# only a comment\n", "hello\n", "# a\nhello"}) {
    EXPECT_EQ(CommitIndex(bytes).size(), 0u) << bytes;
    EXPECT_EQ(CommitIndex(bytes).find("0000000").outcome, Outcome::kUnknown);
  }
}

TEST(CommitIndex, EmbeddedTablesAreSortedAndComplete) {
  struct Table {
    std::string_view file;
    std::size_t at_least;
  };
  for (const auto& [file, at_least] :
       std::array{Table{"vllm_commits.tsv", 12'900}, Table{"sglang_commits.tsv", 25}}) {
    const CommitIndex index(embedded_data(file));
    ASSERT_GE(index.size(), at_least) << file;
    EXPECT_NE(index.header("Source"), "") << file;
    EXPECT_TRUE(parse_date(index.header("Date"))) << file;
    std::string last;
    for (std::size_t i = 0; i < index.size(); ++i) {
      const auto commit = index.at(i);
      ASSERT_TRUE(commit) << file << " entry " << i;
      ASSERT_LT(last, commit->hash) << file;
      ASSERT_EQ(index.find(commit->hash).outcome, Outcome::kFound) << commit->hash;
      last = commit->hash;
    }
  }
}

TEST(CommitIndex, PlacesCommitsOfKnownTime) {
  const CommitIndex vllm(embedded_data("vllm_commits.tsv"));
  EXPECT_EQ(vllm.find("5e35a6f4f9bbc217c599692157ca985c894373f7").commit->day, (Date{2026, 8, 3}));
  EXPECT_EQ(vllm.find("017e9f4").commit->seconds_since_epoch, 1786972850);
  EXPECT_EQ(vllm.find("426e59f").outcome, Outcome::kUnknown);
  const CommitIndex sglang(embedded_data("sglang_commits.tsv"));
  EXPECT_EQ(sglang.find("211ee642").commit->day, (Date{2026, 8, 5}));
}

}  // namespace
}  // namespace recipelint::facts
