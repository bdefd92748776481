#pragma once

#include "analyzer/shell/token.h"
#include "analyzer/shell/word_scanner.h"

namespace recipelint::shell {

/// Makes the tokens of `unit`, whose compound commands are balanced, a script that the grammar
/// accepts: the smallest statements it does not accept become Unparsed statements, with a problem
/// in the state of `words`.
void repair_structure(Unit& unit, WordScanner& words);

}  // namespace recipelint::shell
