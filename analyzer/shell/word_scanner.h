#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/shell/ast.h"
#include "analyzer/shell/input.h"

namespace recipelint::shell {

class PartSink;

/// What all scanners of one script share: the problems found and the limits that keep hostile input
/// from costing more than its size warrants.
class ScanState {
 public:
  /// Deeper nesting of expansions and compound commands is not followed.
  static constexpr int kDeepestNesting = 200;

  explicit ScanState(std::size_t text_size) : work_left_(kFreeWork + kWorkPerByte * text_size) {}

  /// Pays for reading `bytes` a second time (after a wrong guess or an error). False once the
  /// allowance is used up.
  bool spend(std::size_t bytes);
  bool exhausted() const { return work_left_ == 0; }

  /// Notes a problem. Beyond a number of them, only how many there are.
  void report(text::Span span, std::string message);
  /// Forgets what was noted after there were `count` problems.
  std::size_t problem_count() const { return problems_.size() + unlisted_problems_; }
  void forget_problems(std::size_t count);
  /// What was noted, in the order of the text.
  std::vector<SyntaxProblem> take_problems();

  int nesting = 0;
  /// A "shopt -s extglob" came before.
  bool extended_patterns = false;

 private:
  static constexpr std::size_t kFreeWork = std::size_t{1} << 20u;
  static constexpr std::size_t kWorkPerByte = 4;

  static constexpr std::size_t kMostProblems = 100;

  std::size_t work_left_;
  std::vector<SyntaxProblem> problems_;
  std::size_t unlisted_problems_ = 0;
  text::Span last_unlisted_;
};

/// Counts as one level of nesting as long as it lives.
class Nesting {
 public:
  explicit Nesting(ScanState& state) : state_(state) { ++state_.nesting; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  ~Nesting() { --state_.nesting; }

  bool too_deep() const { return state_.nesting > ScanState::kDeepestNesting; }

 private:
  ScanState& state_;
};

enum class Quoting : std::uint8_t { kUnquoted, kQuoted };

/// How the characters of a word are read: where it ends, and which of them are special.
struct WordMode {
  enum class Stop : std::uint8_t {
    kWord,         // at a blank or metacharacter
    kRegex,        // like kWord, but ( | and what is between parentheses belong to the word
    kDoubleQuote,  // at "
    kBrace,        // at }
    kSlash,        // at / or }
    kColon,        // at : (outside of ?: and parentheses) or }
    kBracket,      // at the matching ]
    kParenthesis,  // at the matching )
    kSemicolon,    // at ; or the matching )
    kEnd,          // at the end of the text
  };
  enum class Escapes : std::uint8_t {
    kAll,            // backslash quotes every character
    kDouble,         // $ ` " \ and newline
    kDoubleInBrace,  // these and }
    kHereDocument,   // $ ` \ and newline
  };
  Stop stop = Stop::kWord;
  Escapes escapes = Escapes::kAll;
  /// What stands outside of inner quotes counts as quoted.
  Quoting quoting = Quoting::kUnquoted;
  bool single_quotes = true;         // '...' quotes
  bool dollar_quotes = true;         // $'...' and $"..." quote
  bool double_quotes = true;         // "..." quotes
  bool expansions = true;            // $ and ` expand
  bool literal_first_slash = false;  // a slash right at the beginning does not stop
};

/// Reads words: quotes, escapes and expansions, with the commands in them. A position in a text
/// that moves forward; every scan_ function reads one construct from there and returns false if it
/// cannot (failure() says why).
class WordScanner {
 public:
  WordScanner(ScanState& state, const Input& input, std::uint32_t begin, std::uint32_t end)
      : state_(state), input_(input), text_(input.text()), position_(begin), end_(end) {}

  struct Failure {
    std::uint32_t begin = 0;  // of the construct that is not closed
    std::string message;
  };

  [[nodiscard]] bool scan_word(Word& word) { return scan_parts(word, WordMode{}); }
  [[nodiscard]] bool scan_parts(Word& word, WordMode mode);
  /// The text of an arithmetic expression up to the parenthesis that closes it (not consumed).
  [[nodiscard]] bool scan_arithmetic(Word& word, WordMode::Stop stop);
  /// name=value, name[subscript]+=value, name=(...); nullopt, at the same position, if none stands
  /// here.
  std::optional<Assignment> try_assignment();

  std::uint32_t position() const { return position_; }
  std::uint32_t end() const { return end_; }
  void move_to(std::uint32_t position) { position_ = position; }
  void advance(std::uint32_t count = 1) { position_ += count; }
  bool at_end() const { return position_ >= end_; }
  /// The byte `ahead` bytes after the position; NUL beyond the end.
  char peek(std::uint32_t ahead = 0) const {
    return position_ + ahead < end_ ? text_[position_ + ahead] : '\0';
  }
  bool looking_at(std::string_view text) const {
    return text_.substr(position_, end_ - position_).substr(0, text.size()) == text;
  }
  /// The bytes from the position up to the next blank or metacharacter.
  std::string_view bare_word() const;
  /// Skips blanks, line continuations and a comment.
  void skip_blanks();
  void skip_blanks_and_newlines();

  text::Span span(std::uint32_t begin, std::uint32_t end) const { return input_.span(begin, end); }
  std::string_view bytes(std::uint32_t begin, std::uint32_t end) const {
    return text_.substr(begin, end - begin);
  }
  const Input& input() const { return input_; }
  ScanState& state() { return state_; }

  bool fail(std::uint32_t begin, std::string message);
  const std::optional<Failure>& failure() const { return failure_; }

  /// Where to go back to if a guess turns out wrong.
  struct Checkpoint {
    std::uint32_t position = 0;
    std::size_t problem_count = 0;
  };
  Checkpoint checkpoint() const { return {position_, state_.problem_count()}; }
  /// Goes back as if nothing had been read since, and pays for what will be read again.
  void go_back(const Checkpoint& checkpoint);

 private:
  struct Depth;

  bool scan_into(PartSink& sink, const WordMode& mode);
  bool stops(const WordMode& mode, const Depth& depth, const PartSink& sink) const;
  bool ends_word(const WordMode& mode, const PartSink& sink) const;
  bool scan_part(PartSink& sink, const WordMode& mode, Depth& depth);
  void scan_plain(PartSink& sink, const WordMode& mode, Depth& depth);
  bool scan_escape(PartSink& sink, const WordMode& mode);
  bool scan_single_quotes(PartSink& sink);
  bool scan_ansi_quotes(PartSink& sink);
  bool scan_double_quotes(PartSink& sink);

  bool scan_dollar(PartSink& sink, const WordMode& mode);
  bool scan_plain_parameter(PartSink& sink, const WordMode& mode);
  bool scan_parenthesis_expansion(PartSink& sink, Quoting quoting);
  bool scan_bracket_arithmetic(PartSink& sink, Quoting quoting);
  bool scan_command_substitution(PartSink& sink, Quoting quoting);
  bool scan_process_substitution(PartSink& sink);
  bool scan_backquotes(PartSink& sink, const WordMode& mode);
  std::unique_ptr<StatementList> scan_backquoted(std::uint32_t begin, std::uint32_t end,
                                                 const WordMode& mode);
  bool scan_parenthesized_list(std::uint32_t begin, StatementList& statements);

  bool scan_braced_parameter(PartSink& sink, const WordMode& mode);
  bool scan_parameter(ParameterExpansion& expansion, const WordMode& mode);
  bool try_length(ParameterExpansion& expansion);
  bool scan_named_parameter(ParameterExpansion& expansion, const WordMode& mode);
  bool scan_subscript(ParameterExpansion& expansion);
  bool scan_operator(ParameterExpansion& expansion, const WordMode& mode);
  bool scan_default_operator(ParameterExpansion& expansion, const WordMode& mode);
  bool scan_pattern_operator(ParameterExpansion& expansion);
  bool scan_replacement(ParameterExpansion& expansion);
  bool scan_substring(ParameterExpansion& expansion);
  bool scan_operand(std::unique_ptr<Word>& operand, const WordMode& mode);
  std::string_view take_parameter_name();
  std::string_view take_name();

  bool scan_array(std::vector<ArrayElement>& elements);
  bool scan_array_element(ArrayElement& element);
  bool scan_assignment(Assignment& assignment);
  std::unique_ptr<Word> try_subscript();

  ScanState& state_;
  const Input& input_;
  std::string_view text_;
  std::uint32_t position_;
  std::uint32_t end_;
  std::optional<Failure> failure_;
};

/// True for a letter or underscore, and for these and digits.
bool starts_name(char c);
bool continues_name(char c);

}  // namespace recipelint::shell
