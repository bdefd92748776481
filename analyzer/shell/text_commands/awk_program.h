#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/shell/posix_regex.h"
#include "analyzer/text/result.h"

/// The part of awk that is modelled: expressions, fields, print and control flow, in the meaning
/// that gawk and mawk share. Arrays, functions of one's own, redirections and getline are not.
namespace recipelint::shell::awk {

enum class Kind : std::uint8_t {
  kNumber,
  kString,
  kRegex,  // matched against the record
  kVariable,
  kField,    // $operands[0]
  kAssign,   // operands[0] is a variable or field; `op` is what combines, '=' for none
  kStep,     // "++" and "--": `op` is '+' or '-', `prefix` says when
  kBinary,   // + - * / % ^
  kCompare,  // op: < > l(<=) g(>=) = !
  kMatch,    // operands[1] is a regex or an expression; op '~' or '!'
  kConcatenate,
  kAnd,
  kOr,
  kNot,
  kNegate,
  kPlus,
  kConditional,
  kGroup,  // parentheses
  kCall,   // a function named `text`
};

struct Expression {
  Kind kind = Kind::kNumber;
  char op = '\0';
  bool prefix = false;
  double number = 0;
  std::string text;
  std::optional<PosixRegex> regex;
  std::vector<Expression> operands;
};

enum class Action : std::uint8_t {
  kExpression,
  kPrint,
  kPrintf,
  kIf,
  kWhile,
  kFor,
  kBlock,
  kNext,
  kExit
};

struct Statement {
  Action action = Action::kExpression;
  /// What is printed; the condition of kIf, kWhile, kFor (none: true); the status of kExit.
  std::vector<Expression> expressions;
  /// kIf: yes, no; kWhile: body; kFor: initialization, step, body; kBlock: all.
  std::vector<Statement> statements;
};

struct Rule {
  enum class When : std::uint8_t { kBegin, kRecord, kEnd };
  When when = When::kRecord;
  std::optional<Expression> pattern;
  std::optional<Statement> body;  // none: print the record
};

/// Fails, with the reason, for what is not modelled.
text::Result<std::vector<Rule>> parse_program(std::string_view program);

/// Fails for regular expressions that gawk and mawk could understand differently.
text::Result<PosixRegex> compile_regex(std::string_view expression);

/// The escapes of string constants and of values given with -v; nothing if one is unusual.
std::optional<std::string> expand_awk_escapes(std::string_view text);

}  // namespace recipelint::shell::awk
