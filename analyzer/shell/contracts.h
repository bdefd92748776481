#pragma once

#include <string>
#include <vector>

#include "analyzer/shell/ast.h"
#include "analyzer/text/span.h"

namespace recipelint::shell {

/// What the body of a function says about the arguments that it takes.
struct ArgumentContract {
  /// The loop that takes one argument after the other and compares it: while [[ $# -gt 0 ]] with a
  /// case of $1. Invalid if there is none.
  text::Span loop;
  /// The arm of that case for all words that it does not know, if such a word is dropped: the arm
  /// only shifts, and nothing but the case looks at arguments. Invalid if not.
  text::Span ignoring;
  /// The tests behind it that a variable which the loop sets is not empty.
  std::vector<text::Span> requirements;
  /// Its arguments are names of variables, and it ends with a failure if one of them is not set:
  /// a loop over "$@" reads ${!name}.
  bool demands_names = false;
};

ArgumentContract contract_of(const FunctionDefinition& definition);

}  // namespace recipelint::shell
