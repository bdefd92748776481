#include "analyzer/facts/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace recipelint::facts {
namespace {

using ::testing::ElementsAre;

TEST(Table, GivesCellsWithTheEvidenceAboveThem) {
  const auto table = Table::parse(
      "# head\n@source\tsomewhere\n@date\t2026-08-17\na\t1\n\nb\t-\n@source\telsewhere\n"
      "@date\t2026-09-01\nc\t3\n",
      2);
  ASSERT_TRUE(table.ok()) << table.error().message;
  ASSERT_EQ(table->size(), 3u);
  EXPECT_THAT(table->row(0).cells, ElementsAre("a", "1"));
  EXPECT_THAT(table->row(1).cells, ElementsAre("b", ""));
  EXPECT_EQ(to_string(*table->row(1).evidence), "somewhere, 2026-08-17");
  EXPECT_EQ(to_string(*table->row(2).evidence), "elsewhere, 2026-09-01");
  EXPECT_EQ(table->row(2).line, 9u);
}

TEST(Table, RowsOfAnotherTableReplaceThoseWithTheSameKey) {
  auto table = Table::parse("@source\told\n@date\t2026-08-17\na\tx\t1\na\ty\t2\nb\tx\t3\n", 3);
  const auto first = Table::parse("@source\tmine\n@date\t2026-09-01\na\ty\t5\nc\tx\t6\n", 3);
  table.value().put_first(*first, 2);
  ASSERT_EQ(table->size(), 4u);
  EXPECT_THAT(table->row(0).cells, ElementsAre("a", "y", "5"));
  EXPECT_THAT(table->row(1).cells, ElementsAre("c", "x", "6"));
  EXPECT_THAT(table->row(2).cells, ElementsAre("a", "x", "1"));
  EXPECT_EQ(table->row(0).evidence->source, "mine");
  EXPECT_EQ(table->row(3).evidence->source, "old");
}

TEST(Table, NamesTheLineThatIsWrong) {
  const std::string head = "@source\ts\n@date\t2026-08-17\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"a\tb\n", "line 1: a source and a date come first"},
      {"@source\ts\na\tb\n", "line 2: a source and a date come first"},
      {head + "a\n", "line 3: 1 cells instead of 2"},
      {head + "a\tb\tc\n", "line 3: 3 cells instead of 2"},
      {head + "a\t\tb\n", "line 3: a cell is empty; '-' stands for nothing"},
      {head + "@license\tx\n", "line 3: there is no directive '@license'"},
      {"@source\n", "line 1: '@source' has no value"},
      {"@date\t2026-08-17\n", "line 1: a date follows its source"},
      {"@source\ts\n@date\tyesterday\n", "line 2: 'yesterday' is no day"},
  };
  for (const auto& [bytes, message] : cases) {
    const auto table = Table::parse(bytes, 2);
    ASSERT_FALSE(table.ok()) << bytes;
    EXPECT_EQ(table.error().message, message);
  }
}

}  // namespace
}  // namespace recipelint::facts
