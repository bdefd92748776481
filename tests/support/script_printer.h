#pragma once

#include <string>

#include "analyzer/shell/ast.h"

namespace recipelint::testing {

/// How words come out: as their bytes stand in the file (with the commands inside them printed from
/// the syntax tree), or quoted anew from their parts.
enum class WordStyle { kAsWritten, kFromParts };

/// A bash script that says the same as `statements`. "unparsed" stands for what could not be
/// parsed.
std::string print_statements(const shell::StatementList& statements, WordStyle style);
std::string print_word(const shell::Word& word, WordStyle style);

}  // namespace recipelint::testing
