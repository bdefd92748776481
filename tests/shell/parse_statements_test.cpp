#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/shell/parse.h"

namespace recipelint::shell {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Parsed {
 public:
  explicit Parsed(std::string text) : file_("run.sh", std::move(text)) {
    script_ = parse_script(file_);
    EXPECT_THAT(script_->problems, IsEmpty()) << file_.bytes();
  }

  const StatementList& body() const { return script_->body; }
  template <typename Command>
  const Command& as(std::size_t index = 0) const {
    return std::get<Command>(script_->body.at(index).command);
  }

 private:
  text::SourceFile file_;
  std::shared_ptr<const Script> script_;
};

std::string_view bytes(const Statement& statement) {
  return statement.span.bytes();
}

std::vector<std::string> bytes(const StatementList& statements) {
  std::vector<std::string> result;
  for (const Statement& each : statements) result.emplace_back(each.span.bytes());
  return result;
}

std::vector<std::string> words_of(const Statement& statement) {
  std::vector<std::string> result;
  for (const auto& each : std::get<SimpleCommand>(statement.command).words) {
    result.emplace_back(std::visit([](const auto& word) { return word.span.bytes(); }, each));
  }
  return result;
}

TEST(ParseStatements, KeepsTheWordsAfterARedirection) {
  const Parsed parsed("vllm serve m > log 2>&1 --port 8000\n");
  EXPECT_THAT(words_of(parsed.body()[0]), ElementsAre("vllm", "serve", "m", "--port", "8000"));
  EXPECT_THAT(parsed.body()[0].redirections, SizeIs(2));
}

TEST(ParseStatements, CommentAfterAContinuationEndsTheCommand) {
  const Parsed parsed("vllm serve m \\\n  --tp 8 \\\n# --dp 2 \\\n  --port 1\n");
  ASSERT_THAT(parsed.body(), SizeIs(2));
  EXPECT_THAT(words_of(parsed.body()[0]), ElementsAre("vllm", "serve", "m", "--tp", "8"));
  EXPECT_THAT(words_of(parsed.body()[1]), ElementsAre("--port", "1"));
}

TEST(ParseStatements, ListsNestToTheLeft) {
  const Parsed parsed("a && b || c");
  const auto& outer = parsed.as<AndOr>();
  EXPECT_FALSE(outer.is_and);
  EXPECT_EQ(bytes(*outer.left), "a && b");
  EXPECT_TRUE(std::get<AndOr>(outer.left->command).is_and);
  EXPECT_EQ(bytes(*outer.right), "c");
}

TEST(ParseStatements, PipesBindMoreTightlyThanLists) {
  const Parsed parsed("a && b | c |& d");
  const auto& pipeline = std::get<Pipeline>(parsed.as<AndOr>().right->command);
  EXPECT_THAT(bytes(pipeline.commands), ElementsAre("b", "c", "d"));
  EXPECT_THAT(pipeline.pipes_standard_error, ElementsAre(false, true));
}

TEST(ParseStatements, NegationAndTimeTakeTheWholePipeline) {
  const Parsed parsed("! a | b; time -p c | d; time ! e");
  EXPECT_TRUE(std::holds_alternative<Pipeline>(parsed.as<Negation>(0).command->command));
  EXPECT_TRUE(parsed.body()[1].timed);
  EXPECT_TRUE(std::holds_alternative<Pipeline>(parsed.body()[1].command));
  EXPECT_TRUE(parsed.body()[2].timed);
  EXPECT_EQ(bytes(*parsed.as<Negation>(2).command), "e");
}

TEST(ParseStatements, BackgroundBelongsToTheWholeList) {
  const Parsed parsed("a && b & c\nd &\n");
  ASSERT_THAT(parsed.body(), SizeIs(3));
  EXPECT_TRUE(parsed.body()[0].background);
  EXPECT_TRUE(std::holds_alternative<AndOr>(parsed.body()[0].command));
  EXPECT_FALSE(parsed.body()[1].background);
  EXPECT_TRUE(parsed.body()[2].background);
}

TEST(ParseStatements, IfHasItsBranches) {
  const Parsed parsed("if a; b; then c; elif d; then e; f; else g; fi >log");
  const auto& choice = parsed.as<If>();
  ASSERT_THAT(choice.branches, SizeIs(2));
  EXPECT_THAT(bytes(choice.branches[0].condition), ElementsAre("a", "b"));
  EXPECT_THAT(bytes(choice.branches[0].body), ElementsAre("c"));
  EXPECT_THAT(bytes(choice.branches[1].condition), ElementsAre("d"));
  EXPECT_THAT(bytes(choice.branches[1].body), ElementsAre("e", "f"));
  ASSERT_TRUE(choice.otherwise.has_value());
  EXPECT_THAT(bytes(*choice.otherwise), ElementsAre("g"));
  EXPECT_THAT(parsed.body()[0].redirections, SizeIs(1));
}

TEST(ParseStatements, LoopsHaveConditionAndBody) {
  const Parsed parsed("while a; do b; c; done\nuntil d; do e; done");
  EXPECT_FALSE(parsed.as<Loop>(0).until);
  EXPECT_THAT(bytes(parsed.as<Loop>(0).body), ElementsAre("b", "c"));
  EXPECT_TRUE(parsed.as<Loop>(1).until);
  EXPECT_THAT(bytes(parsed.as<Loop>(1).condition), ElementsAre("d"));
}

TEST(ParseStatements, ForKnowsWhetherItHasWords) {
  const Parsed parsed("for x in a \"$b\"; do c; done; for y; do d; done; for z in; do e; done");
  ASSERT_TRUE(parsed.as<For>(0).words.has_value());
  EXPECT_THAT(*parsed.as<For>(0).words, SizeIs(2));
  EXPECT_EQ(parsed.as<For>(0).variable_span.bytes(), "x");
  EXPECT_FALSE(parsed.as<For>(1).words.has_value());
  ASSERT_TRUE(parsed.as<For>(2).words.has_value());
  EXPECT_THAT(*parsed.as<For>(2).words, IsEmpty());
  EXPECT_THAT(bytes(parsed.as<For>(2).body), ElementsAre("e"));
}

TEST(ParseStatements, SelectIsAFor) {
  EXPECT_TRUE(Parsed("select x in a; do b; done").as<For>().is_select);
  EXPECT_FALSE(Parsed("for x in a; do b; done").as<For>().is_select);
}

TEST(ParseStatements, ArithmeticForLeavesOutWhatIsEmpty) {
  const Parsed parsed("for (( i = 1; i < n; )); do a; done");
  const auto& loop = parsed.as<ArithmeticFor>();
  ASSERT_NE(loop.initialize, nullptr);
  EXPECT_EQ(loop.initialize->span.bytes(), " i = 1");
  ASSERT_NE(loop.condition, nullptr);
  EXPECT_EQ(loop.step, nullptr);
  EXPECT_THAT(bytes(loop.body), ElementsAre("a"));
}

TEST(ParseStatements, CaseKeepsPatternsAndTerminators) {
  const Parsed parsed("case $x in a|'b c') d;; (e) f; g;& h*) i;;& *) ;; esac");
  const auto& choice = parsed.as<Case>();
  EXPECT_EQ(choice.subject.span.bytes(), "$x");
  ASSERT_THAT(choice.items, SizeIs(4));
  EXPECT_THAT(choice.items[0].patterns, SizeIs(2));
  EXPECT_EQ(choice.items[0].terminator, Case::Terminator::kBreak);
  EXPECT_EQ(choice.items[1].terminator, Case::Terminator::kFallThrough);
  EXPECT_THAT(bytes(choice.items[1].body), ElementsAre("f", "g"));
  EXPECT_EQ(choice.items[2].terminator, Case::Terminator::kContinueMatching);
  EXPECT_THAT(choice.items[3].body, IsEmpty());
}

TEST(ParseStatements, RegexOperandKeepsItsQuoting) {
  const Parsed parsed("[[ $x =~ (a|b)[[:space:]]+\"c d\" ]]");
  const auto& expression = parsed.as<Conditional>().expression;
  EXPECT_EQ(expression.op, "=~");
  ASSERT_THAT(expression.words, SizeIs(2));
  const auto& parts = expression.words[1].parts;
  ASSERT_THAT(parts, SizeIs(2));
  EXPECT_EQ(std::get<Literal>(parts[0].content).text, "(a|b)[[:space:]]+");
  EXPECT_FALSE(parts[0].quoted);
  EXPECT_EQ(std::get<Literal>(parts[1].content).text, "c d");
  EXPECT_TRUE(parts[1].quoted);
}

TEST(ParseStatements, ConditionalBindsAndMoreTightlyThanOr) {
  using Kind = Conditional::Expression::Kind;
  const Parsed parsed("[[ a == b && ! -f c || ( d -lt 3 ) ]]");
  const auto& expression = parsed.as<Conditional>().expression;
  ASSERT_EQ(expression.kind, Kind::kOr);
  ASSERT_EQ(expression.operands[0].kind, Kind::kAnd);
  EXPECT_EQ(expression.operands[0].operands[0].kind, Kind::kBinary);
  EXPECT_EQ(expression.operands[0].operands[1].kind, Kind::kNot);
  EXPECT_EQ(expression.operands[0].operands[1].operands[0].kind, Kind::kUnary);
  EXPECT_EQ(expression.operands[1].op, "-lt");
  EXPECT_EQ(expression.operands[1].span.bytes(), "( d -lt 3 )");
}

TEST(ParseStatements, OneArgumentTestThatLooksLikeAnOperator) {
  const Parsed parsed("[[ -f == -f ]]; [[ -f ]] || a");
  EXPECT_EQ(parsed.as<Conditional>(0).expression.op, "==");
}

TEST(ParseStatements, FunctionsShareTheirBody) {
  const Parsed parsed("f() { a; } >log\nfunction my-g { b; }\nh() (c)");
  const auto& first = parsed.as<FunctionDefinition>(0);
  EXPECT_EQ(first.name, "f");
  EXPECT_EQ(first.name_span.bytes(), "f");
  EXPECT_TRUE(std::holds_alternative<Group>(first.body->command));
  EXPECT_THAT(first.body->redirections, SizeIs(1));
  EXPECT_EQ(parsed.as<FunctionDefinition>(1).name, "my-g");
  EXPECT_TRUE(std::holds_alternative<Subshell>(parsed.as<FunctionDefinition>(2).body->command));
  EXPECT_EQ(bytes(parsed.body()[0]), "f() { a; } >log");
}

TEST(ParseStatements, CoprocessesHaveNames) {
  const Parsed parsed("coproc a b; coproc X { c; }");
  EXPECT_EQ(parsed.as<Coprocess>(0).name, "COPROC");
  EXPECT_THAT(words_of(*parsed.as<Coprocess>(0).command), ElementsAre("a", "b"));
  EXPECT_EQ(parsed.as<Coprocess>(1).name, "X");
}

// ------------------------------------------------------------------------------ redirections

TEST(ParseRedirections, KnowsEveryOperator) {
  using Kind = Redirection::Kind;
  const Parsed parsed(
      "a <b >c >|d >>e <>f &>g &>>h <&3 >&4 >&- >&file 2>&$x >&$x <<<i {fd}>j 12>k");
  const auto& redirections = parsed.body()[0].redirections;
  std::vector<Kind> kinds;
  for (const Redirection& each : redirections) kinds.push_back(each.kind);
  EXPECT_THAT(kinds, ElementsAre(Kind::kRead, Kind::kWrite, Kind::kWrite, Kind::kAppend,
                                 Kind::kReadWrite, Kind::kWriteBoth, Kind::kAppendBoth,
                                 Kind::kDuplicateIn, Kind::kDuplicateOut, Kind::kDuplicateOut,
                                 Kind::kWriteBoth, Kind::kDuplicateOut, Kind::kDuplicateOut,
                                 Kind::kHereString, Kind::kWrite, Kind::kWrite));
  EXPECT_EQ(redirections[11].descriptor, 2);
  EXPECT_EQ(redirections[14].descriptor_variable, "fd");
  EXPECT_EQ(redirections[15].descriptor, 12);
  EXPECT_EQ(redirections[15].span.bytes(), "12>k");
}

std::string text_of(const Redirection& redirection) {
  std::string text;
  for (const WordPart& part : redirection.target.parts) {
    const auto* literal = std::get_if<Literal>(&part.content);
    text += literal != nullptr ? literal->text : "{" + std::string(part.span.bytes()) + "}";
  }
  return text;
}

TEST(ParseRedirections, HereDocumentsExpandUnlessTheDelimiterIsQuoted) {
  const Parsed parsed("cat <<A - <<'B' <<\"C\" <<\\D; x\n$a \\$b \"c\"\nA\n$a\nB\n\nC\nd\nD\ny\n");
  ASSERT_THAT(parsed.body(), SizeIs(3));
  const auto& redirections = parsed.body()[0].redirections;
  ASSERT_THAT(redirections, SizeIs(4));
  EXPECT_EQ(text_of(redirections[0]), "{$a} $b \"c\"\n");
  EXPECT_EQ(text_of(redirections[1]), "$a\n");
  EXPECT_EQ(text_of(redirections[2]), "\n");
  EXPECT_EQ(text_of(redirections[3]), "d\n");
  EXPECT_TRUE(redirections[0].target.parts[0].quoted);
  EXPECT_THAT(words_of(parsed.body()[2]), ElementsAre("y"));
}

TEST(ParseRedirections, TabsAreStrippedButPlacesStay) {
  const Parsed parsed("cat <<-EOF\n\t\ta: $x\n\tb\n\tEOF\nc\n");
  const Redirection& redirection = parsed.body()[0].redirections[0];
  EXPECT_EQ(text_of(redirection), "a: {$x}\nb\n");
  EXPECT_EQ(redirection.target.parts[1].span.bytes(), "$x");
  EXPECT_THAT(words_of(parsed.body()[1]), ElementsAre("c"));
}

TEST(ParseRedirections, ArithmeticInAHereDocumentIsNoCommand) {
  const Parsed parsed("cat <<E\nn: $(( a > 1 ))\nE\n");
  const auto& parts = parsed.body()[0].redirections[0].target.parts;
  ASSERT_THAT(parts, SizeIs(3));
  EXPECT_TRUE(std::holds_alternative<ArithmeticExpansion>(parts[1].content));
}

TEST(ParseRedirections, BrokenExpansionInAHereDocumentMakesItUnknown) {
  const text::SourceFile file("run.sh", "cat <<E\n${a\nE\nb\n");
  const auto script = parse_script(file);
  ASSERT_THAT(script->body, SizeIs(2));
  const auto& parts = script->body[0].redirections[0].target.parts;
  ASSERT_THAT(parts, SizeIs(1));
  EXPECT_EQ(std::get<CommandSubstitution>(parts[0].content).body, nullptr);
  EXPECT_THAT(script->problems, SizeIs(1));
}

TEST(ParseRedirections, DelimiterBeforeTheClosingParenthesisEndsTheDocument) {
  const Parsed parsed("x=$(cat <<EOF\nhi\nEOF)\ny");
  ASSERT_THAT(parsed.body(), SizeIs(2));
}

}  // namespace
}  // namespace recipelint::shell
