#include "analyzer/findings/ignores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace recipelint::findings {
namespace {

using ::testing::IsEmpty;

struct Lines {
  std::uint32_t first;
  std::uint32_t last;

  friend bool operator==(const Lines&, const Lines&) = default;
};

Lines lines_of(const std::string& text) {
  const text::SourceFile file("x.sh", text);
  const auto ignores = read_ignores(file);
  EXPECT_EQ(ignores.size(), 1u) << text;
  if (ignores.empty()) return {0, 0};
  return {ignores[0].first_line, ignores[0].last_line};
}

TEST(Ignores, StandForTheirLineOrAloneForTheNext) {
  EXPECT_EQ(lines_of("a\nb # recipelint: ignore[RL1] why\nc\n"), (Lines{2, 2}));
  EXPECT_EQ(lines_of("a\n  # recipelint: ignore[RL1] why\nb\nc\n"), (Lines{3, 3}));
  EXPECT_EQ(lines_of("#recipelint:ignore[RL1]\nb\n"), (Lines{2, 2}));
}

TEST(Ignores, StandForAWholeCommand) {
  EXPECT_EQ(lines_of("# recipelint: ignore[RL1] why\nserve \\\n  --a 1 \\\n  --b 2\nc\n"),
            (Lines{2, 4}));
  EXPECT_EQ(lines_of("serve \\\n  --a 1 \\\n  --b 2 # recipelint: ignore[RL1] why\nc\n"),
            (Lines{1, 3}));
  // An escaped backslash continues nothing.
  EXPECT_EQ(lines_of("# recipelint: ignore[RL1] why\necho a\\\\\nb\n"), (Lines{2, 2}));
}

TEST(Ignores, StackAboveALine) {
  const text::SourceFile file(
      "x.sh", "# recipelint: ignore[RL1] one\n# recipelint: ignore[RL2] two\nrun\n");
  const auto ignores = read_ignores(file);
  ASSERT_EQ(ignores.size(), 2u);
  EXPECT_EQ(ignores[0].first_line, 3u);
  EXPECT_EQ(ignores[1].first_line, 3u);
  EXPECT_EQ(ignores[0].reason, "one");
}

TEST(Ignores, NameSeveralRulesEachWithItsPlace) {
  const text::SourceFile file("x.yaml",
                              "image: x # recipelint: ignore[RL1, some-rule] a reason \n");
  const auto ignores = read_ignores(file);
  ASSERT_EQ(ignores.size(), 2u);
  EXPECT_EQ(ignores[0].rule, "RL1");
  EXPECT_EQ(ignores[1].rule, "some-rule");
  EXPECT_EQ(ignores[1].span.bytes(), "some-rule");
  EXPECT_EQ(ignores[1].reason, "a reason");
  EXPECT_EQ(ignores[1].comment.bytes(), "# recipelint: ignore[RL1, some-rule] a reason ");
}

TEST(Ignores, OfAFileCountInItsFirstTwentyLines) {
  const std::string comment = "# recipelint: ignore-file[RL1] why\n";
  EXPECT_EQ(lines_of(std::string(19, '\n') + comment + "a\nb\n"), (Lines{1, 22}));
  const text::SourceFile late("x.sh", std::string(20, '\n') + comment);
  EXPECT_THAT(read_ignores(late), IsEmpty());
}

TEST(Ignores, OtherTextIsNoIgnore) {
  for (const char* text :
       {"a#recipelint: ignore[RL1]\n", "# recipelint: ignored[RL1]\n", "# recipelint: ignore RL1\n",
        "# recipelint: ignore[RL1\n", "# recipelint: ignore[]\n", "# recipelint:\n", "#", ""}) {
    const text::SourceFile file("x.sh", text);
    EXPECT_THAT(read_ignores(file), IsEmpty()) << text;
  }
}

}  // namespace
}  // namespace recipelint::findings
