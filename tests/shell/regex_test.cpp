#include "analyzer/shell/regex.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "tests/support/shell_oracle.h"

namespace recipelint::shell {
namespace {

using Outcome = RegexMatch::Outcome;

RegexMatch match(std::string_view text, std::string_view expression, PatternOptions options = {}) {
  const PatternPart part{expression, false};
  return match_regex(text, std::span(&part, 1), options);
}

/// The groups, each followed by "|", or the outcome.
std::string show(std::string_view text, const RegexMatch& match) {
  switch (match.outcome) {
    case Outcome::kNotMatched:
      return "no 1";
    case Outcome::kInvalid:
      return "no 2";
    case Outcome::kRefused:
      return "refused";
    case Outcome::kMatched:
      break;
  }
  std::string out;
  for (const TextRange& group : match.groups) {
    out.append(text.substr(group.begin, group.end - group.begin)).append("|");
  }
  return out;
}

TEST(Regex, GivesTheGroups) {
  const std::string_view text = "tp8_ep4";
  EXPECT_EQ(show(text, match(text, "tp([0-9]+)(_ep([0-9]+))?")), "tp8_ep4|8|_ep4|4|");
  EXPECT_EQ(show("tp8", match("tp8", "tp([0-9]+)(_ep([0-9]+))?")), "tp8|8|||");
  EXPECT_EQ(match(text, "^[0-9]+$").outcome, Outcome::kNotMatched);
  EXPECT_EQ(match(text, "(").outcome, Outcome::kInvalid);
  EXPECT_EQ(show("x\u00E9y", match("x\u00E9y", "x.y")), "x\u00E9y|");
}

TEST(Regex, QuotedPartsStandForThemselves) {
  const PatternPart parts[] = {{"a", false}, {".+", true}, {"b", false}};
  EXPECT_EQ(match_regex("a.+b", parts).outcome, Outcome::kMatched);
  EXPECT_EQ(match_regex("axxb", parts).outcome, Outcome::kNotMatched);
  // Within brackets quotes make no difference.
  const PatternPart bracket[] = {{"^[a", false}, {"]", true}, {"x]$", false}};
  EXPECT_EQ(match_regex("ax]", bracket).outcome, Outcome::kMatched);
}

TEST(Regex, IgnoresCaseOnRequest) {
  EXPECT_EQ(match("MTP", "^mtp$").outcome, Outcome::kNotMatched);
  EXPECT_EQ(match("MTP", "^mtp$", {false, true}).outcome, Outcome::kMatched);
}

TEST(Regex, RefusesWhatCouldBlowUp) {
  EXPECT_EQ(match("a", "(((a{1,100}){1,100}){1,100})").outcome, Outcome::kRefused);
  EXPECT_EQ(match("aa", "(a*)\\1").outcome, Outcome::kRefused);
  EXPECT_EQ(match("a", std::string(10'000, '(')).outcome, Outcome::kRefused);
  EXPECT_EQ(match(std::string(1'000'000, 'a'), "b").outcome, Outcome::kRefused);
  EXPECT_EQ(match("2024-06-07", "^[0-9]{4}-[0-9]{2}-[0-9]{2}$").outcome, Outcome::kMatched);
  EXPECT_EQ(match("{500}{500}", "^[{0-9}]+$").outcome, Outcome::kMatched);
}

TEST(Regex, AgreesWithBashOnRandomExpressions) {
  std::mt19937 random(23);
  const std::vector<std::string> tokens{"a",           "b",     "c",     ".", "*",    "+",
                                        "?",           "(",     ")",     "|", "[ab]", "[^a]",
                                        "[[:alpha:]]", "{2}",   "{1,2}", "^", "$",    "\\.",
                                        "\u00E9",      "(a|b)", "(b+)",  "-", "[",    "]"};
  const std::vector<std::string> letters{"a", "b", "c", ".", "-", "\u00E9", "]", " "};
  std::string script;
  std::vector<std::pair<std::string, std::string>> cases;
  for (int i = 0; i < 4000; ++i) {
    std::string expression;
    std::string text;
    for (auto n = random() % 7; n > 0; --n) expression += tokens[random() % tokens.size()];
    for (auto n = random() % 8; n > 0; --n) text += letters[random() % letters.size()];
    cases.emplace_back(expression, text);
    script +=
        "t=" + testing::shell_word(text) + " e=" + testing::shell_word(expression) +
        "\n[[ $t =~ $e ]]; s=$?\n"
        "if ((s == 0)); then printf '%s|' \"${BASH_REMATCH[@]}\"; echo; else echo no $s; fi\n";
  }
  std::istringstream lines(testing::run_bash(script).output);
  for (const auto& [expression, text] : cases) {
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_EQ(show(text, match(text, expression)), line) << expression << " on " << text;
  }
}

}  // namespace
}  // namespace recipelint::shell
