#pragma once

#include <string>

#include "analyzer/shell/ast.h"

namespace recipelint::testing {

enum class WordStyle {
  kBytes,      // as they stand in the file
  kAsWritten,  // the same, but the commands in them are printed from the syntax tree
  kFromParts,  // quoted anew from their parts
};

/// A bash script that says the same as `statements`. "unparsed" stands for what could not be
/// parsed.
std::string print_statements(const shell::StatementList& statements, WordStyle style);
std::string print_word(const shell::Word& word, WordStyle style);

}  // namespace recipelint::testing
