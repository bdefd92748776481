#pragma once

#include <string_view>

#include "analyzer/shell/word_scanner.h"

namespace recipelint::shell {

/// Reads what stands between "[[" and "]]".
class ConditionalScanner {
 public:
  using Expression = Conditional::Expression;

  explicit ConditionalScanner(WordScanner& words) : words_(words) {}

  /// Reads up to "]]", which is not consumed. False if something is not closed or out of place.
  [[nodiscard]] bool scan(Expression& expression) { return scan_or(expression); }

 private:
  bool scan_or(Expression& expression);
  bool scan_and(Expression& expression);
  bool scan_term(Expression& expression);
  bool scan_negation(Expression& expression);
  bool scan_parentheses(Expression& expression);
  bool scan_primary(Expression& expression);
  bool scan_binary(Expression& expression, std::string_view op);
  bool scan_operand(Expression& expression, WordMode::Stop stop);
  std::string_view binary_operator() const;
  bool at_operand_end();
  bool join(Expression& left, Expression::Kind kind, Expression right, std::uint32_t begin);

  static constexpr int kLongestChain = 1000;

  WordScanner& words_;
  int joins_ = 0;
};

}  // namespace recipelint::shell
