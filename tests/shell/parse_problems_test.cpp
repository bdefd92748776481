// Scripts that bash rejects, and input meant to hurt: what can be read is read, and nothing
// crashes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/shell/parse.h"
#include "tests/support/script_printer.h"

namespace recipelint::shell {
namespace {

using recipelint::testing::print_statements;
using recipelint::testing::WordStyle;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

struct BrokenScript {
  std::string_view name;
  std::string_view text;
  /// What remains, with line breaks as "; "; "unparsed" stands for what does not.
  std::string_view remains;
  std::size_t problems = 1;
};

void PrintTo(const BrokenScript& script, std::ostream* out) {
  *out << script.text;
}

std::string printed(const StatementList& statements) {
  std::string text = print_statements(statements, WordStyle::kFromParts);
  std::string result;
  for (const char c : text) result += c == '\n' ? std::string("; ") : std::string(1, c);
  return result.substr(0, result.size() - std::min<std::size_t>(result.size(), 2));
}

class BrokenScripts : public ::testing::TestWithParam<BrokenScript> {};

TEST_P(BrokenScripts, KeepWhatCanBeRead) {
  const text::SourceFile file("run.sh", std::string(GetParam().text));
  const auto script = parse_script(file);
  EXPECT_EQ(printed(script->body), GetParam().remains);
  EXPECT_THAT(script->problems, SizeIs(GetParam().problems));
}

const std::vector<BrokenScript> kBrokenScripts{
    {"MissingFi", "a\nf() {\n if x; then\n  b\n}\ng() { c; }\nd",
     "a; function f () {; unparsed; x; b; }; function g () {; c; }; d"},
    {"MissingBrace", "a\nf() {\n b\n\ng() { c; }\nd",
     "a; function f () unparsed; b; function g () "
     "{; c; }; d"},
    {"MissingDone", "f() {\n while a; do\n  b\n}\nc", "function f () {; unparsed; a; b; }; c"},
    {"MissingEsac", "case x in\n a) b;;\n c) d;;\ne", "unparsed; b; d; unparsed", 2},
    {"StrayFi", "f() {\n a\n fi\n b\n}\nc", "function f () {; a; unparsed; b; }; c"},
    {"StrayBrace", "a\n}\nb", "a; unparsed; b"},
    {"StrayParenthesis", "a\n)\nb", "a; unparsed; b"},
    {"StrayTerminator", "a ;;\nb", "a; unparsed; b"},
    {"MissingThen", "a\nif b; thn c; fi\nd", "a; unparsed; d"},
    {"MissingOperand", "f() {\n a\n b | ; c\n d\n}\ne", "function f () {; a; unparsed; c; d; }; e"},
    {"TwoOperators", "a\nb && || c\nd", "a; unparsed; d"},
    {"OperatorAtEnd", "a\nb &&\n", "a; unparsed"},
    {"EmptyThen", "if a; then fi\nb", "if; a; then; unparsed; fi; b"},
    {"EmptyGroup", "{ }\na", "{; unparsed; }; a"},
    {"TwoSeparators", "a; ; b\nc", "a; unparsed; b; c"},
    {"ParenthesisAfterWord", "a (b)\nc", "a; unparsed; c"},
    {"FunctionWithoutBody", "f() a\nb", "function f () unparsed; a; b"},
    {"ForWithoutDo", "for x in a; b; done\nc", "unparsed; b; unparsed; c", 2},
    {"CaseWithoutIn", "case x; a\nb", "unparsed; b"},
    {"UnclosedQuote", "a\nb 'c\nd\ne", "a; unparsed; d; e"},
    {"UnclosedQuoteInAContinuedCommand", "a \\\n --b \"c \\\n --d\ne", "unparsed; e"},
    {"UnclosedSubstitution", "f() {\n a $(b\n c\n}\nd", "function f () {; unparsed; c; }; d"},
    {"UnclosedExpansion", "a ${b\nc", "unparsed; c"},
    {"UnknownExpansion", "a ${b c}\nd", "unparsed; d"},
    {"UnclosedArray", "a=(b\nc", "unparsed; c"},
    {"OperatorInArray", "a=(b & c)\nd", "unparsed; d"},
    {"UnclosedConditional", "if [[ a\nthen b; fi\nc", "if; unparsed; then; b; fi; c"},
    {"ConditionalWithoutOperand", "[[ a == ]]\nb", "unparsed; b"},
    {"RedirectionWithoutTarget", "a >\nb", "unparsed; b"},
};

INSTANTIATE_TEST_SUITE_P(Scripts, BrokenScripts, ::testing::ValuesIn(kBrokenScripts),
                         [](const auto& script) { return std::string(script.param.name); });

TEST(ParseProblems, PointToThePlace) {
  const text::SourceFile file("run.sh", "a\nb 'c\nd\n");
  const auto script = parse_script(file);
  ASSERT_THAT(script->problems, SizeIs(1));
  EXPECT_EQ(script->problems[0].span.bytes(), "'c");
  EXPECT_EQ(script->problems[0].message, "single quote is not closed");
}

TEST(ParseProblems, UnclosedHereDocumentTakesTheRestAndIsReported) {
  const text::SourceFile file("run.sh", "cat <<EOF\na\nb\n");
  const auto script = parse_script(file);
  ASSERT_THAT(script->body, SizeIs(1));
  EXPECT_EQ(script->body[0].redirections.at(0).target.span.bytes(), "a\nb\n");
  ASSERT_THAT(script->problems, SizeIs(1));
  EXPECT_EQ(script->problems[0].message, "the here-document is not closed: no line \"EOF\"");
}

TEST(ParseProblems, OnlyTheFirstHundredAreListed) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "fi\n";
  const text::SourceFile file("run.sh", std::move(text));
  const auto script = parse_script(file);
  ASSERT_THAT(script->problems, SizeIs(101));
  EXPECT_EQ(script->problems.back().message, "900 more places cannot be read");
}

// ---------------------------------------------------------------------------- hostile input

std::string repeated(std::string_view text, std::size_t count) {
  std::string result;
  result.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

class HostileInput : public ::testing::TestWithParam<std::string_view> {};

TEST_P(HostileInput, NestedDeeplyIsNotFollowed) {
  const text::SourceFile file("run.sh", repeated(GetParam(), 10'001));
  const auto script = parse_script(file);
  EXPECT_THAT(script->problems, Not(IsEmpty()));
  ASSERT_THAT(script->body, Not(IsEmpty()));
}

INSTANTIATE_TEST_SUITE_P(Openings, HostileInput,
                         ::testing::Values("(", "( ", "{ ", "$(", "$( ", "\"$(", "$((", "((",
                                           "${a:-", "\"${a:-", "`", "`\\`", "a=(", "${a[", "${#a[",
                                           "[[ (", "[[ ! ", "! ", "time ! ", "f() ", "f() { ",
                                           "if ", "if a; then ", "while ", "for x in a; do ",
                                           "case a in b) ", "case a in ", "<(", "@(", "$[",
                                           "a && (", "coproc ", "function f ", "[[ a =~ (", "\"",
                                           "'", "$'", "<<E ", "if a; then b; elif c; then (", "> ",
                                           "&& ", "fi ", "} ", ") ", ";; ", "; ", "& ", "| "));

TEST(HostileInput, DepthIsLimitedButGenerous) {
  const auto nested = [](std::size_t depth) {
    const text::SourceFile file("run.sh", repeated("$(a ", depth) + repeated(")", depth) + "\nb\n");
    const auto script = parse_script(file);
    return std::pair(script->problems.size(), script->body.size());
  };
  EXPECT_EQ(nested(90), std::pair(std::size_t{0}, std::size_t{2}));
  EXPECT_EQ(nested(1000), std::pair(std::size_t{1}, std::size_t{2}));
}

TEST(HostileInput, LongChainsAreUnparsed) {
  for (const std::string_view link : {"a && ", "a | ", "a |& "}) {
    SCOPED_TRACE(link);
    const text::SourceFile file("run.sh", repeated(link, 5000) + "a\nb\n");
    const auto script = parse_script(file);
    ASSERT_THAT(script->body, SizeIs(2));
    EXPECT_TRUE(std::holds_alternative<Unparsed>(script->body[0].command));
    EXPECT_TRUE(std::holds_alternative<SimpleCommand>(script->body[1].command));
  }
  const text::SourceFile file("run.sh", "[[ " + repeated("a && ", 5000) + "a ]]\nb\n");
  EXPECT_THAT(parse_script(file)->problems, SizeIs(1));
}

TEST(HostileInput, UnclosedConstructsOnManyLinesCostLittle) {
  for (const std::string_view line : {"a \"b\n", "a $(b\n", "a ${b\n", "((a\n", "a $((b\n", "a[\n",
                                      "a=(\n", "cat <<E\n", "`a\n", "[[ a\n"}) {
    SCOPED_TRACE(line);
    const text::SourceFile file("run.sh", repeated(line, 5'001));
    const auto script = parse_script(file);
    EXPECT_THAT(script->problems, Not(IsEmpty()));
  }
}

TEST(HostileInput, AnyBytesAreRead) {
  std::string bytes;
  for (int round = 0; round < 40; ++round) {
    for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>((byte * 7 + round) % 256);
  }
  const text::SourceFile file("run.sh", bytes);
  EXPECT_THAT(parse_script(file)->body, Not(IsEmpty()));
  const text::SourceFile nul("run.sh", std::string("a \0 b\n'\0'\n", 10));
  EXPECT_THAT(parse_script(nul)->body, SizeIs(2));
  const text::SourceFile invalid("run.sh", "a \xff\xfe \"\xc3\"\n");
  EXPECT_THAT(parse_script(invalid)->problems, IsEmpty());
}

TEST(HostileInput, EveryPrefixOfAScriptIsRead) {
  const std::string text =
      "f() {\n  local a=$(b \"c ${d:-e}\" `g`) x=(1 \"2\")\n  if [[ $a =~ (h|i) && -n j ]]; then\n"
      "    cat <<-E >k 2>&1 | l &\n\tm $((n + 1))\n\tE\n  elif (( o )); then p; fi\n}\n"
      "case q in r|s) t ;; *) for ((u=0;u<1;u++)); do v; done;; esac\n"
      "while read w; do { x; } && (y) || ! z; done < <(aa $'b\\n')\n";
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const text::SourceFile file("run.sh", text.substr(0, size));
    const auto script = parse_script(file);
    for (const SyntaxProblem& problem : script->problems) {
      ASSERT_LE(problem.span.begin, problem.span.end);
      ASSERT_LE(problem.span.end, size);
    }
  }
}

TEST(HostileInput, MegabytesOfOrdinaryCommandsAreRead) {
  const text::SourceFile file("run.sh", repeated("x=1; echo \"$x\" | cat\n", 20'000));
  const auto script = parse_script(file);
  EXPECT_THAT(script->body, SizeIs(40'000));
  EXPECT_THAT(script->problems, IsEmpty());
}

}  // namespace
}  // namespace recipelint::shell
