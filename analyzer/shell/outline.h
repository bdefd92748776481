#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/shell/ast.h"
#include "analyzer/text/span.h"

namespace recipelint::shell {

/// An assignment as a script has it.
struct WrittenAssignment {
  std::string name;
  text::Span span;
  /// It makes an array of no elements: NAME=().
  bool is_empty_array = false;
  /// NAME= or NAME="".
  bool is_empty = false;
  bool appends = false;
  /// The value is the default of the variable itself: X="${X:-$Y}", with a variable in its place.
  bool defaults_to_variable = false;
  /// Of a command (X=1 command) or a declaration; else a statement of its own.
  bool is_statement = false;
  bool in_function = false;
  /// The list of statements that it stands in, and its place there.
  std::uint32_t list = 0;
  std::uint32_t place = 0;
};

/// One way of an if or case statement.
struct WrittenArm {
  /// The first condition or the subject of the statement, as BranchUse has it.
  text::Span statement;
  std::uint32_t number = 0;
  /// What leads here: the condition or the patterns; the first command of an else arm.
  text::Span head;
  /// From the first to the last command.
  text::Span body;
  /// How many arms the statement has.
  std::uint32_t count = 0;
  bool is_else = false;
  bool is_case = false;
};

/// What stands in a script, whether it runs or not.
struct Outline {
  std::vector<WrittenAssignment> assignments;
  std::vector<WrittenArm> arms;
};

Outline outline_of(const Script& script);

}  // namespace recipelint::shell
