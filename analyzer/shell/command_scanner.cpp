#include "analyzer/shell/command_scanner.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "analyzer/shell/structure.h"

namespace recipelint::shell {

namespace {

bool ends_statement(Symbol symbol) {
  switch (symbol) {
    case Symbol::kCommand:
    case Symbol::kCloseParenthesis:
    case Symbol::kCloseBrace:
    case Symbol::kFi:
    case Symbol::kDone:
    case Symbol::kEsac:
      return true;
    default:
      return false;
  }
}

/// Symbols that bash takes right after a compound command, but the grammar only after a separator.
bool wants_separator_before(Symbol symbol) {
  switch (symbol) {
    case Symbol::kCloseBrace:
    case Symbol::kThen:
    case Symbol::kElif:
    case Symbol::kElse:
    case Symbol::kFi:
    case Symbol::kDo:
    case Symbol::kDone:
      return true;
    default:
      return false;
  }
}

bool starts_statement(Symbol symbol) {
  switch (symbol) {
    case Symbol::kCommand:
    case Symbol::kOpenParenthesis:
    case Symbol::kOpenBrace:
    case Symbol::kIf:
    case Symbol::kWhile:
    case Symbol::kUntil:
    case Symbol::kCase:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool CommandScanner::scan(StatementList& statements) {
  Step step = Step::kGoOn;
  while (step == Step::kGoOn) {
    const std::uint32_t begin = words_.position();
    step = scan_step();
    if (step == Step::kFailed && until_ == Until::kEndWithRepair && repair(begin)) {
      step = Step::kGoOn;
    }
  }
  if (step == Step::kFailed) return false;
  settle_prefixes(Symbol::kSeparator, words_.position());
  statements = build_statements(std::move(unit_), words_);
  return true;
}

/// Replaces what could not be read from `begin` on by an Unparsed statement up to the end of the
/// line on which the trouble starts. The text after it is read a second time, which has to be paid.
bool CommandScanner::repair(std::uint32_t begin) {
  const auto failure = *words_.failure();
  words_.clear_failure();
  const std::string_view text = words_.bytes(0, words_.end());
  std::size_t line_end = text.find('\n', failure.begin);
  while (line_end != std::string_view::npos && line_end > 0 && text[line_end - 1] == '\\') {
    line_end = text.find('\n', line_end + 1);
  }
  const auto resume = static_cast<std::uint32_t>(std::min<std::size_t>(line_end, text.size()));
  const bool affordable = words_.state().spend(words_.end() - resume);
  words_.move_to(affordable ? resume : words_.end());
  unattached_.clear();
  words_.state().problems.push_back({words_.span(failure.begin, resume), failure.message});
  Statement unparsed;
  unparsed.command = Unparsed{};
  push_command(begin, std::max(words_.position(), begin), std::move(unparsed));
  return true;
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
  if (pattern_due_) return scan_case_pattern() ? Step::kGoOn : Step::kFailed;
  if (words_.peek() == ')') return scan_close_parenthesis();
  return scan_symbol();
}

CommandScanner::Step CommandScanner::scan_symbol() {
  bool good = false;
  const char c = words_.peek();
  if (c == '(') {
    good = scan_open_parenthesis();
  } else if ((c == '&' && words_.peek(1) != '>') || c == ';' || c == '|') {
    good = scan_operator();
  } else {
    const auto reserved = scan_reserved_word(words_.bare_word());
    good = reserved ? *reserved : scan_simple_command();
  }
  return good ? Step::kGoOn : Step::kFailed;
}

void CommandScanner::scan_newline() {
  const std::uint32_t begin = words_.position();
  words_.advance();
  settle_prefixes(Symbol::kSeparator, begin);
  if (after_statement()) push(Symbol::kSeparator, begin, words_.position());
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
  const bool is_ours =
      std::find(open_.begin(), open_.end(), Symbol::kOpenParenthesis) != open_.end();
  if (!is_ours && until_ == Until::kParenthesis) return Step::kFinished;
  const std::uint32_t begin = words_.position();
  words_.advance();
  close(Symbol::kOpenParenthesis);
  push(Symbol::kCloseParenthesis, begin, words_.position());
  return scan_trailing_redirections() ? Step::kGoOn : Step::kFailed;
}

bool CommandScanner::scan_open_parenthesis() {
  if (words_.peek(1) == '(' && try_arithmetic_command()) return true;
  if (words_.failure()) return false;
  const std::uint32_t begin = words_.position();
  words_.advance();
  push(Symbol::kOpenParenthesis, begin, words_.position());
  return open(Symbol::kOpenParenthesis);
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
    push(candidate.symbol, begin, words_.position());
    return true;
  }
  if (scan_terminator()) return true;
  words_.advance();
  push(Symbol::kSeparator, begin, words_.position());
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
  push(Symbol::kTerminator, begin, words_.position()).terminator = terminator;
  pattern_due_ = !open_.empty() && open_.back() == Symbol::kCase;
  return true;
}

bool CommandScanner::scan_case_pattern() {
  const std::uint32_t begin = words_.position();
  if (words_.bare_word() == "esac") {
    pattern_due_ = false;
    return scan_structure_word("esac", Symbol::kEsac);
  }
  pattern_due_ = false;
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
  Token& token = push(Symbol::kPattern, begin, words_.position());
  token.patterns = static_cast<std::uint32_t>(unit_.patterns.size());
  unit_.patterns.push_back(std::move(patterns));
  return true;
}

// ------------------------------------------------------------------------------------- tokens

bool CommandScanner::after_statement() const {
  return !unit_.tokens.empty() && ends_statement(unit_.tokens.back().symbol);
}

Attachment& CommandScanner::attachment_of(Token& token) {
  if (token.attachment == Token::kNone) {
    token.attachment = static_cast<std::uint32_t>(unit_.attachments.size());
    unit_.attachments.emplace_back();
  }
  return unit_.attachments[token.attachment];
}

Token& CommandScanner::push(Symbol symbol, std::uint32_t begin, std::uint32_t end) {
  settle_prefixes(symbol, begin);
  if (wants_separator_before(symbol) && after_statement()) {
    unit_.tokens.push_back({.symbol = Symbol::kSeparator, .begin = begin, .end = begin});
  }
  Token& token = unit_.tokens.emplace_back();
  token.symbol = symbol;
  token.begin = begin;
  token.end = end;
  if (!prefixes_.empty()) attachment_of(token).prefixes = std::exchange(prefixes_, {});
  return token;
}

Token& CommandScanner::push_command(std::uint32_t begin, std::uint32_t end, Statement statement) {
  statement.span = words_.span(begin, end);
  Token& token = push(Symbol::kCommand, begin, end);
  token.statement = static_cast<std::uint32_t>(unit_.statements.size());
  unit_.statements.push_back(std::move(statement));
  return token;
}

void CommandScanner::push_prefix(Prefix::Kind kind, std::uint32_t begin, Statement shell) {
  prefixes_.push_back({kind, begin, std::move(shell)});
}

/// "!" and "time" may stand alone; other prefixes without a command behind them are an error.
void CommandScanner::settle_prefixes(Symbol next, std::uint32_t begin) {
  if (prefixes_.empty() || starts_statement(next)) return;
  Statement empty;
  empty.span = words_.span(begin, begin);
  const Prefix& last = prefixes_.back();
  if (last.kind != Prefix::Kind::kNegation && last.kind != Prefix::Kind::kTime) {
    empty.command = Unparsed{};
    words_.state().problems.push_back({words_.span(last.begin, begin), "the body is missing"});
  }
  push_command(begin, begin, std::move(empty));
}

bool CommandScanner::open(Symbol symbol) {
  open_.push_back(symbol);
  const auto depth = static_cast<int>(open_.size()) + words_.state().nesting;
  if (depth <= ScanState::kDeepestNesting) return true;
  open_.pop_back();
  unit_.tokens.pop_back();
  return words_.fail(words_.position() - 1, "nested too deeply");
}

/// Closes the innermost `symbol` and whatever is left open within it.
void CommandScanner::close(Symbol symbol) {
  const auto innermost = std::find(open_.rbegin(), open_.rend(), symbol);
  if (innermost != open_.rend()) open_.erase(innermost.base() - 1, open_.end());
}

}  // namespace recipelint::shell
