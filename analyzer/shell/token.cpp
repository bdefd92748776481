#include "analyzer/shell/token.h"

namespace recipelint::shell {

bool ends_statement(Symbol symbol) {
  return symbol == Symbol::kCommand || closes_compound(symbol);
}

bool starts_statement(Symbol symbol) {
  return symbol == Symbol::kCommand || opens_compound(symbol);
}

bool opens_compound(Symbol symbol) {
  switch (symbol) {
    case Symbol::kOpenParenthesis:
    case Symbol::kOpenBrace:
    case Symbol::kOpenLoop:
    case Symbol::kIf:
    case Symbol::kWhile:
    case Symbol::kUntil:
    case Symbol::kCase:
      return true;
    default:
      return false;
  }
}

bool continues_compound(Symbol symbol) {
  switch (symbol) {
    case Symbol::kThen:
    case Symbol::kElif:
    case Symbol::kElse:
    case Symbol::kDo:
    case Symbol::kPattern:
    case Symbol::kTerminator:
      return true;
    default:
      return false;
  }
}

bool closes_compound(Symbol symbol) {
  switch (symbol) {
    case Symbol::kCloseParenthesis:
    case Symbol::kCloseBrace:
    case Symbol::kCloseLoop:
    case Symbol::kFi:
    case Symbol::kDone:
    case Symbol::kEsac:
      return true;
    default:
      return false;
  }
}

}  // namespace recipelint::shell
