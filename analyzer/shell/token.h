#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/shell/ast.h"

namespace recipelint::shell {

/// What the statement structure of a script is made of. Simple commands, [[ ]] and (( )) are one
/// symbol each: what is in them has no part in the structure.
enum class Symbol : std::uint8_t {
  kNothing,  // of no effect any more
  kCommand,
  kUnparsed,   // an Unparsed statement with a separator of its own
  kSeparator,  // ; or newlines
  kBackground,
  kAnd,
  kOr,
  kPipe,
  kPipeBoth,
  kOpenParenthesis,
  kCloseParenthesis,
  kOpenBrace,
  kCloseBrace,
  kOpenLoop,  // "do" or "{" after the header of a for loop, which is a prefix
  kCloseLoop,
  kIf,
  kThen,
  kElif,
  kElse,
  kFi,
  kWhile,
  kUntil,
  kDo,
  kDone,
  kCase,        // up to and with "in"
  kPattern,     // up to and with ")"
  kTerminator,  // ;; ;& ;;&
  kEsac,
};

/// A symbol that a whole command can end with, start with.
bool ends_statement(Symbol symbol);
bool starts_statement(Symbol symbol);
/// A symbol that opens a compound command, goes on with it, closes it.
bool opens_compound(Symbol symbol);
bool continues_compound(Symbol symbol);
bool closes_compound(Symbol symbol);

/// Stands before a pipeline (!, time) or before a command (the others), and is no symbol of its
/// own.
struct Prefix {
  enum class Kind : std::uint8_t { kNegation, kTime, kFunction, kFor, kCoprocess };
  Kind kind = Kind::kNegation;
  std::uint32_t begin = 0;
  /// The statement for the last three, without its body.
  Statement shell;
};

/// What comes with a token that few tokens have.
struct Attachment {
  std::vector<Prefix> prefixes;           // before the token
  std::vector<Redirection> redirections;  // in the command, or after a closing symbol
};

struct Token {
  static constexpr std::uint32_t kNone = 0xffffffffu;

  Symbol symbol = Symbol::kCommand;
  Case::Terminator terminator = Case::Terminator::kBreak;  // of kTerminator
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t statement = kNone;   // of kCommand and kCase: index into Unit::statements
  std::uint32_t patterns = kNone;    // of kPattern: index into Unit::patterns
  std::uint32_t attachment = kNone;  // index into Unit::attachments
};

/// One list of commands: a script, or what is inside one substitution.
struct Unit {
  std::vector<Token> tokens;
  std::vector<Statement> statements;
  std::vector<std::vector<Word>> patterns;
  std::vector<Attachment> attachments;
};

}  // namespace recipelint::shell
