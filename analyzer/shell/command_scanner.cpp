#include "analyzer/shell/command_scanner.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "analyzer/shell/structure.h"

namespace recipelint::shell {

namespace {

/// A word that may follow a compound command without a separator.
bool continues_compound_command(std::string_view word) {
  static constexpr std::array<std::string_view, 8> kWords{"}",  "then", "elif", "else",
                                                          "fi", "do",   "done", "esac"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

}  // namespace

bool CommandScanner::scan(StatementList& statements) {
  Step step = Step::kGoOn;
  while (step == Step::kGoOn) {
    const WordScanner::Checkpoint start = words_.checkpoint();
    step = scan_step();
    if (step == Step::kFailed && until_ == Until::kEndWithRepair) {
      repair(start);
      step = Step::kGoOn;
    }
  }
  if (step == Step::kFailed) return false;
  statements = build_statements(unit_.finish(), words_);
  return true;
}

/// Replaces what could not be read since `start` by an Unparsed statement up to the end of the
/// line, with its continuations, on which the trouble starts. The text after it is read a second
/// time.
void CommandScanner::repair(const WordScanner::Checkpoint& start) {
  const WordScanner::Failure failure = *words_.failure();
  words_.go_back(start);
  const std::string_view text = words_.bytes(0, words_.end());
  std::size_t line_end = std::min(text.find('\n', failure.begin), text.size());
  while (line_end < text.size() && line_end > 0 && text[line_end - 1] == '\\') {
    line_end = std::min(text.find('\n', line_end + 1), text.size());
  }
  if (words_.state().exhausted()) line_end = text.size();
  const auto resume = static_cast<std::uint32_t>(line_end);
  words_.state().report(words_.span(failure.begin, resume), failure.message);
  words_.move_to(resume);
  unattached_.clear();
  unit_.push_unparsed(start.position, resume);
}

CommandScanner::Step CommandScanner::scan_step() {
  words_.skip_blanks();
  if (words_.at_end()) {
    // A script may end before its here-documents have begun.
    read_here_documents();
    return Step::kFinished;
  }
  if (words_.peek() == '\n') {
    scan_newline();
    return Step::kGoOn;
  }
  if (unit_.pattern_due()) return scan_case_pattern() ? Step::kGoOn : Step::kFailed;
  if (words_.peek() == ')') return scan_close_parenthesis();
  return scan_symbol();
}

CommandScanner::Step CommandScanner::scan_symbol() {
  const char c = words_.peek();
  const bool is_operator = (c == '&' && words_.peek(1) != '>') || c == ';' || c == '|';
  const std::string_view word = words_.bare_word();
  bool good = false;
  if (is_operator) {
    good = scan_operator();
  } else if (unit_.after_statement() && !continues_compound_command(word)) {
    good = words_.fail(words_.position(), "a command cannot start here");
  } else if (c == '(') {
    good = scan_open_parenthesis();
  } else {
    const auto reserved = scan_reserved_word(word);
    good = reserved ? *reserved : scan_simple_command();
  }
  return good ? Step::kGoOn : Step::kFailed;
}

void CommandScanner::scan_newline() {
  const std::uint32_t begin = words_.position();
  words_.advance();
  unit_.push_line_break(begin, words_.position());
  read_here_documents();
}

/// Like WordScanner::skip_blanks_and_newlines, where here-documents may begin.
void CommandScanner::skip_newlines() {
  words_.skip_blanks();
  while (!words_.at_end() && words_.peek() == '\n') {
    words_.advance();
    read_here_documents();
    words_.skip_blanks();
  }
}

CommandScanner::Step CommandScanner::scan_close_parenthesis() {
  if (!unit_.is_open(Symbol::kOpenParenthesis) && until_ == Until::kParenthesis)
    return Step::kFinished;
  const std::uint32_t begin = words_.position();
  words_.advance();
  unit_.push(Symbol::kCloseParenthesis, begin, words_.position());
  return scan_trailing_redirections() ? Step::kGoOn : Step::kFailed;
}

bool CommandScanner::scan_open_parenthesis() {
  if (words_.peek(1) == '(' && try_arithmetic_command()) return scan_trailing_redirections();
  const std::uint32_t begin = words_.position();
  if (!may_open(begin)) return false;
  words_.advance();
  unit_.push(Symbol::kOpenParenthesis, begin, words_.position());
  return true;
}

bool CommandScanner::scan_operator() {
  struct Operator {
    std::string_view text;
    Symbol symbol;
  };
  static constexpr std::array<Operator, 5> kOperators{{{"&&", Symbol::kAnd},
                                                       {"||", Symbol::kOr},
                                                       {"|&", Symbol::kPipeBoth},
                                                       {"|", Symbol::kPipe},
                                                       {"&", Symbol::kBackground}}};
  const std::uint32_t begin = words_.position();
  for (const Operator& candidate : kOperators) {
    if (!words_.looking_at(candidate.text)) continue;
    words_.advance(static_cast<std::uint32_t>(candidate.text.size()));
    unit_.push(candidate.symbol, begin, words_.position());
    return true;
  }
  if (scan_terminator()) return true;
  words_.advance();
  unit_.push(Symbol::kSeparator, begin, words_.position());
  return true;
}

bool CommandScanner::scan_terminator() {
  const std::uint32_t begin = words_.position();
  Case::Terminator terminator = Case::Terminator::kBreak;
  if (words_.looking_at(";;&")) {
    terminator = Case::Terminator::kContinueMatching;
    words_.advance(3);
  } else if (words_.looking_at(";&")) {
    terminator = Case::Terminator::kFallThrough;
    words_.advance(2);
  } else if (words_.looking_at(";;")) {
    words_.advance(2);
  } else {
    return false;
  }
  unit_.push(Symbol::kTerminator, begin, words_.position()).terminator = terminator;
  return true;
}

bool CommandScanner::scan_case_pattern() {
  const std::uint32_t begin = words_.position();
  if (words_.bare_word() == "esac") return scan_structure_word("esac", Symbol::kEsac);
  if (words_.peek() == '(') words_.advance();
  std::vector<Word> patterns;
  while (true) {
    words_.skip_blanks();
    const std::uint32_t before = words_.position();
    if (!words_.scan_word(patterns.emplace_back())) return false;
    if (words_.position() == before) return words_.fail(before, "a case pattern is missing");
    words_.skip_blanks();
    if (words_.peek() != '|') break;
    words_.advance();
  }
  if (words_.peek() != ')') return words_.fail(begin, "a case pattern has no \")\"");
  words_.advance();
  unit_.push_pattern(begin, words_.position(), std::move(patterns));
  return true;
}

bool CommandScanner::may_open(std::uint32_t begin) {
  const std::size_t depth = unit_.depth() + static_cast<std::size_t>(words_.state().nesting);
  if (depth < ScanState::kDeepestNesting) return true;
  return words_.fail(begin, "nested too deeply");
}

}  // namespace recipelint::shell
