#include "analyzer/shell/conditions.h"

#include <algorithm>
#include <array>
#include <utility>

#include "analyzer/shell/numbers.h"
#include "analyzer/shell/options.h"
#include "analyzer/shell/regex.h"
#include "analyzer/shell/witness.h"

namespace recipelint::shell {
namespace {

constexpr std::array<std::string_view, 14> kBinaryOperators = {
    "=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"};
constexpr std::string_view kUnaryLetters = "abcdefghknoprstuvwxzGLNORS";

bool is_binary(std::string_view op) {
  return std::find(kBinaryOperators.begin(), kBinaryOperators.end(), op) != kBinaryOperators.end();
}

bool is_unary(std::string_view op) {
  return op.size() == 2 && op[0] == '-' && kUnaryLetters.find(op[1]) != std::string_view::npos;
}

bool is_integer_operator(std::string_view op) {
  return op.size() == 3 && op[0] == '-' && op != "-nt" && op != "-ot" && op != "-ef";
}

ConditionResult negate(ConditionResult result) {
  if (result.failed || result.answer == Answer::kUnknown) {
    if (!result.failed) result.cause = "not " + result.cause;
    return result;
  }
  return ConditionResult::of(result.answer == Answer::kNo);
}

ConditionResult both(ConditionResult left, ConditionResult right) {
  if (left.failed || right.failed) return ConditionResult::error();
  if (left.answer == Answer::kNo || right.answer == Answer::kNo) return ConditionResult::of(false);
  if (left.answer == Answer::kUnknown) return left;
  return right;
}

ConditionResult either(ConditionResult left, ConditionResult right) {
  if (left.failed || right.failed) return ConditionResult::error();
  if (left.answer == Answer::kYes || right.answer == Answer::kYes) return ConditionResult::of(true);
  if (left.answer == Answer::kUnknown) return left;
  return right;
}

// Whether the known beginnings or ends of two values rule out that they are equal.
bool certainly_differ(const Value& a, const Value& b) {
  if ((a.empty() && !b.may_be_empty()) || (b.empty() && !a.may_be_empty())) return true;
  if (a.empty() || b.empty()) return false;
  const Piece& left = a.pieces().front();
  const Piece& right = b.pieces().front();
  if (!left.known || !right.known) return false;
  const std::string& left_text = left.text.get();
  const std::string& right_text = right.text.get();
  const std::size_t length = std::min(left_text.size(), right_text.size());
  if (left_text.compare(0, length, right_text, 0, length) != 0) return true;
  // A value that is known to its end cannot be shorter than a beginning of the other.
  return (a.is_known() && a.pieces().size() == 1 && left_text.size() < right_text.size()) ||
         (b.is_known() && b.pieces().size() == 1 && right_text.size() < left_text.size());
}

ConditionResult equal(const Value& a, const Value& b) {
  if (a.is_known() && b.is_known()) return ConditionResult::of(same_text(a, b));
  if (certainly_differ(a, b)) return ConditionResult::of(false);
  return ConditionResult::unknown(std::string(a.is_known() ? b.cause() : a.cause()));
}

ConditionResult emptiness(const Value& value, bool wants_empty) {
  const bool is_empty = value.is_known() && value.may_be_empty();
  if (is_empty || !value.may_be_empty()) return ConditionResult::of(is_empty == wants_empty);
  return ConditionResult::unknown(std::string(value.cause()));
}

ConditionResult file_test(Interpreter& interpreter, World& world, char letter, const Value& path) {
  if (!path.is_known()) {
    return ConditionResult::unknown("file " + path.text());
  }
  if (path.text().empty()) return ConditionResult::of(false);
  const std::string absolute = interpreter.io().absolute(world, path.text());
  const Io::Entry entry = interpreter.io().entry(world, absolute);
  if (entry.exists == Answer::kUnknown) {
    return ConditionResult::unknown("whether " + path.text() + " exists");
  }
  if (entry.exists == Answer::kNo) return ConditionResult::of(false);
  switch (letter) {
    case 'f':
      return ConditionResult::of(entry.is_file);
    case 'd':
      return ConditionResult::of(entry.is_folder);
    case 'e':
    case 'a':
    case 'r':
    case 'w':
      return ConditionResult::of(true);
    case 's': {
      if (entry.is_folder) return ConditionResult::of(true);
      const Value content = interpreter.io().read_file(world, absolute).value_or(Value());
      if (content.is_known()) return ConditionResult::of(!content.empty());
      return content.may_be_empty() ? ConditionResult::unknown("content of " + path.text())
                                    : ConditionResult::of(true);
    }
    case 'x':
      if (entry.is_folder) return ConditionResult::of(true);
      return ConditionResult::unknown("whether " + path.text() + " is executable");
    default:
      return ConditionResult::unknown("properties of " + path.text());
  }
}

ConditionResult unary(Interpreter& interpreter, World& world, char letter, const Value& operand,
                      text::Span span) {
  switch (letter) {
    case 'z':
    case 'n':
      return emptiness(operand, letter == 'z');
    case 'v': {
      if (!operand.is_known()) return ConditionResult::unknown(std::string(operand.cause()));
      const auto subject = interpreter.expander().read_reference(world, operand.text(), span);
      if (!subject.is_set && !subject.scalar.empty()) {
        return ConditionResult::unknown(std::string(subject.scalar.cause()));
      }
      return ConditionResult::of(subject.is_set);
    }
    case 'o':
      return ConditionResult::of(option_value(world.shell.options, operand.text()).value_or(false));
    case 't':
      return ConditionResult::of(false);
    case 'h':
    case 'L':
    case 'b':
    case 'c':
    case 'p':
    case 'S': {
      const ConditionResult exists = file_test(interpreter, world, 'e', operand);
      return exists.answer == Answer::kYes ? file_test(interpreter, world, letter, operand)
                                           : exists;
    }
    default:
      return file_test(interpreter, world, letter, operand);
  }
}

// For somebody who notes the comparison afterwards.
std::string number_text(const Value& side) {
  return is_number_parameter(side) ? side.pieces().front().text.unseen() : side.text();
}

ConditionResult compared(std::string_view op, const Value& left, const Value& right,
                         const std::array<std::int64_t, 2>& numbers) {
  const bool holds = compare_numbers(op, numbers[0], numbers[1]);
  if (has_parameters(left) || has_parameters(right)) {
    Witness* witness = Witness::current();
    if (witness != nullptr && !witness->note_comparison(op, left, right, holds)) {
      static_cast<void>(left.text());
      static_cast<void>(right.text());
    }
  }
  return ConditionResult::of(holds);
}

ConditionResult integers(Interpreter& interpreter, World& world, std::string_view op,
                         const Value& left, const Value& right, text::Span span) {
  std::array<std::int64_t, 2> numbers{};
  std::size_t i = 0;
  std::string cause;
  for (const Value* side : {&left, &right}) {
    if (!side->is_known()) {
      cause = std::string(side->cause());
    } else if (const auto number = decimal(number_text(*side))) {
      numbers[i] = *number;
    } else {
      interpreter.session().report(world, DiagnosticKind::kIntegerExpected, span,
                                   "'" + side->text() + "' is not an integer", side->text());
      return ConditionResult::error();
    }
    ++i;
  }
  if (!cause.empty()) return ConditionResult::unknown(cause);
  return compared(op, left, right, numbers);
}

ConditionResult binary(Interpreter& interpreter, World& world, std::string_view op,
                       const Value& left, const Value& right, text::Span span) {
  if (op == "=" || op == "==") return equal(left, right);
  if (op == "!=") return negate(equal(left, right));
  if (is_integer_operator(op)) return integers(interpreter, world, op, left, right, span);
  if (op == "<" || op == ">") {
    if (!left.is_known() || !right.is_known()) {
      return ConditionResult::unknown(std::string(left.is_known() ? right.cause() : left.cause()));
    }
    return ConditionResult::of(op == "<" ? left.text() < right.text() : left.text() > right.text());
  }
  return ConditionResult::unknown("age of files");
}

/// The grammar of test for more than four arguments, and for what the rules by number leave over.
class TestParser {
 public:
  TestParser(Interpreter& interpreter, World& world, std::span<const Value> words, text::Span span)
      : interpreter_(interpreter), world_(world), words_(words), span_(span) {}

  ConditionResult parse() {
    ConditionResult result = disjunction();
    return at_ == words_.size() ? result : ConditionResult::error();
  }

 private:
  bool next_is(std::string_view text) const {
    return at_ < words_.size() && words_[at_].is_known() && words_[at_].text() == text;
  }
  bool has_binary_here() const {
    return at_ + 2 < words_.size() && words_[at_ + 1].is_known() &&
           is_binary(words_[at_ + 1].text());
  }

  ConditionResult disjunction() {
    ConditionResult left = conjunction();
    while (next_is("-o")) {
      ++at_;
      left = either(std::move(left), conjunction());
    }
    return left;
  }

  ConditionResult conjunction() {
    ConditionResult left = primary();
    while (next_is("-a")) {
      ++at_;
      left = both(std::move(left), primary());
    }
    return left;
  }

  ConditionResult primary() {
    if (at_ >= words_.size()) return ConditionResult::error();
    if (has_binary_here()) {
      const std::size_t first = at_;
      at_ += 3;
      return binary(interpreter_, world_, words_[first + 1].text(), words_[first],
                    words_[first + 2], span_);
    }
    if (next_is("!")) {
      ++at_;
      return negate(primary());
    }
    if (next_is("(")) {
      ++at_;
      ConditionResult inner = disjunction();
      if (!next_is(")")) return ConditionResult::error();
      ++at_;
      return inner;
    }
    if (at_ + 1 < words_.size() && words_[at_].is_known() && is_unary(words_[at_].text())) {
      const std::size_t first = at_;
      at_ += 2;
      return unary(interpreter_, world_, words_[first].text()[1], words_[first + 1], span_);
    }
    return emptiness(words_[at_++], false);
  }

  Interpreter& interpreter_;
  World& world_;
  std::span<const Value> words_;
  text::Span span_;
  std::size_t at_ = 0;
};

ConditionResult regex(Interpreter& interpreter, World& world, const Value& subject,
                      const PatternText& pattern, text::Span span) {
  if (!subject.is_known()) return ConditionResult::unknown(std::string(subject.cause()));
  if (!pattern.cause.empty()) return ConditionResult::unknown(pattern.cause);
  std::string buffer;
  const PatternOptions options = interpreter.expander().pattern_options(world);
  const RegexMatch match = match_regex(subject.view(buffer), pattern.parts(), options);
  switch (match.outcome) {
    case RegexMatch::Outcome::kInvalid:
      return ConditionResult::error();
    case RegexMatch::Outcome::kRefused:
      return ConditionResult::unknown(match.message);
    default:
      break;
  }
  std::vector<Value> groups;
  for (const TextRange& group : match.groups)
    groups.push_back(subject.slice(group.begin, group.end));
  interpreter.variables().assign_array(world, kBashRematch, std::move(groups), span);
  return ConditionResult::of(match.outcome == RegexMatch::Outcome::kMatched);
}

ConditionResult arithmetic_comparison(Interpreter& interpreter, World& world, std::string_view op,
                                      const Value& left, const Value& right, text::Span span) {
  std::array<std::int64_t, 2> numbers{};
  std::array<Value, 2> values;
  std::size_t i = 0;
  std::string cause;
  for (const Value* side : {&left, &right}) {
    Variables::OpenResult open = interpreter.variables().open_arithmetic(world, *side, span);
    const ArithmeticResult& result = open.result;
    if (result.kind == ArithmeticResult::Kind::kError) return ConditionResult::error();
    if (result.kind == ArithmeticResult::Kind::kUnknown) cause = result.message;
    numbers[i] = result.value;
    values[i++] = std::move(open.number);
  }
  if (!cause.empty()) return ConditionResult::unknown(cause);
  return compared(op, values[0], values[1], numbers);
}

ConditionResult conditional_binary(Interpreter& interpreter, World& world,
                                   const Conditional::Expression& expression) {
  Expander& expander = interpreter.expander();
  const Value left = expander.text(world, expression.words[0]);
  if (!world.is_running()) return ConditionResult::of(false);
  const std::string& op = expression.op;
  if (op == "==" || op == "=" || op == "!=") {
    const PatternText pattern = expander.pattern(world, expression.words[1]);
    PatternOptions options = expander.pattern_options(world);
    options.extended = true;
    ConditionResult result = match_value(left, pattern, options);
    return op == "!=" ? negate(std::move(result)) : result;
  }
  if (op == "=~") {
    const PatternText pattern = expander.pattern(world, expression.words[1]);
    return regex(interpreter, world, left, pattern, expression.span);
  }
  const Value right = expander.text(world, expression.words[1]);
  if (is_integer_operator(op)) {
    return arithmetic_comparison(interpreter, world, op, left, right, expression.span);
  }
  return binary(interpreter, world, op, left, right, expression.span);
}

// The longest text that a pattern certainly starts with.
std::string literal_start(const PatternText& pattern) {
  std::string start;
  for (const auto& [text, is_quoted] : pattern.runs) {
    const auto special = is_quoted ? std::string::npos : text.find_first_of("*?[\\+@!(");
    start.append(text, 0, special);
    if (special != std::string::npos) break;
  }
  return start;
}

/// The only text that matches, for a pattern without any special character.
std::optional<std::string> only_match(const PatternText& pattern, PatternOptions options) {
  if (options.ignore_case) return std::nullopt;
  std::string text;
  for (const auto& [run, is_quoted] : pattern.runs) {
    if (!is_quoted && run.find_first_of("*?[\\(") != std::string::npos) return std::nullopt;
    text += run;
  }
  return text;
}

}  // namespace

ConditionResult match_value(const Value& value, const PatternText& pattern,
                            PatternOptions options) {
  if (!pattern.cause.empty()) {
    return ConditionResult::unknown(pattern.cause);
  }
  std::string buffer;
  if (value.is_known()) {
    if (const auto only = only_match(pattern, options)) {
      return ConditionResult::of(value.view(buffer) == *only);
    }
  }
  const Pattern compiled(pattern.parts(), options);
  if (value.is_known()) {
    const auto matches = compiled.matches(value.view(buffer));
    return matches ? ConditionResult::of(*matches)
                   : ConditionResult::unknown(matches.error().message);
  }
  const bool is_star =
      pattern.runs.size() == 1 && !pattern.runs[0].second && pattern.runs[0].first == "*";
  if (is_star) return ConditionResult::of(true);
  if (compiled.is_literal()) {
    Value text;
    for (const auto& run : pattern.runs) text.append(Piece{run.first, true, {}, {}});
    return equal(value, text);
  }
  const std::string start = options.ignore_case ? std::string() : literal_start(pattern);
  const Piece& first = value.pieces().front();
  const std::size_t length = std::min(start.size(), first.text.get().size());
  if (first.known && first.text.get().compare(0, length, start, 0, length) != 0) {
    return ConditionResult::of(false);
  }
  return ConditionResult::unknown(std::string(value.cause()));
}

bool may_branch(const Conditional::Expression& expression) {
  return std::any_of(expression.words.begin(), expression.words.end(),
                     [](const Word& word) { return may_branch(word); }) ||
         std::any_of(expression.operands.begin(), expression.operands.end(),
                     [](const auto& operand) { return may_branch(operand); });
}

Status to_status(const ConditionResult& result, int failure) {
  if (result.failed) return Status::of(failure);
  if (result.answer == Answer::kUnknown) return Status::unknown(result.cause);
  return Status::of(result.answer == Answer::kYes ? 0 : 1);
}

ConditionResult evaluate_test(Interpreter& interpreter, World& world, std::span<const Value> words,
                              text::Span span) {
  const auto is = [&](std::size_t i, std::string_view text) {
    return words[i].is_known() && words[i].text() == text;
  };
  switch (words.size()) {
    case 0:
      return ConditionResult::of(false);
    case 1:
      return emptiness(words[0], false);
    case 2:
      if (is(0, "!")) return negate(emptiness(words[1], false));
      if (words[0].is_known() && is_unary(words[0].text())) {
        return unary(interpreter, world, words[0].text()[1], words[1], span);
      }
      return words[0].is_known() ? ConditionResult::error()
                                 : ConditionResult::unknown(std::string(words[0].cause()));
    case 3:
      if (words[1].is_known() && is_binary(words[1].text())) {
        return binary(interpreter, world, words[1].text(), words[0], words[2], span);
      }
      if (is(1, "-a")) return both(emptiness(words[0], false), emptiness(words[2], false));
      if (is(1, "-o")) return either(emptiness(words[0], false), emptiness(words[2], false));
      if (is(0, "!")) return negate(evaluate_test(interpreter, world, words.subspan(1), span));
      if (is(0, "(") && is(2, ")")) return emptiness(words[1], false);
      return ConditionResult::error();
    case 4:
      if (is(0, "!")) return negate(evaluate_test(interpreter, world, words.subspan(1), span));
      if (is(0, "(") && is(3, ")")) {
        return evaluate_test(interpreter, world, words.subspan(1, 2), span);
      }
      break;
    default:
      break;
  }
  return TestParser(interpreter, world, words, span).parse();
}

ConditionResult evaluate_conditional(Interpreter& interpreter, World& world,
                                     const Conditional::Expression& expression) {
  using Kind = Conditional::Expression::Kind;
  switch (expression.kind) {
    case Kind::kNot:
      return negate(evaluate_conditional(interpreter, world, expression.operands[0]));
    case Kind::kAnd: {
      ConditionResult left = evaluate_conditional(interpreter, world, expression.operands[0]);
      if (left.failed || left.answer == Answer::kNo || !world.is_running()) return left;
      return both(std::move(left),
                  evaluate_conditional(interpreter, world, expression.operands[1]));
    }
    case Kind::kOr: {
      ConditionResult left = evaluate_conditional(interpreter, world, expression.operands[0]);
      if (left.failed || left.answer == Answer::kYes || !world.is_running()) return left;
      return either(std::move(left),
                    evaluate_conditional(interpreter, world, expression.operands[1]));
    }
    case Kind::kWord:
      return emptiness(interpreter.expander().text(world, expression.words[0]), false);
    case Kind::kUnary: {
      const Value operand = interpreter.expander().text(world, expression.words[0]);
      if (!world.is_running()) return ConditionResult::of(false);
      return unary(interpreter, world, expression.op.back(), operand, expression.span);
    }
    case Kind::kBinary:
      return conditional_binary(interpreter, world, expression);
  }
  return ConditionResult::error();
}

}  // namespace recipelint::shell
