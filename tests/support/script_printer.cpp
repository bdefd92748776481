#include "tests/support/script_printer.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace recipelint::testing {

namespace {

using namespace shell;  // NOLINT(google-build-using-namespace): the printer names every type of it

/// A command or process substitution somewhere in a word.
struct Nested {
  text::Span span;
  std::string_view opening;
  const StatementList* body = nullptr;
};

/// "$((" would start an arithmetic expansion.
std::string_view opening_of(const StatementList& body) {
  return !body.empty() && body[0].span.bytes().substr(0, 1) == "(" ? "$( " : "$(";
}

void collect_nested(const Word& word, std::vector<Nested>& nested);

void collect_nested(const std::unique_ptr<Word>& word, std::vector<Nested>& nested) {
  if (word != nullptr) collect_nested(*word, nested);
}

struct NestedCollector {
  const WordPart& part;
  std::vector<Nested>& nested;

  void operator()(const Literal& /*literal*/) const {}
  void operator()(const ParameterExpansion& expansion) const {
    collect_nested(expansion.index, nested);
    collect_nested(expansion.operand, nested);
    collect_nested(expansion.second_operand, nested);
  }
  void operator()(const CommandSubstitution& substitution) const {
    // Backquotes stay as they are, since bash keeps their text, too.
    const bool parenthesized = part.span.bytes().substr(0, 2) == "$(";
    if (substitution.body != nullptr && parenthesized) {
      nested.push_back({part.span, opening_of(*substitution.body), substitution.body.get()});
    }
  }
  void operator()(const ArithmeticExpansion& arithmetic) const {
    collect_nested(arithmetic.expression, nested);
  }
  void operator()(const ProcessSubstitution& substitution) const {
    nested.push_back(
        {part.span, substitution.reads_from_command ? "<(" : ">(", substitution.body.get()});
  }
};

void collect_nested(const Word& word, std::vector<Nested>& nested) {
  for (const WordPart& part : word.parts) std::visit(NestedCollector{part, nested}, part.content);
}

std::string_view operator_text(const ParameterExpansion& expansion) {
  using Operator = ParameterOperator;
  const bool colon = expansion.empty_counts_as_unset;
  switch (expansion.op) {
    case Operator::kNone:
      return "";
    case Operator::kDefault:
      return colon ? ":-" : "-";
    case Operator::kAssignDefault:
      return colon ? ":=" : "=";
    case Operator::kErrorIfUnset:
      return colon ? ":?" : "?";
    case Operator::kAlternative:
      return colon ? ":+" : "+";
    case Operator::kRemoveShortestPrefix:
      return "#";
    case Operator::kRemoveLongestPrefix:
      return "##";
    case Operator::kRemoveShortestSuffix:
      return "%";
    case Operator::kRemoveLongestSuffix:
      return "%%";
    case Operator::kReplaceFirst:
      return "/";
    case Operator::kReplaceAll:
      return "//";
    case Operator::kReplacePrefix:
      return "/#";
    case Operator::kReplaceSuffix:
      return "/%";
    case Operator::kUpperFirst:
      return "^";
    case Operator::kUpperAll:
      return "^^";
    case Operator::kLowerFirst:
      return ",";
    case Operator::kLowerAll:
      return ",,";
    case Operator::kSubstring:
      return ":";
    case Operator::kTransform:
      return "@";
  }
  return "";
}

bool takes_pattern(ParameterOperator op) {
  return op >= ParameterOperator::kRemoveShortestPrefix && op <= ParameterOperator::kLowerAll;
}

/// What stands around the part being printed, which decides how a literal has to be quoted.
enum class Context { kWord, kArithmetic, kQuotedOperand, kHereDocument };

std::string escaped(std::string_view text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string single_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      result += c;
    }
  }
  return result + "'";
}

/// bash prints the line breaks between the commands of a substitution as they were.
bool on_two_lines(const Statement& first, const Statement& second) {
  const text::Span gap{first.span.file, first.span.end, second.span.begin};
  return gap.bytes().find('\n') != std::string_view::npos;
}

/// An expression whose span is wider than what it consists of stands in parentheses.
bool is_parenthesized(const Conditional::Expression& expression) {
  using Kind = Conditional::Expression::Kind;
  if (expression.span.bytes().substr(0, 1) != "(") return false;
  const bool has_operands = expression.kind == Kind::kAnd || expression.kind == Kind::kOr;
  return !has_operands || expression.operands[0].span.begin != expression.span.begin;
}

class Printer {
 public:
  explicit Printer(WordStyle style) : style_(style) {}

  std::string take() { return std::move(out_); }
  void list(const StatementList& statements);
  void word(const Word& word);

 private:
  void statement(const Statement& statement);
  void separator(const Statement& statement);
  void redirections(const Statement& statement);
  void redirection(const Redirection& redirection);
  void here_document(const Redirection& redirection);
  void assignment(const Assignment& assignment);
  void expression(const Conditional::Expression& expression);
  void clause(std::string_view begin, const StatementList& statements);
  void block(std::string_view begin, const StatementList& statements, std::string_view end);

  void command(const SimpleCommand& command);
  void command(const Pipeline& pipeline);
  void command(const AndOr& list);
  void command(const Negation& negation);
  void command(const Group& group) { block("{", group.body, "}"); }
  void command(const Subshell& subshell) { block("(", subshell.body, ")"); }
  void command(const If& conditional);
  void command(const Loop& loop);
  void command(const For& loop);
  void command(const ArithmeticFor& loop);
  void command(const Case& choice);
  void command(const Conditional& conditional);
  void command(const ArithmeticCommand& arithmetic);
  void command(const FunctionDefinition& function);
  void command(const Coprocess& coprocess);
  void command(const Unparsed& /*unparsed*/) { out_ += "unparsed"; }

  void as_written(const Word& word);
  void parts(const Word& word, Context context);
  void literal(const Literal& literal, bool quoted, Context context);
  void parameter(const ParameterExpansion& expansion, bool quoted);
  void expansion(const WordPart& part);
  void optional_word(const std::unique_ptr<Word>& word);
  void end_line();

  WordStyle style_;
  std::string out_;
  std::string here_documents_;  // the bodies that follow the line being written
  int here_document_count_ = 0;
};

// ---------------------------------------------------------------------------------- statements

void Printer::end_line() {
  out_ += '\n';
  out_ += std::exchange(here_documents_, {});
}

void Printer::list(const StatementList& statements) {
  for (std::size_t i = 0; i < statements.size(); ++i) {
    statement(statements[i]);
    if (statements[i].background) out_ += " &";
    const bool is_last = i + 1 == statements.size();
    if (is_last || style_ == WordStyle::kFromParts ||
        on_two_lines(statements[i], statements[i + 1])) {
      end_line();
    } else {
      out_ += statements[i].background ? " " : "; ";
    }
  }
}

void Printer::clause(std::string_view begin, const StatementList& statements) {
  out_ += begin;
  end_line();
  list(statements);
}

void Printer::block(std::string_view begin, const StatementList& statements, std::string_view end) {
  clause(begin, statements);
  out_ += end;
}

void Printer::statement(const Statement& statement) {
  if (statement.timed) out_ += "time ";
  std::visit([this](const auto& content) { command(content); }, statement.command);
  for (const Redirection& each : statement.redirections) {
    if (!out_.empty() && out_.back() != ' ') out_ += ' ';
    redirection(each);
  }
}

void Printer::command(const SimpleCommand& command) {
  std::string_view separator;
  for (const Assignment& each : command.assignments) {
    out_ += std::exchange(separator, " ");
    assignment(each);
  }
  for (const auto& each : command.words) {
    out_ += std::exchange(separator, " ");
    if (const auto* as_word = std::get_if<Word>(&each)) {
      word(*as_word);
    } else {
      assignment(std::get<Assignment>(each));
    }
  }
}

void Printer::command(const Pipeline& pipeline) {
  for (std::size_t i = 0; i < pipeline.commands.size(); ++i) {
    if (i > 0) out_ += pipeline.pipes_standard_error[i - 1] ? " |& " : " | ";
    statement(pipeline.commands[i]);
  }
}

void Printer::command(const AndOr& list) {
  statement(*list.left);
  out_ += list.is_and ? " && " : " || ";
  statement(*list.right);
}

void Printer::command(const Negation& negation) {
  out_ += "! ";
  statement(*negation.command);
}

void Printer::command(const If& conditional) {
  std::string_view keyword = "if";
  for (const If::Branch& branch : conditional.branches) {
    clause(keyword, branch.condition);
    clause("then", branch.body);
    keyword = "elif";
  }
  if (conditional.otherwise) clause("else", *conditional.otherwise);
  out_ += "fi";
}

void Printer::command(const Loop& loop) {
  clause(loop.until ? "until" : "while", loop.condition);
  block("do", loop.body, "done");
}

void Printer::command(const For& loop) {
  out_ += loop.is_select ? "select " : "for ";
  out_ += loop.variable;
  if (loop.words) {
    out_ += " in";
    for (const Word& each : *loop.words) {
      out_ += ' ';
      word(each);
    }
  }
  out_ += ';';
  block("do", loop.body, "done");
}

void Printer::command(const ArithmeticFor& loop) {
  out_ += "for ((";
  optional_word(loop.initialize);
  out_ += ';';
  optional_word(loop.condition);
  out_ += ';';
  optional_word(loop.step);
  out_ += "));";
  block("do", loop.body, "done");
}

void Printer::command(const Case& choice) {
  out_ += "case ";
  word(choice.subject);
  out_ += " in\n";
  for (const Case::Item& item : choice.items) {
    std::string_view separator = "(";
    for (const Word& pattern : item.patterns) {
      out_ += std::exchange(separator, " | ");
      word(pattern);
    }
    clause(")", item.body);
    const bool breaks = item.terminator == Case::Terminator::kBreak;
    const bool falls = item.terminator == Case::Terminator::kFallThrough;
    out_ += breaks ? ";;\n" : falls ? ";&\n" : ";;&\n";
  }
  out_ += "esac";
}

void Printer::command(const Conditional& conditional) {
  out_ += "[[ ";
  expression(conditional.expression);
  out_ += " ]]";
}

void Printer::expression(const Conditional::Expression& expression) {
  using Kind = Conditional::Expression::Kind;
  const bool parenthesized = is_parenthesized(expression);
  if (parenthesized) out_ += "( ";
  switch (expression.kind) {
    case Kind::kWord:
      word(expression.words[0]);
      break;
    case Kind::kUnary:
      out_ += expression.op + " ";
      word(expression.words[0]);
      break;
    case Kind::kBinary:
      word(expression.words[0]);
      out_ += " " + expression.op + " ";
      word(expression.words[1]);
      break;
    case Kind::kNot:
      out_ += "! ";
      this->expression(expression.operands[0]);
      break;
    case Kind::kAnd:
    case Kind::kOr:
      this->expression(expression.operands[0]);
      out_ += expression.kind == Kind::kAnd ? " && " : " || ";
      this->expression(expression.operands[1]);
      break;
  }
  if (parenthesized) out_ += " )";
}

void Printer::command(const ArithmeticCommand& arithmetic) {
  out_ += "((";
  if (style_ != WordStyle::kFromParts) {
    as_written(arithmetic.expression);
  } else {
    parts(arithmetic.expression, Context::kArithmetic);
  }
  out_ += "))";
}

void Printer::command(const FunctionDefinition& function) {
  out_ += "function " + function.name + " () ";
  statement(*function.body);
}

void Printer::command(const Coprocess& coprocess) {
  out_ += "coproc ";
  if (!std::holds_alternative<SimpleCommand>(coprocess.command->command)) {
    out_ += coprocess.name + " ";
  }
  statement(*coprocess.command);
}

// ------------------------------------------------------------------- assignments, redirections

void Printer::assignment(const Assignment& assignment) {
  out_ += assignment.name;
  if (assignment.subscript != nullptr) {
    out_ += '[';
    word(*assignment.subscript);
    out_ += ']';
  }
  out_ += assignment.appends ? "+=" : "=";
  if (const auto* value = std::get_if<Word>(&assignment.value)) return word(*value);
  out_ += '(';
  std::string_view separator;
  for (const ArrayElement& element : std::get<std::vector<ArrayElement>>(assignment.value)) {
    out_ += std::exchange(separator, " ");
    if (element.subscript != nullptr) {
      out_ += '[';
      word(*element.subscript);
      out_ += element.appends ? "]+=" : "]=";
    }
    word(element.value);
  }
  out_ += ')';
}

std::string_view operator_text(Redirection::Kind kind) {
  switch (kind) {
    case Redirection::Kind::kRead:
      return "<";
    case Redirection::Kind::kWrite:
      return ">";
    case Redirection::Kind::kAppend:
      return ">>";
    case Redirection::Kind::kReadWrite:
      return "<>";
    case Redirection::Kind::kWriteBoth:
      return "&>";
    case Redirection::Kind::kAppendBoth:
      return "&>>";
    case Redirection::Kind::kDuplicateIn:
      return "<&";
    case Redirection::Kind::kDuplicateOut:
      return ">&";
    case Redirection::Kind::kHereDocument:
      return "<<";
    case Redirection::Kind::kHereString:
      return "<<<";
  }
  return "";
}

/// The syntax tree does not tell >| from >, nor >& from &>.
std::string_view written_operator(const Redirection& redirection) {
  const std::string_view written = redirection.span.bytes();
  if (written.find(">|") != std::string_view::npos) return ">|";
  if (written.substr(0, 2) == ">&") return ">&";
  return operator_text(redirection.kind);
}

void Printer::redirection(const Redirection& redirection) {
  if (!redirection.descriptor_variable.empty()) out_ += "{" + redirection.descriptor_variable + "}";
  if (redirection.descriptor) out_ += std::to_string(*redirection.descriptor);
  if (redirection.kind == Redirection::Kind::kHereDocument) return here_document(redirection);
  out_ += written_operator(redirection);
  out_ += ' ';
  word(redirection.target);
}

void Printer::here_document(const Redirection& redirection) {
  if (style_ == WordStyle::kFromParts) {
    const std::string delimiter = "END_" + std::to_string(++here_document_count_);
    out_ += "<<" + delimiter;
    std::string line = std::exchange(out_, {});
    parts(redirection.target, Context::kHereDocument);
    here_documents_ += std::exchange(out_, std::move(line)) + delimiter + "\n";
    return;
  }
  const std::string_view written = redirection.span.bytes();
  const std::string_view opening = written.substr(written.find('<'));
  out_ += opening;
  std::string delimiter;
  for (const char c : opening.substr(2)) {
    if (std::string_view(" \t'\"\\-").find(c) == std::string_view::npos) delimiter += c;
  }
  here_documents_ += std::string(redirection.target.span.bytes()) + delimiter + "\n";
}

// --------------------------------------------------------------------------------------- words

void Printer::optional_word(const std::unique_ptr<Word>& word) {
  if (word != nullptr) this->word(*word);
}

void Printer::word(const Word& word) {
  if (style_ != WordStyle::kFromParts) {
    as_written(word);
  } else {
    parts(word, Context::kWord);
  }
}

void Printer::as_written(const Word& word) {
  std::vector<Nested> nested;
  if (style_ == WordStyle::kAsWritten) collect_nested(word, nested);
  std::uint32_t at = word.span.begin;
  const auto copy_until = [&](std::uint32_t end) {
    out_ += text::Span{word.span.file, at, end}.bytes();
  };
  for (const Nested& each : nested) {
    copy_until(each.span.begin);
    Printer inner(style_);
    inner.list(*each.body);
    out_ += each.opening;
    out_ += inner.take();
    out_ += ')';
    at = each.span.end;
  }
  copy_until(word.span.end);
}

void Printer::parts(const Word& word, Context context) {
  for (const WordPart& part : word.parts) {
    if (const auto* text = std::get_if<Literal>(&part.content)) {
      literal(*text, part.quoted, context);
      continue;
    }
    const bool needs_quotes = part.quoted && context == Context::kWord;
    if (needs_quotes) out_ += '"';
    expansion(part);
    if (needs_quotes) out_ += '"';
  }
}

void Printer::literal(const Literal& literal, bool quoted, Context context) {
  switch (context) {
    case Context::kWord:
      out_ += quoted ? single_quoted(literal.text) : literal.text;
      break;
    case Context::kArithmetic:
      out_ += escaped(literal.text, "$`\\\"");
      break;
    case Context::kQuotedOperand:
      out_ += escaped(literal.text, "$`\\\"}");
      break;
    case Context::kHereDocument:
      out_ += escaped(literal.text, "$`\\");
      break;
  }
}

void Printer::expansion(const WordPart& part) {
  if (const auto* parameter_expansion = std::get_if<ParameterExpansion>(&part.content)) {
    parameter(*parameter_expansion, part.quoted);
  } else if (const auto* arithmetic = std::get_if<ArithmeticExpansion>(&part.content)) {
    out_ += "$((";
    parts(*arithmetic->expression, Context::kArithmetic);
    out_ += "))";
  } else {
    Printer inner(style_);
    const auto* substitution = std::get_if<CommandSubstitution>(&part.content);
    const auto* process = std::get_if<ProcessSubstitution>(&part.content);
    const StatementList* body =
        substitution != nullptr ? substitution->body.get() : process->body.get();
    if (body != nullptr) inner.list(*body);
    if (process != nullptr) out_ += process->reads_from_command ? "<(" : ">(";
    if (substitution != nullptr) out_ += body != nullptr ? opening_of(*body) : "$(";
    out_ += inner.take() + ")";
  }
}

void Printer::parameter(const ParameterExpansion& expansion, bool quoted) {
  using Form = ParameterExpansion::Form;
  using Subscript = ParameterExpansion::Subscript;
  out_ += "${";
  if (expansion.form == Form::kLength) out_ += '#';
  if (expansion.form == Form::kIndirect || expansion.form == Form::kNames ||
      expansion.form == Form::kKeys) {
    out_ += '!';
  }
  out_ += expansion.name;
  if (expansion.subscript == Subscript::kAt) out_ += "[@]";
  if (expansion.subscript == Subscript::kStar) out_ += "[*]";
  if (expansion.subscript == Subscript::kIndex) {
    out_ += '[';
    parts(*expansion.index, Context::kWord);
    out_ += ']';
  }
  out_ += operator_text(expansion);
  const bool arithmetic = expansion.op == ParameterOperator::kSubstring;
  const bool plain_quoting = !quoted || takes_pattern(expansion.op);
  const Context context = arithmetic      ? Context::kArithmetic
                          : plain_quoting ? Context::kWord
                                          : Context::kQuotedOperand;
  if (expansion.operand != nullptr) parts(*expansion.operand, context);
  if (expansion.second_operand != nullptr) {
    out_ += arithmetic ? ':' : '/';
    parts(*expansion.second_operand, context);
  }
  out_ += '}';
}

}  // namespace

std::string print_statements(const StatementList& statements, WordStyle style) {
  Printer printer(style);
  printer.list(statements);
  return printer.take();
}

std::string print_word(const Word& word, WordStyle style) {
  Printer printer(style);
  printer.word(word);
  return printer.take();
}

}  // namespace recipelint::testing
