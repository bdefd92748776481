#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/shell/value.h"

/// Bash arithmetic: $((...)), ((...)), let, array subscripts, ${v:o:l} and the operands of -eq.
/// Source: bash 5.2, ARITHMETIC EVALUATION in its manual.
namespace recipelint::shell {

/// What stands behind a name.
struct ArithmeticOperand {
  enum class Kind : std::uint8_t {
    kUnset,    // counts as 0
    kUnbound,  // unset, and "set -u" makes that an error
    kText,     // `text` is an expression of its own
    kUnknown,  // only the host knows; `text` is the cause
  };
  Kind kind = Kind::kUnset;
  std::string text;

  static ArithmeticOperand known(std::string text) { return {Kind::kText, std::move(text)}; }
  static ArithmeticOperand unknown(std::string cause) { return {Kind::kUnknown, std::move(cause)}; }
};

/// A variable, or one element of an array.
struct ArithmeticVariable {
  enum class Subscript : std::uint8_t {
    kNone,
    kIndex,    // `index`, possibly negative (counted from the end)
    kKey,      // `key`: the name is an associative array
    kUnknown,  // some element; only passed to assign()
  };
  std::string_view name;
  Subscript subscript = Subscript::kNone;
  std::int64_t index = 0;
  std::string_view key;
};

/// The variables an expression reads and writes, in the order in which bash would.
class ArithmeticScope {
 public:
  virtual ~ArithmeticScope() = default;

  virtual ArithmeticOperand read(const ArithmeticVariable& variable) = 0;
  /// `value` is a decimal number, or unknown. Also called, with an unknown value, for an assignment
  /// that takes place or not depending on something unknown.
  virtual void assign(const ArithmeticVariable& variable, const ArithmeticOperand& value) = 0;
  /// Whether the text between the brackets is a key rather than an expression.
  virtual bool is_associative(std::string_view name) const = 0;
};

struct ArithmeticResult {
  enum class Kind : std::uint8_t { kValue, kUnknown, kError };
  enum class Fault : std::uint8_t {
    kNone,
    kSyntax,
    kDivisionByZero,
    kNegativeExponent,
    kBadNumber,  // a digit too great for its base, an invalid base or constant
    kRecursion,  // variables that name each other beyond bash's 1024 levels
    kUnbound,
    kNotAVariable,  // assignment to something else
  };
  Kind kind = Kind::kValue;
  std::int64_t value = 0;  // kValue
  Fault fault = Fault::kNone;
  /// kUnknown: the cause. kError: what bash says, without the offending token.
  std::string message;
  /// kError, kUnbound: the name.
  std::string name;
};

/// Evaluates `expression`: text after expansion and quote removal, in which an unknown piece counts
/// as one operand. An empty expression is 0. An unknown operand makes the result unknown unless a
/// short circuit or a ternary never looks at it. An expression that costs more than a fixed number
/// of steps or nests deeper than a fixed bound is unknown.
ArithmeticResult evaluate_arithmetic(std::span<const Piece> expression, ArithmeticScope& scope);
ArithmeticResult evaluate_arithmetic(std::string_view expression, ArithmeticScope& scope);

}  // namespace recipelint::shell
