#include "analyzer/report/visible.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "analyzer/report/character_width.h"
#include "analyzer/report/natural_order.h"

namespace recipelint::report {
namespace {

using ::testing::ElementsAre;

struct VisibleCase {
  std::string_view bytes;
  std::string_view shown;
};

TEST(Visible, ShowsWhatCouldActOnATerminal) {
  using namespace std::string_view_literals;
  const VisibleCase cases[] = {
      {"plain text", "plain text"},
      {"\x1B[31mred\x1B]8;;x\x07", "<1B>[31mred<1B>]8;;x<07>"},
      {"a\tb\r\nc\0d\x7F"sv, "a<09>b<0D><0A>c<00>d<7F>"},
      {"\u0085\u009B", "<U+0085><U+009B>"},
      {"\u202Eevil\u2066\u200B\uFEFF", "<U+202E>evil<U+2066><U+200B><U+FEFF>"},
      {"a\u00A0b\u3000\u202F", "a<U+00A0>b<U+3000><U+202F>"},
      {"\xFF\xC3(", "\uFFFD\uFFFD("},
      {"gr\u00F6\u00DFe \u6A21", "gr\u00F6\u00DFe \u6A21"},
  };
  for (const VisibleCase& test : cases) EXPECT_EQ(visible(test.bytes), test.shown);
}

TEST(Visible, BreaksUpRunnerCommandsButNotParameterExpansions) {
  EXPECT_EQ(visible("a ##[error]b"), "a ##<5B>error]b");
  EXPECT_EQ(visible("##[ADD-matcher x]"), "##<5B>ADD-matcher x]");
  EXPECT_EQ(visible("###[group]"), "###<5B>group]");
  for (const char* text :
       {"${x##[a-z]}", "${x##[a-zA-Z]}", "##[[:space:]]", "##[", "##[ab", "##[0-9]"}) {
    EXPECT_EQ(visible(text), text);
  }
}

TEST(Visible, ExpandsTabsToTheNextStop) {
  std::string text;
  for (const Glyph& glyph : to_glyphs("\ta\tbcd\te", Tabs::kExpand)) text += glyph.text;
  EXPECT_EQ(text, "    a   bcd e");
}

TEST(Visible, KeepsTheOffsetsOfTheInput) {
  std::vector<std::uint32_t> offsets;
  for (const Glyph& glyph : to_glyphs("\u00E9\xFF\x1B\U0001F600x", Tabs::kExpand)) {
    offsets.push_back(glyph.offset);
  }
  EXPECT_THAT(offsets, ElementsAre(0, 2, 3, 4, 8));
}

TEST(CharacterWidth, CountsTerminalColumns) {
  EXPECT_EQ(character_width(U'a'), 1u);
  EXPECT_EQ(character_width(U'\u00E9'), 1u);
  EXPECT_EQ(character_width(U'\u0301'), 0u);
  EXPECT_EQ(character_width(U'\uFE0F'), 0u);
  EXPECT_EQ(character_width(U'\u1100'), 2u);
  EXPECT_EQ(character_width(U'\u6A21'), 2u);
  EXPECT_EQ(character_width(U'\uAC00'), 2u);
  EXPECT_EQ(character_width(U'\uFF01'), 2u);
  EXPECT_EQ(character_width(U'\U0001F600'), 2u);
  EXPECT_EQ(character_width(U'\U00020000'), 2u);
  EXPECT_EQ(character_width(U'\uFFFD'), 1u);
  EXPECT_EQ(columns_of("a\u6A21e\u0301"), 4u);
}

TEST(Wrap, BreaksAtBlanks) {
  EXPECT_THAT(wrap("one two  three four", 10), ElementsAre("one two", "three four"));
  EXPECT_THAT(wrap("a  b", 10), ElementsAre("a  b"));
  EXPECT_THAT(wrap("", 10), ElementsAre(""));
  EXPECT_THAT(wrap("a ", 1), ElementsAre("a"));
  EXPECT_THAT(wrap("\u6A21\u6A21 \u6A21", 5), ElementsAre("\u6A21\u6A21", "\u6A21"));
}

TEST(Wrap, KeepsLongWordsWhole) {
  EXPECT_THAT(wrap("a abcdefghijkl b", 5), ElementsAre("a", "abcdefghijkl", "b"));
}

TEST(Wrap, StartsNoLineWithAWorkflowCommand) {
  EXPECT_THAT(wrap("see ::error::x", 5), ElementsAre("see", "<3A>:error::x"));
}

TEST(WithoutLeadingCommand, LooksBehindBlanks) {
  EXPECT_EQ(without_leading_command("::error::x"), "<3A>:error::x");
  EXPECT_EQ(without_leading_command("  ::error::x"), "  <3A>:error::x");
  EXPECT_EQ(without_leading_command("a::b"), "a::b");
  EXPECT_EQ(without_leading_command("  "), "  ");
}

TEST(SplitFirstSentence, EndsBeforeACapitalAQuoteOrAName) {
  const auto first = [](std::string_view text) { return split_first_sentence(text).first; };
  EXPECT_EQ(first("One. Two. Three."), "One.");
  EXPECT_EQ(first("One. vLLM does."), "One.");
  EXPECT_EQ(first("One. 'x' is."), "One.");
  EXPECT_EQ(first("About 0.28 of e.g. all. Yes."), "About 0.28 of e.g. all.");
  EXPECT_EQ(first("Only one"), "Only one");
  EXPECT_EQ(first("Only one. "), "Only one. ");
  EXPECT_EQ(split_first_sentence("One. Two. Three.").rest, "Two. Three.");
}

TEST(BeforeByNumber, ComparesRunsOfDigitsAsNumbers) {
  const std::vector<std::string> sorted = {"",       "conc",    "conc-8", "conc8",
                                           "conc16", "conc16a", "conc64", "conc100",
                                           "1",      "01x2",    "1x10",   "10"};
  std::vector<std::string> names(sorted.rbegin(), sorted.rend());
  std::ranges::sort(names, before_by_number);
  EXPECT_EQ(names, sorted);
  EXPECT_TRUE(before_by_number("a01", "a1"));
  EXPECT_FALSE(before_by_number("a1", "a01"));
  EXPECT_FALSE(before_by_number("a1", "a1"));
}

}  // namespace
}  // namespace recipelint::report
