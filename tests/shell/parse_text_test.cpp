#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "analyzer/shell/parse.h"

namespace recipelint::shell {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(ParseScript, EmptyAndCommentOnlyScriptsHaveNoStatements) {
  for (const std::string text : {"", "\n", "# a", "#!/bin/bash\n\n  # b\n", "\\\n"}) {
    const text::SourceFile file("run.sh", text);
    const auto script = parse_script(file);
    EXPECT_THAT(script->body, IsEmpty());
    EXPECT_THAT(script->problems, IsEmpty());
  }
}

TEST(ParseScript, SpansCountAByteOrderMark) {
  const text::SourceFile file("run.sh",
                              "\xef\xbb\xbf"
                              "a b\n");
  const auto script = parse_script(file);
  ASSERT_THAT(script->body, SizeIs(1));
  EXPECT_EQ(script->body[0].span, file.span(3, 6));
}

TEST(ParseScript, CarriageReturnsBeforeLineBreaksDoNotCount) {
  const text::SourceFile file(
      "run.sh", "if a; then\r\n  b \\\r\n    --c\r\nfi\r\ncat <<E\r\n$d\r\nE\r\ne\r\n");
  const auto script = parse_script(file);
  EXPECT_THAT(script->problems, IsEmpty());
  ASSERT_THAT(script->body, SizeIs(3));
  const auto& branch = std::get<If>(script->body[0].command).branches.at(0);
  const auto& command = std::get<SimpleCommand>(branch.body.at(0).command);
  ASSERT_THAT(command.words, SizeIs(2));
  EXPECT_EQ(std::get<Word>(command.words[1]).span.bytes(), "--c");
  const auto& body = script->body[1].redirections.at(0).target.parts;
  ASSERT_THAT(body, SizeIs(2));
  EXPECT_EQ(body[0].span.bytes(), "$d");
  EXPECT_EQ(std::get<Literal>(body[1].content).text, "\n");
  EXPECT_EQ(script->body[2].span.bytes(), "e");
}

TEST(ParseScript, ACarriageReturnWithinALineIsAnOrdinaryByte) {
  const text::SourceFile file("run.sh", "a b\rc\n");
  const auto script = parse_script(file);
  const auto& command = std::get<SimpleCommand>(script->body.at(0).command);
  ASSERT_THAT(command.words, SizeIs(2));
  EXPECT_EQ(std::get<Word>(command.words[1]).span.bytes(), "b\rc");
}

TEST(ParseScript, ExtendedPatternsFollowTheirOption) {
  const text::SourceFile off("run.sh", "!(a)\n");
  EXPECT_TRUE(std::holds_alternative<Negation>(parse_script(off)->body.at(0).command));
  const text::SourceFile on("run.sh", "shopt -s extglob\n!(a) !(b|c)\n");
  const auto script = parse_script(on);
  ASSERT_THAT(script->body, SizeIs(2));
  EXPECT_THAT(std::get<SimpleCommand>(script->body[1].command).words, SizeIs(2));
}

TEST(ParseText, BlamesOnePlaceForEverything) {
  const text::SourceFile file("run.sh", "bash -c \"$COMMAND\"\n");
  const text::Span blame = file.span(8, 18);
  std::shared_ptr<const Script> script;
  {
    const std::string text = "a `b \\`c\\``; cat <<-E\n\t$(d)\n\tE\n";
    script = parse_text(text, blame);
  }
  ASSERT_THAT(script->body, SizeIs(2));
  EXPECT_EQ(script->body[0].span, blame);
  const auto& command = std::get<SimpleCommand>(script->body[0].command);
  const Word& word = std::get<Word>(command.words.at(1));
  EXPECT_EQ(word.span, blame);
  const auto& substitution = std::get<CommandSubstitution>(word.parts.at(0).content);
  EXPECT_EQ(substitution.body->at(0).span, blame);
  EXPECT_EQ(script->body[1].redirections.at(0).target.parts.at(0).span, blame);
}

TEST(ParseText, BlamesThePlaceForProblems) {
  const text::SourceFile file("run.sh", "eval \"$X\"\n");
  const auto script = parse_text("a\nb 'c\nd", file.span(5, 9));
  ASSERT_THAT(script->problems, SizeIs(1));
  EXPECT_EQ(script->problems[0].span, file.span(5, 9));
  EXPECT_THAT(script->body, SizeIs(3));
}

}  // namespace
}  // namespace recipelint::shell
