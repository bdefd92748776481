#pragma once

#include <span>
#include <string>
#include <vector>

#include "analyzer/shell/interpreter.h"

namespace recipelint::shell {

/// The outcome of [ ... ] or [[ ... ]].
struct ConditionResult {
  Answer answer = Answer::kNo;
  /// kUnknown: what it depends on.
  std::string cause;
  /// The condition itself is wrong: status 2 (1 in [[ ]]).
  bool failed = false;

  static ConditionResult of(bool value) { return {value ? Answer::kYes : Answer::kNo, {}, false}; }
  static ConditionResult unknown(std::string cause) {
    return {Answer::kUnknown, std::move(cause), false};
  }
  static ConditionResult error() { return {Answer::kNo, {}, true}; }
};

/// test and [ (without the closing bracket): by the number of arguments, as POSIX has it.
ConditionResult evaluate_test(Interpreter& interpreter, World& world, std::span<const Value> words,
                              text::Span span);
/// [[ ... ]].
ConditionResult evaluate_conditional(Interpreter& interpreter, World& world,
                                     const Conditional::Expression& expression);

bool may_branch(const Conditional::Expression& expression);
/// `failure` is the status of a condition that is wrong.
Status to_status(const ConditionResult& result, int failure);

/// Whether a value matches a pattern, as in case.
ConditionResult match_value(const Value& value, const PatternText& pattern, PatternOptions options);

}  // namespace recipelint::shell
