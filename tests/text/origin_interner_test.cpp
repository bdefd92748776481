#include "analyzer/text/origin_interner.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/text/source_file.h"

namespace recipelint::text {
namespace {

class OriginInternerTest : public ::testing::Test {
 protected:
  const SourceFile file_{"a.sh", "one two three"};
  OriginPool pool_;
  OriginInterner origins_{pool_};
};

TEST_F(OriginInternerTest, KeepsTheChain) {
  const Origin row = origins_.add(file_.span(0, 3), "conc of this row");
  const Origin assigned = origins_.add(file_.span(4, 7), "assigned to CONC", row);
  EXPECT_EQ(assigned.span(), file_.span(4, 7));
  EXPECT_EQ(assigned.nearest()->note, "assigned to CONC");
  EXPECT_EQ(assigned.nearest()->earlier, row.nearest());
  EXPECT_EQ(row.nearest()->earlier, nullptr);
}

TEST_F(OriginInternerTest, HasEqualLinksOnce) {
  const Origin row = origins_.add(file_.span(0, 3), "row");
  // Another text with the same letters.
  std::string note = "ro";
  note += 'w';
  EXPECT_EQ(origins_.add(file_.span(0, 3), note), row);
  EXPECT_EQ(origins_.add(file_.span(4, 7), "", row), origins_.add(file_.span(4, 7), {}, row));
  EXPECT_EQ(origins_.size(), 2u);
}

TEST_F(OriginInternerTest, TellsApartWhatDiffersInOneThing) {
  const SourceFile other("b.sh", "one two three");
  const Origin row = origins_.add(file_.span(0, 3), "row");
  const std::vector<Origin> different = {
      origins_.add(file_.span(0, 4), "row"), origins_.add(file_.span(1, 3), "row"),
      origins_.add(other.span(0, 3), "row"), origins_.add(file_.span(0, 3), "line"),
      origins_.add(file_.span(0, 3), ""),    origins_.add(file_.span(0, 3), "row", row)};
  for (const Origin& origin : different) EXPECT_NE(origin, row);
  EXPECT_EQ(origins_.size(), 1 + different.size());
}

TEST_F(OriginInternerTest, CopiesNotes) {
  std::string note = "assigned to A_LONG_NAME_OF_A_VARIABLE";
  const Origin origin = origins_.add(file_.span(0, 3), note);
  note.assign(note.size(), 'x');
  EXPECT_EQ(origin.nearest()->note, "assigned to A_LONG_NAME_OF_A_VARIABLE");
}

TEST_F(OriginInternerTest, StaysValidAsItGrows) {
  constexpr std::uint32_t kLinks = 10'000;
  const SourceFile large("c.sh", std::string(kLinks + 1, 'x'));
  std::vector<Origin> origins;
  for (std::uint32_t i = 0; i < kLinks; ++i)
    origins.push_back(origins_.add(large.span(i, i + 1), "x"));
  for (std::uint32_t i = 0; i < kLinks; ++i) {
    ASSERT_EQ(origins[i].span(), large.span(i, i + 1));
    ASSERT_EQ(origins_.add(large.span(i, i + 1), "x"), origins[i]);
  }
  EXPECT_EQ(origins_.size(), kLinks);
}

}  // namespace
}  // namespace recipelint::text
