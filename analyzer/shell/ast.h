#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "analyzer/text/span.h"

/// The syntax of a bash script, lowered from tree-sitter's tree (which it does not depend on) with
/// the grammar's known defects repaired. Built once per file, immutable, shared by all evaluations
/// and threads. Names follow the bash manual.
namespace recipelint::shell {

struct Statement;
struct Word;
using StatementList = std::vector<Statement>;

// ---------------------------------------------------------------------------------------- words

/// Text after quote removal. If the part is quoted it takes no part in brace expansion, globbing,
/// tilde expansion and pattern matching; an empty quoted literal keeps an empty word alive. Every
/// quoted string is a part of its own, and its span lies between the quotes: unless there are
/// escapes in it, the bytes of the span are the text.
struct Literal {
  std::string text;
};

enum class ParameterOperator : std::uint8_t {
  kNone,
  kDefault,               // ${v:-w}
  kAssignDefault,         // ${v:=w}
  kErrorIfUnset,          // ${v:?w}
  kAlternative,           // ${v:+w}
  kRemoveShortestPrefix,  // ${v#p}
  kRemoveLongestPrefix,   // ${v##p}
  kRemoveShortestSuffix,  // ${v%p}
  kRemoveLongestSuffix,   // ${v%%p}
  kReplaceFirst,          // ${v/p/r}
  kReplaceAll,            // ${v//p/r}
  kReplacePrefix,         // ${v/#p/r}
  kReplaceSuffix,         // ${v/%p/r}
  kUpperFirst,            // ${v^p}
  kUpperAll,              // ${v^^p}
  kLowerFirst,            // ${v,p}
  kLowerAll,              // ${v,,p}
  kSubstring,             // ${v:o} ${v:o:l}; operands are arithmetic
  kTransform,             // ${v@Q}: the letter is the text of the operand
};

/// $name, ${name}, ${name[subscript]op}, ${#name}, ${!name}, ${!prefix*}, ${!name[@]}.
struct ParameterExpansion {
  enum class Form : std::uint8_t {
    kValue,     // ${v...}
    kLength,    // ${#v}, ${#a[@]}; $# and ${#} are the kValue of "#"
    kIndirect,  // ${!v...}
    kNames,     // ${!prefix*}, ${!prefix@}: the operand text is "*" or "@"
    kKeys,      // ${!a[@]}, ${!a[*]}
  };
  enum class Subscript : std::uint8_t { kNone, kIndex, kAt, kStar };

  Form form = Form::kValue;
  /// A variable name, a positional parameter ("0", "1", "10") or one of "@", "*", "#", "?", "-",
  /// "$",
  /// "!", "_".
  std::string name;
  Subscript subscript = Subscript::kNone;
  /// For kIndex: the text between the brackets; arithmetic or, for associative arrays, a key.
  std::unique_ptr<Word> index;
  ParameterOperator op = ParameterOperator::kNone;
  /// ":-" rather than "-": an empty value counts as unset. Only for the first four operators.
  bool empty_counts_as_unset = false;
  std::unique_ptr<Word> operand;         // w, p or o; null if absent
  std::unique_ptr<Word> second_operand;  // r or l; null if absent
};

/// $(...) or `...`. `body` is null if the text is no valid script but bash would notice only when
/// it runs: between backquotes, and in a here-document, where such a part stands for the whole
/// body.
struct CommandSubstitution {
  std::unique_ptr<StatementList> body;
  /// Kept for messages, and for $(<file).
  text::Span body_span;
};

/// $((...)) and $[...]: the text between the parentheses, expanded like a double-quoted string
/// before it is read as an expression.
struct ArithmeticExpansion {
  std::unique_ptr<Word> expression;
};

/// <(...) or >(...).
struct ProcessSubstitution {
  bool reads_from_command = true;  // <(...)
  std::unique_ptr<StatementList> body;
};

struct WordPart {
  std::variant<Literal, ParameterExpansion, CommandSubstitution, ArithmeticExpansion,
               ProcessSubstitution>
      content;
  text::Span span;
  bool quoted = false;
};

/// One word as written: its parts in order, double quotes flattened into `quoted` of each part.
struct Word {
  std::vector<WordPart> parts;
  text::Span span;
};

// ----------------------------------------------------------------------------------- assignments

struct ArrayElement {
  std::unique_ptr<Word> subscript;  // null for a plain element
  Word value;
  bool appends = false;  // [i]+=value
};

/// name=value, name+=value, name[subscript]=value, name=(elements).
struct Assignment {
  std::string name;
  std::unique_ptr<Word> subscript;
  bool appends = false;
  /// A scalar value (an empty word for "name="), or the elements of an array.
  std::variant<Word, std::vector<ArrayElement>> value;
  text::Span span;
};

// ---------------------------------------------------------------------------------- redirections

struct Redirection {
  enum class Kind : std::uint8_t {
    kRead,          // < word
    kWrite,         // > word, >| word
    kAppend,        // >> word
    kReadWrite,     // <> word
    kWriteBoth,     // &> word, >& word (word not a number)
    kAppendBoth,    // &>> word
    kDuplicateIn,   // <& word (a number or "-")
    kDuplicateOut,  // >& word (a number or "-", an expansion, or any word after a descriptor)
    kHereDocument,  // << and <<-; target is the body, expanded unless the delimiter was quoted
    kHereString,    // <<< word
  };
  Kind kind = Kind::kRead;
  std::optional<int> descriptor;    // as written before the operator
  std::string descriptor_variable;  // {name}> form
  Word target;
  text::Span span;
};

// ------------------------------------------------------------------------------------- commands

/// Assignments before the name, words, redirections. Without words the assignments stay. unset,
/// test and [ are simple commands too, and so are declare, local, export, readonly and typeset;
/// arguments of the last five that look like assignments are in `words` as Assignment, because
/// their values undergo no splitting and may be arrays.
struct SimpleCommand {
  std::vector<Assignment> assignments;
  std::vector<std::variant<Word, Assignment>> words;
};

struct Pipeline {
  std::vector<Statement> commands;         // two or more
  std::vector<bool> pipes_standard_error;  // one shorter: |& after command i
};

/// a && b, a || b: left-associative, so a list is nested to the left.
struct AndOr {
  bool is_and = true;
  std::unique_ptr<Statement> left;
  std::unique_ptr<Statement> right;
};

struct Negation {
  std::unique_ptr<Statement> command;
};

struct Group {
  StatementList body;
};

struct Subshell {
  StatementList body;
};

struct If {
  struct Branch {
    StatementList condition;
    StatementList body;
  };
  std::vector<Branch> branches;  // if, elif...
  std::optional<StatementList> otherwise;
};

struct Loop {
  bool until = false;
  StatementList condition;
  StatementList body;
};

struct For {
  std::string variable;
  text::Span variable_span;
  /// Absent: "for x" without "in" runs over "$@".
  std::optional<std::vector<Word>> words;
  StatementList body;
  bool is_select = false;
};

/// for ((initialize; condition; step)): texts of arithmetic expressions; absent ones are null.
struct ArithmeticFor {
  std::unique_ptr<Word> initialize;
  std::unique_ptr<Word> condition;
  std::unique_ptr<Word> step;
  StatementList body;
};

struct Case {
  enum class Terminator : std::uint8_t { kBreak, kFallThrough, kContinueMatching };  // ;; ;& ;;&
  struct Item {
    std::vector<Word> patterns;
    StatementList body;
    Terminator terminator = Terminator::kBreak;
    text::Span span;
  };
  Word subject;
  std::vector<Item> items;
};

/// [[ expression ]].
struct Conditional {
  struct Expression {
    enum class Kind : std::uint8_t { kWord, kUnary, kBinary, kNot, kAnd, kOr };
    Kind kind = Kind::kWord;
    /// "-n", "-f", "==", "=~", "-lt", "<"; for kUnary and kBinary.
    std::string op;
    /// One word (kWord, kUnary) or two (kBinary).
    std::vector<Word> words;
    /// One (kNot) or two (kAnd, kOr).
    std::vector<Expression> operands;
    text::Span span;  // with the parentheses around it
  };
  Expression expression;
};

/// (( expression )).
struct ArithmeticCommand {
  Word expression;
};

struct FunctionDefinition {
  std::string name;
  text::Span name_span;
  /// Shared, since a function outlives the statement that defines it.
  std::shared_ptr<const Statement> body;
};

struct Coprocess {
  std::string name;  // "COPROC" if none is given
  std::unique_ptr<Statement> command;
};

/// A statement that could not be understood: it overlaps a syntax error, or nests too deeply.
struct Unparsed {};

struct Statement {
  std::variant<SimpleCommand, Pipeline, AndOr, Negation, Group, Subshell, If, Loop, For,
               ArithmeticFor, Case, Conditional, ArithmeticCommand, FunctionDefinition, Coprocess,
               Unparsed>
      command;
  std::vector<Redirection> redirections;
  text::Span span;
  bool background = false;  // followed by &
  bool timed = false;       // preceded by "time"
};

/// Something the parser could not read; the rest of the script is still good.
struct SyntaxProblem {
  text::Span span;
  std::string message;
};

struct Script {
  StatementList body;
  std::vector<SyntaxProblem> problems;
};

}  // namespace recipelint::shell
