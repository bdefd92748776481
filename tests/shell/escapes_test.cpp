#include "analyzer/shell/escapes.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/shell_oracle.h"

namespace recipelint::shell {
namespace {

TEST(Escapes, StylesDifferWhereBashDoes) {
  const auto expand = [](std::string_view text, EscapeStyle style) {
    return expand_escapes(text, style).text;
  };
  EXPECT_EQ(expand("a\\tb\\n", EscapeStyle::kEcho), "a\tb\n");
  EXPECT_EQ(expand("\\101|\\0101", EscapeStyle::kEcho), "\\101|A");
  EXPECT_EQ(expand("\\101|\\0101", EscapeStyle::kPrintfFormat), "A|\b1");
  EXPECT_EQ(expand("\\101|\\0101", EscapeStyle::kPrintfB), "A|A");
  EXPECT_EQ(expand("\\x{41}\\cA", EscapeStyle::kAnsiC), "A\x01");
  EXPECT_EQ(expand("\\u00e9", EscapeStyle::kEcho), "\u00E9");
  EXPECT_EQ(expand("ab\\0cd", EscapeStyle::kAnsiC), "ab");
}

TEST(Escapes, BackslashCStopsOutput) {
  for (const EscapeStyle style : {EscapeStyle::kEcho, EscapeStyle::kPrintfB}) {
    const UnescapedText result = expand_escapes("ab\\ccd", style);
    EXPECT_EQ(result.text, "ab");
    EXPECT_TRUE(result.stopped);
  }
  EXPECT_EQ(expand_escapes("ab\\ccd", EscapeStyle::kPrintfFormat).text, "ab\\ccd");
}

std::vector<std::string> random_texts(unsigned seed, int count, std::vector<std::string> tokens) {
  std::mt19937 random(seed);
  std::vector<std::string> texts;
  for (int i = 0; i < count; ++i) {
    std::string& text = texts.emplace_back();
    for (auto n = random() % 8; n > 0; --n) text += tokens[random() % tokens.size()];
  }
  return texts;
}

/// What one command writes per text; "$t" is the text. The end of each is a character that the
/// command does not write.
std::vector<std::string> ask_bash(const std::vector<std::string>& texts, const std::string& command,
                                  char end_mark) {
  std::string script;
  for (const std::string& text : texts) {
    script += "t=" + testing::shell_word(text) + "\n" + command + "\n";
    script += end_mark == '\0' ? "printf '\\0'\n" : "printf '\\6'\n";
  }
  const std::string output = testing::run_bash(script).output;
  std::vector<std::string> results;
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t end = output.find(end_mark, at);
    results.push_back(output.substr(at, end - at));
    at = end + 1;
  }
  return results;
}

TEST(Escapes, AgreeWithBashOnRandomTexts) {
  const std::vector<std::string> texts =
      random_texts(3, 1500, {"\\",   "\\\\", "n",   "t",   "\\x",      "4",  "1",    "\\1", "\\0",
                             "\\07", "e",    "\\e", "\\u", "\\U1F600", "\"", "\\\"", "'",   "\\'",
                             "\\c",  "{",    "}",   "a",   "\\q",      "9",  "\\?"});
  const struct {
    EscapeStyle style;
    const char* command;
  } kStyles[] = {{EscapeStyle::kEcho, "echo -ne \"$t\""},
                 {EscapeStyle::kPrintfB, "printf %b \"$t\""},
                 {EscapeStyle::kPrintfFormat, "printf -- \"$t\""},
                 {EscapeStyle::kAnsiC, "printf %s \"${t@E}\""}};
  for (const auto& [style, command] : kStyles) {
    const std::vector<std::string> expected = ask_bash(texts, command, '\6');
    ASSERT_EQ(expected.size(), texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      EXPECT_EQ(expand_escapes(texts[i], style).text, expected[i])
          << texts[i] << " style " << static_cast<int>(style);
    }
  }
}

TEST(Quoting, AgreesWithBashOnRandomTexts) {
  std::vector<std::string> tokens{"\u00E9", "\xFF", "\xC3", "\u0085", "\U0001F600", "ab", "1.5"};
  for (char c = 1; c < 127; ++c) tokens.emplace_back(1, c);
  tokens.emplace_back("\x7F");
  std::vector<std::string> texts = random_texts(5, 3000, tokens);
  texts.emplace_back("");
  texts.emplace_back("'");
  for (const char* token : {"~", "#", "=", ":", "-", "%", "{\"n\":3}"}) texts.emplace_back(token);
  const std::vector<std::string> expected =
      ask_bash(texts, "printf '%q\\0%s' \"$t\" \"${t@Q}\"", '\0');
  ASSERT_EQ(expected.size(), 2 * texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(quote_with_backslashes(texts[i]), expected[2 * i]);
    EXPECT_EQ(quote_with_single_quotes(texts[i]), expected[2 * i + 1]);
  }
}

}  // namespace
}  // namespace recipelint::shell
