#include "analyzer/shell/brace_expansion.h"

#include <gmock/gmock.h>

#include <random>
#include <sstream>

#include "tests/support/shell_oracle.h"

namespace recipelint::shell {
namespace {

using ::testing::ElementsAre;

BracePiece active(std::string text, std::size_t part = 0) {
  return {std::move(text), false, part};
}
BracePiece opaque(std::string text, std::size_t part = 0) {
  return {std::move(text), true, part};
}

std::vector<std::string> expand(const BraceWord& word) {
  std::vector<std::string> texts;
  const std::vector<BraceWord> results = expand_braces(word).value();
  for (const BraceWord& result : results) {
    std::string& text = texts.emplace_back();
    for (const BracePiece& piece : result) text += piece.text;
  }
  return texts;
}

std::vector<std::string> expand(const char* text) {
  return expand(BraceWord{active(text)});
}

TEST(BraceExpansion, Lists) {
  EXPECT_THAT(expand("a{b,c}d"), ElementsAre("abd", "acd"));
  EXPECT_THAT(expand("{a,b}{1,2}"), ElementsAre("a1", "a2", "b1", "b2"));
  EXPECT_THAT(expand("a{b{c,d},e}"), ElementsAre("abc", "abd", "ae"));
  EXPECT_THAT(expand("--x{,=1}"), ElementsAre("--x", "--x=1"));
}

TEST(BraceExpansion, Ranges) {
  EXPECT_THAT(expand("{1..4}"), ElementsAre("1", "2", "3", "4"));
  EXPECT_THAT(expand("{3..1}"), ElementsAre("3", "2", "1"));
  EXPECT_THAT(expand("{1..10..4}"), ElementsAre("1", "5", "9"));
  EXPECT_THAT(expand("{10..1..-4}"), ElementsAre("10", "6", "2"));
  EXPECT_THAT(expand("{08..10}"), ElementsAre("08", "09", "10"));
  EXPECT_THAT(expand("{-01..1}"), ElementsAre("-01", "000", "001"));
  EXPECT_THAT(expand("{c..a}"), ElementsAre("c", "b", "a"));
  EXPECT_THAT(expand("{9223372036854775806..9223372036854775807}"),
              ElementsAre("9223372036854775806", "9223372036854775807"));
}

TEST(BraceExpansion, LeavesTheRestAlone) {
  for (const char* text : {"", "plain", "{a}", "{", "}", "{}", "{a,b", "{1..}", "{1..a}",
                           "{1.5..2}", "{\"model\":\"x\"}", "{1..2..x}"}) {
    EXPECT_THAT(expand(text), ElementsAre(text));
  }
  EXPECT_THAT(expand("{{a,b}"), ElementsAre("{a", "{b"));
}

TEST(BraceExpansion, QuotedPartsAndExpansionsAreNotLookedInto) {
  EXPECT_THAT(expand({active("{a,"), opaque("b},c"), active("}")}), ElementsAre("a", "b},c"));
  EXPECT_THAT(expand({active("{1.."), opaque("3"), active("}")}), ElementsAre("{1..3}"));
  EXPECT_THAT(expand({opaque("{"), active("a,b}")}), ElementsAre("{a,b}"));
}

TEST(BraceExpansion, PiecesKeepTheirPart) {
  const auto words = expand_braces(BraceWord{active("x{1..2}", 4), opaque("$v", 5)}).value();
  EXPECT_THAT(words, ElementsAre(BraceWord{active("x1", 4), opaque("$v", 5)},
                                 BraceWord{active("x2", 4), opaque("$v", 5)}));
}

TEST(BraceExpansion, StopsBeforeItGrowsTooLarge) {
  const auto fails = [](const std::string& text) {
    return !expand_braces(BraceWord{active(text)}).ok();
  };
  EXPECT_TRUE(fails("{1..100000000000}"));
  EXPECT_TRUE(fails("{-9223372036854775808..9223372036854775807}"));
  EXPECT_TRUE(fails("{1..999}{1..999}"));
  EXPECT_TRUE(fails(std::string(100'000, '{')));
  std::string nested = "a";
  for (int i = 0; i < 1000; ++i) nested = "{b," + nested + "}";
  EXPECT_TRUE(fails(nested));
  EXPECT_FALSE(fails("{1..100000}"));
}

TEST(BraceExpansion, AgreesWithBashOnRandomWords) {
  std::mt19937 random(11);
  const std::vector<std::string> tokens{"{", "}", ",", "..", "a", "b",   "1",    "3",    "0",
                                        "-", "{", "}", ",",  "c", "{a,", "{1..", "{2..5"};
  std::vector<std::string> cases;
  std::string script;
  for (int i = 0; i < 4000; ++i) {
    std::string word;
    for (auto n = 1 + random() % 12; n > 0; --n) word += tokens[random() % tokens.size()];
    cases.push_back(word);
    // An empty word vanishes, so each gets a frame; "." in front keeps "{" from being reserved.
    script += "printf '<%s>' ." + word + "; echo\n";
  }
  std::istringstream lines(testing::run_bash(script).output);
  for (const std::string& word : cases) {
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    std::string ours;
    for (const std::string& text : expand(("." + word).c_str())) ours += "<" + text + ">";
    EXPECT_EQ(ours, line) << word;
  }
}

}  // namespace
}  // namespace recipelint::shell
