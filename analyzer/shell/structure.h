#pragma once

#include "analyzer/shell/token.h"
#include "analyzer/shell/word_scanner.h"

namespace recipelint::shell {

/// The statements that the symbols of `unit` form. Symbols that do not fit become Unparsed
/// statements with a problem in the state of `words`, whose input the positions of the tokens refer
/// to.
StatementList build_statements(Unit unit, WordScanner& words);

}  // namespace recipelint::shell
