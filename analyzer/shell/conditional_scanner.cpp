#include "analyzer/shell/conditional_scanner.h"

#include <algorithm>
#include <array>
#include <utility>

namespace recipelint::shell {

namespace {

using Kind = Conditional::Expression::Kind;

constexpr std::string_view kUnaryLetters = "abcdefghknoprstuvwxzGLNORS";

constexpr std::array<std::string_view, 13> kWordOperators{
    "==", "=", "!=", "=~", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"};

bool is_unary_operator(std::string_view word) {
  return word.size() == 2 && word[0] == '-' &&
         kUnaryLetters.find(word[1]) != std::string_view::npos;
}

}  // namespace

bool ConditionalScanner::scan_or(Expression& expression) {
  words_.skip_blanks_and_newlines();
  const std::uint32_t begin = words_.position();
  if (!scan_and(expression)) return false;
  while (words_.looking_at("||")) {
    words_.advance(2);
    Expression right;
    if (!scan_and(right)) return false;
    if (!join(expression, Kind::kOr, std::move(right), begin)) return false;
  }
  return true;
}

bool ConditionalScanner::scan_and(Expression& expression) {
  words_.skip_blanks_and_newlines();
  const std::uint32_t begin = words_.position();
  if (!scan_term(expression)) return false;
  while (words_.looking_at("&&")) {
    words_.advance(2);
    Expression right;
    if (!scan_term(right)) return false;
    if (!join(expression, Kind::kAnd, std::move(right), begin)) return false;
  }
  return true;
}

bool ConditionalScanner::join(Expression& left, Kind kind, Expression right, std::uint32_t begin) {
  // The chain is nested to the left, as deep as it is long.
  if (++joins_ > kLongestChain) return words_.fail(begin, "nested too deeply");
  Expression joined;
  joined.kind = kind;
  joined.operands.push_back(std::move(left));
  joined.operands.push_back(std::move(right));
  joined.span = words_.span(begin, words_.position());
  left = std::move(joined);
  return true;
}

bool ConditionalScanner::scan_term(Expression& expression) {
  words_.skip_blanks_and_newlines();
  const Nesting nesting(words_.state());
  if (nesting.too_deep()) return words_.fail(words_.position(), "nested too deeply");
  bool good = false;
  if (words_.bare_word() == "!") {
    good = scan_negation(expression);
  } else if (words_.peek() == '(') {
    good = scan_parentheses(expression);
  } else {
    good = scan_primary(expression);
  }
  if (good) words_.skip_blanks_and_newlines();
  return good;
}

bool ConditionalScanner::scan_negation(Expression& expression) {
  const std::uint32_t begin = words_.position();
  words_.advance();
  expression.kind = Kind::kNot;
  if (!scan_term(expression.operands.emplace_back())) return false;
  expression.span = words_.span(begin, words_.position());
  return true;
}

bool ConditionalScanner::scan_parentheses(Expression& expression) {
  const std::uint32_t begin = words_.position();
  words_.advance();
  if (!scan_or(expression)) return false;
  if (words_.peek() != ')') return words_.fail(begin, "\"(\" is not closed");
  words_.advance();
  expression.span = words_.span(begin, words_.position());
  return true;
}

bool ConditionalScanner::at_operand_end() {
  words_.skip_blanks();
  return words_.at_end() || words_.peek() == ')' || words_.peek() == '\n' ||
         words_.looking_at("&&") || words_.looking_at("||") || words_.bare_word() == "]]";
}

bool ConditionalScanner::scan_primary(Expression& expression) {
  const std::uint32_t begin = words_.position();
  if (at_operand_end()) return words_.fail(begin, "an operand is missing in [[ ]]");
  const std::string_view first = words_.bare_word();
  if (is_unary_operator(first)) {
    words_.advance(2);
    if (!at_operand_end() && binary_operator().empty()) {
      expression.kind = Kind::kUnary;
      expression.op = first;
      const bool good = scan_operand(expression, WordMode::Stop::kWord);
      expression.span = words_.span(begin, words_.position());
      return good;
    }
    words_.move_to(begin);
  }
  if (!scan_operand(expression, WordMode::Stop::kWord)) return false;
  const std::uint32_t end = words_.position();
  words_.skip_blanks();
  const std::string_view op = binary_operator();
  if (op.empty()) {
    expression.span = words_.span(begin, end);
    return true;
  }
  if (!scan_binary(expression, op)) return false;
  expression.span = words_.span(begin, words_.position());
  return true;
}

/// The binary operator at the position; empty if there is none.
std::string_view ConditionalScanner::binary_operator() const {
  if (words_.peek() == '<' || words_.peek() == '>') {
    return words_.peek(1) == '(' ? std::string_view()
                                 : words_.bytes(words_.position(), words_.position() + 1);
  }
  const std::string_view word = words_.bare_word();
  const bool known =
      std::find(kWordOperators.begin(), kWordOperators.end(), word) != kWordOperators.end();
  return known ? word : std::string_view();
}

bool ConditionalScanner::scan_binary(Expression& expression, std::string_view op) {
  words_.advance(static_cast<std::uint32_t>(op.size()));
  expression.kind = Kind::kBinary;
  expression.op = op;
  const std::uint32_t begin = words_.position();
  if (at_operand_end()) return words_.fail(begin, "an operand is missing in [[ ]]");
  return scan_operand(expression, op == "=~" ? WordMode::Stop::kRegex : WordMode::Stop::kWord);
}

bool ConditionalScanner::scan_operand(Expression& expression, WordMode::Stop stop) {
  const std::uint32_t begin = words_.position();
  if (!words_.scan_parts(expression.words.emplace_back(), {stop})) return false;
  if (words_.position() != begin) return true;
  return words_.fail(begin, "unexpected character in [[ ]]");
}

}  // namespace recipelint::shell
