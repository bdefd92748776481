#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/shell/parse.h"
#include "tests/support/script_printer.h"

namespace recipelint::shell {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Form = ParameterExpansion::Form;
using Operator = ParameterOperator;
using Subscript = ParameterExpansion::Subscript;

/// A command that has been parsed, with the file that its spans point into.
class ParsedCommand {
 public:
  explicit ParsedCommand(std::string text) : file_("run.sh", std::move(text)) {
    script_ = parse_script(file_);
    EXPECT_THAT(script_->problems, IsEmpty()) << file_.bytes();
  }

  const Statement& statement(std::size_t index = 0) const { return script_->body.at(index); }
  const SimpleCommand& command() const {
    return std::get<SimpleCommand>(script_->body.at(0).command);
  }
  const Word& word(std::size_t index) const { return std::get<Word>(command().words.at(index)); }
  const Assignment& assignment(std::size_t index) const { return command().assignments.at(index); }

 private:
  text::SourceFile file_;
  std::shared_ptr<const Script> script_;
};

/// The only part of the second word of a command.
template <typename Content>
const Content& only_part(const ParsedCommand& parsed) {
  EXPECT_THAT(parsed.word(1).parts, SizeIs(1));
  return std::get<Content>(parsed.word(1).parts.at(0).content);
}

/// (text, quoted) of the literals of a word; expansions show as their bytes.
std::vector<std::pair<std::string, bool>> parts_of(const Word& word) {
  std::vector<std::pair<std::string, bool>> result;
  for (const WordPart& part : word.parts) {
    const auto* literal = std::get_if<Literal>(&part.content);
    result.emplace_back(literal != nullptr ? literal->text : std::string(part.span.bytes()),
                        part.quoted);
  }
  return result;
}

std::string plain(const std::unique_ptr<Word>& word) {
  return word == nullptr
             ? "(null)"
             : recipelint::testing::print_word(*word, recipelint::testing::WordStyle::kFromParts);
}

TEST(ParseWords, KeepsQuotingPerPart) {
  const ParsedCommand parsed(R"(x a'b c'"d $e"\ f)");
  EXPECT_THAT(parts_of(parsed.word(1)),
              ElementsAre(std::pair("a", false), std::pair("b c", true), std::pair("d ", true),
                          std::pair("$e", true), std::pair(" ", true), std::pair("f", false)));
}

TEST(ParseWords, KeepsEmptyQuotedWords) {
  const ParsedCommand parsed(R"(x "" '' $'')");
  for (const std::size_t i : {1u, 2u, 3u}) {
    EXPECT_THAT(parts_of(parsed.word(i)), ElementsAre(std::pair("", true)));
  }
}

TEST(ParseWords, QuotedExpansionAloneHasNoEmptyLiteral) {
  const ParsedCommand parsed(R"(x "$a")");
  EXPECT_THAT(parts_of(parsed.word(1)), ElementsAre(std::pair("$a", true)));
}

TEST(ParseWords, SpanOfAStringLiesBetweenItsQuotes) {
  const ParsedCommand parsed(R"(x '{"k": 1}'"tail")");
  ASSERT_THAT(parsed.word(1).parts, SizeIs(2));
  EXPECT_EQ(parsed.word(1).parts[0].span.bytes(), R"({"k": 1})");
  EXPECT_EQ(parsed.word(1).parts[1].span.bytes(), "tail");
  EXPECT_EQ(parsed.word(1).span.bytes(), R"('{"k": 1}'"tail")");
}

TEST(ParseWords, JoinsWhatALineContinuationSplits) {
  const ParsedCommand parsed("x ab\\\ncd\\\n  e");
  EXPECT_THAT(parts_of(parsed.word(1)), ElementsAre(std::pair("abcd", false)));
  EXPECT_THAT(parts_of(parsed.word(2)), ElementsAre(std::pair("e", false)));
}

TEST(ParseWords, DropsABackslashAtTheEndOfTheFile) {
  const ParsedCommand parsed("x a \\");
  EXPECT_THAT(parts_of(parsed.word(1)), ElementsAre(std::pair("a", false)));
}

struct ParameterCase {
  std::string_view text;
  Form form;
  std::string_view name;
  Subscript subscript;
  Operator op;
  std::string_view operand = "(null)";
  std::string_view second = "(null)";
};

TEST(ParseWords, ReadsEveryFormOfParameter) {
  const ParameterCase cases[] = {
      {"$a", Form::kValue, "a", Subscript::kNone, Operator::kNone},
      {"$1", Form::kValue, "1", Subscript::kNone, Operator::kNone},
      {"${10}", Form::kValue, "10", Subscript::kNone, Operator::kNone},
      {"$#", Form::kValue, "#", Subscript::kNone, Operator::kNone},
      {"${#}", Form::kValue, "#", Subscript::kNone, Operator::kNone},
      {"${#:-1}", Form::kValue, "#", Subscript::kNone, Operator::kDefault, "1"},
      {"${#a}", Form::kLength, "a", Subscript::kNone, Operator::kNone},
      {"${#a[@]}", Form::kLength, "a", Subscript::kAt, Operator::kNone},
      {"${a[*]}", Form::kValue, "a", Subscript::kStar, Operator::kNone},
      {"${a[@]:1:2}", Form::kValue, "a", Subscript::kAt, Operator::kSubstring, "'1'", "'2'"},
      {"${a:-1}", Form::kValue, "a", Subscript::kNone, Operator::kDefault, "1"},
      {"${a=b}", Form::kValue, "a", Subscript::kNone, Operator::kAssignDefault, "b"},
      {"${a:?}", Form::kValue, "a", Subscript::kNone, Operator::kErrorIfUnset, ""},
      {"${a:+'b c' d}", Form::kValue, "a", Subscript::kNone, Operator::kAlternative, "'b c' d"},
      {"${a##*/}", Form::kValue, "a", Subscript::kNone, Operator::kRemoveLongestPrefix, "*/"},
      {"${a%.sh}", Form::kValue, "a", Subscript::kNone, Operator::kRemoveShortestSuffix, ".sh"},
      {"${a/b/c}", Form::kValue, "a", Subscript::kNone, Operator::kReplaceFirst, "b", "c"},
      {"${a//b}", Form::kValue, "a", Subscript::kNone, Operator::kReplaceAll, "b"},
      {"${a////-}", Form::kValue, "a", Subscript::kNone, Operator::kReplaceAll, "/", "-"},
      {"${a/#/p}", Form::kValue, "a", Subscript::kNone, Operator::kReplacePrefix, "", "p"},
      {"${a^^}", Form::kValue, "a", Subscript::kNone, Operator::kUpperAll, ""},
      {"${a@Q}", Form::kValue, "a", Subscript::kNone, Operator::kTransform, "Q"},
      {"${a:b?1:2:3}", Form::kValue, "a", Subscript::kNone, Operator::kSubstring, "'b?1:2'", "'3'"},
      {"${!a}", Form::kIndirect, "a", Subscript::kNone, Operator::kNone},
      {"${!#}", Form::kIndirect, "#", Subscript::kNone, Operator::kNone},
      {"${!a[@]}", Form::kKeys, "a", Subscript::kAt, Operator::kNone},
      {"${!a*}", Form::kNames, "a", Subscript::kNone, Operator::kNone, "*"},
      {"$!", Form::kValue, "!", Subscript::kNone, Operator::kNone},
  };
  for (const ParameterCase& expected : cases) {
    SCOPED_TRACE(expected.text);
    const ParsedCommand parsed("x " + std::string(expected.text));
    const auto& parameter = only_part<ParameterExpansion>(parsed);
    EXPECT_EQ(parameter.form, expected.form);
    EXPECT_EQ(parameter.name, expected.name);
    EXPECT_EQ(parameter.subscript, expected.subscript);
    EXPECT_EQ(parameter.op, expected.op);
    EXPECT_EQ(plain(parameter.operand), expected.operand);
    EXPECT_EQ(plain(parameter.second_operand), expected.second);
  }
}

TEST(ParseWords, ColonMakesEmptyCountAsUnset) {
  const ParsedCommand with_colon("x ${a:-b}");
  const ParsedCommand without_colon("x ${a-b}");
  EXPECT_TRUE(only_part<ParameterExpansion>(with_colon).empty_counts_as_unset);
  EXPECT_FALSE(only_part<ParameterExpansion>(without_colon).empty_counts_as_unset);
}

TEST(ParseWords, DefaultKeepsTheQuotingOfItsParts) {
  const ParsedCommand unquoted("x ${a:+\"b c\" d}");
  EXPECT_THAT(parts_of(*only_part<ParameterExpansion>(unquoted).operand),
              ElementsAre(std::pair("b c", true), std::pair(" d", false)));
  const ParsedCommand quoted(R"(x "${a:-{\"k\":1}}")");
  ASSERT_THAT(quoted.word(1).parts, SizeIs(2));
  const auto& parameter = std::get<ParameterExpansion>(quoted.word(1).parts[0].content);
  EXPECT_THAT(parts_of(*parameter.operand), ElementsAre(std::pair(R"({"k":1)", true)));
  EXPECT_THAT(parts_of(quoted.word(1))[1], std::pair(std::string("}"), true));
}

TEST(ParseWords, PatternInQuotesIsStillAPattern) {
  const ParsedCommand parsed(R"(x "${a%"$b"*}")");
  EXPECT_THAT(parts_of(*only_part<ParameterExpansion>(parsed).operand),
              ElementsAre(std::pair("$b", true), std::pair("*", false)));
}

TEST(ParseWords, SubscriptIsAWord) {
  const ParsedCommand parsed(R"(x ${a[$i + 1]})");
  EXPECT_THAT(parts_of(*only_part<ParameterExpansion>(parsed).index),
              ElementsAre(std::pair("$i", false), std::pair(" + 1", false)));
}

TEST(ParseWords, ArithmeticIsKeptAsText) {
  const ParsedCommand parsed("x $(( ${n:-4} * (2 + m) ))");
  const auto& arithmetic = only_part<ArithmeticExpansion>(parsed);
  EXPECT_THAT(parts_of(*arithmetic.expression),
              ElementsAre(std::pair(" ", true), std::pair("${n:-4}", true),
                          std::pair(" * (2 + m) ", true)));
}

TEST(ParseWords, ArithmeticInADefaultIsNoCommand) {
  const ParsedCommand parsed("x ${a:-$(( b > 8 ? 1 : 2 ))}");
  const Word& operand = *only_part<ParameterExpansion>(parsed).operand;
  ASSERT_THAT(operand.parts, SizeIs(1));
  EXPECT_TRUE(std::holds_alternative<ArithmeticExpansion>(operand.parts[0].content));
}

TEST(ParseWords, CommandsInSubstitutionsPointIntoTheFile) {
  const ParsedCommand parsed("x \"$(head -n 1 $(which  vllm))\"");
  const auto& substitution = only_part<CommandSubstitution>(parsed);
  EXPECT_EQ(substitution.body_span.bytes(), "head -n 1 $(which  vllm)");
  ASSERT_THAT(*substitution.body, SizeIs(1));
  const auto& command = std::get<SimpleCommand>(substitution.body->at(0).command);
  const auto& inner =
      std::get<CommandSubstitution>(std::get<Word>(command.words.at(3)).parts.at(0).content);
  EXPECT_EQ(inner.body->at(0).span.bytes(), "which  vllm");
}

TEST(ParseWords, BackquotesLoseTheirBackslashesButKeepTheirPlaces) {
  const ParsedCommand parsed(R"(x `a \`b \$c\` \\d`)");
  const auto& body = *only_part<CommandSubstitution>(parsed).body;
  const auto& outer = std::get<SimpleCommand>(body.at(0).command);
  const Word& nested = std::get<Word>(outer.words.at(1));
  const auto& inner = *std::get<CommandSubstitution>(nested.parts.at(0).content).body;
  const Word& variable = std::get<Word>(std::get<SimpleCommand>(inner.at(0).command).words.at(1));
  EXPECT_EQ(std::get<ParameterExpansion>(variable.parts.at(0).content).name, "c");
  EXPECT_EQ(variable.span.bytes(), "$c");
  EXPECT_THAT(parts_of(std::get<Word>(outer.words.at(2))), ElementsAre(std::pair("d", true)));
}

TEST(ParseWords, BrokenCommandInBackquotesSpoilsOnlyItself) {
  const text::SourceFile file("run.sh", "x `a \"b` c\nd\n");
  const auto script = parse_script(file);
  ASSERT_THAT(script->body, SizeIs(2));
  const auto& command = std::get<SimpleCommand>(script->body[0].command);
  ASSERT_THAT(command.words, SizeIs(3));
  const Word& word = std::get<Word>(command.words[1]);
  EXPECT_EQ(std::get<CommandSubstitution>(word.parts.at(0).content).body, nullptr);
  EXPECT_THAT(script->problems, SizeIs(1));
}

TEST(ParseWords, ProcessSubstitutionKnowsItsDirection) {
  const ParsedCommand parsed("x <(a) >(b) c<(d)");
  const auto direction = [&](std::size_t word, std::size_t part) {
    const auto& content = parsed.word(word).parts.at(part).content;
    return std::get<ProcessSubstitution>(content).reads_from_command;
  };
  EXPECT_TRUE(direction(1, 0));
  EXPECT_FALSE(direction(2, 0));
  EXPECT_TRUE(direction(3, 1));
}

// ------------------------------------------------------------------------------- assignments

TEST(ParseAssignments, KnowsScalarsAppendsAndSubscripts) {
  const ParsedCommand parsed("a= b+=x c[1 + 2]=y d[k]+=z");
  ASSERT_THAT(parsed.command().assignments, SizeIs(4));
  EXPECT_THAT(std::get<Word>(parsed.assignment(0).value).parts, IsEmpty());
  EXPECT_TRUE(parsed.assignment(1).appends);
  EXPECT_EQ(plain(parsed.assignment(2).subscript), "1 + 2");
  EXPECT_FALSE(parsed.assignment(2).appends);
  EXPECT_TRUE(parsed.assignment(3).appends);
  EXPECT_EQ(parsed.assignment(3).span.bytes(), "d[k]+=z");
  EXPECT_THAT(parsed.command().words, IsEmpty());
}

TEST(ParseAssignments, ReadsArraysWithCommentsAndKeys) {
  const ParsedCommand parsed("a+=(\n  --x \"$y\"  # why ) not\n  [3]=z [k]+=w\n)");
  const Assignment& assignment = parsed.assignment(0);
  EXPECT_TRUE(assignment.appends);
  const auto& elements = std::get<std::vector<ArrayElement>>(assignment.value);
  ASSERT_THAT(elements, SizeIs(4));
  EXPECT_EQ(elements[1].value.span.bytes(), "\"$y\"");
  EXPECT_EQ(plain(elements[2].subscript), "3");
  EXPECT_EQ(plain(elements[3].subscript), "k");
  EXPECT_TRUE(elements[3].appends);
}

TEST(ParseAssignments, ArgumentsOfDeclarationsAreAssignments) {
  for (const std::string_view declaration : {"export", "local", "declare -A", "readonly", "typeset",
                                             "command export", "builtin declare"}) {
    SCOPED_TRACE(declaration);
    const ParsedCommand parsed(std::string(declaration) + " A=(1 2) B=$c D");
    const auto& words = parsed.command().words;
    const std::size_t count = words.size();
    EXPECT_TRUE(std::holds_alternative<Assignment>(words.at(count - 3)));
    EXPECT_TRUE(std::holds_alternative<Assignment>(words.at(count - 2)));
    EXPECT_TRUE(std::holds_alternative<Word>(words.at(count - 1)));
  }
}

TEST(ParseAssignments, ArgumentsOfOtherCommandsAreWords) {
  for (const std::string_view command : {"env", "test", "[", "echo export", "unset"}) {
    SCOPED_TRACE(command);
    const ParsedCommand parsed(std::string(command) + " A=b");
    EXPECT_TRUE(std::holds_alternative<Word>(parsed.command().words.back()));
  }
}

TEST(ParseAssignments, PrefixesOfACommandAreKeptApart) {
  const ParsedCommand parsed("A=1 B=2 cmd C=3");
  EXPECT_THAT(parsed.command().assignments, SizeIs(2));
  EXPECT_THAT(parsed.command().words, SizeIs(2));
}

}  // namespace
}  // namespace recipelint::shell
