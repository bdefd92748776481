#include "analyzer/shell/word_scanner.h"

#include <algorithm>
#include <array>
#include <utility>

#include "analyzer/shell/escapes.h"
#include "analyzer/shell/part_sink.h"

namespace recipelint::shell {

namespace {

using Stop = WordMode::Stop;
using Escapes = WordMode::Escapes;
using CharacterSet = std::array<bool, 256>;

constexpr CharacterSet characters(std::string_view members) {
  CharacterSet set{};
  for (const char c : members) set[static_cast<unsigned char>(c)] = true;
  return set;
}

bool contains(const CharacterSet& set, char c) {
  return set[static_cast<unsigned char>(c)];
}

constexpr CharacterSet kBlanks = characters(" \t");
constexpr CharacterSet kWordEnds = characters(" \t\n;&|()<>");

/// The characters that scan_parts looks at one by one; all others go into the literal in a run.
constexpr CharacterSet kSpecialInWord = characters(" \t\n;&|()<>\\'\"$`");
constexpr CharacterSet kSpecialInDoubleQuotes = characters("\\\"$`");
constexpr CharacterSet kSpecialInBraces = characters("}/\\'\"$`");
constexpr CharacterSet kSpecialInArithmetic = characters("()[]{}:;?\\'\"$`");

const CharacterSet& special_characters(Stop stop) {
  switch (stop) {
    case Stop::kWord:
    case Stop::kRegex:
      return kSpecialInWord;
    case Stop::kDoubleQuote:
    case Stop::kEnd:
      return kSpecialInDoubleQuotes;
    case Stop::kBrace:
    case Stop::kSlash:
      return kSpecialInBraces;
    case Stop::kColon:
    case Stop::kBracket:
    case Stop::kParenthesis:
    case Stop::kSemicolon:
      break;
  }
  return kSpecialInArithmetic;
}

bool is_escapable(Escapes escapes, char c) {
  switch (escapes) {
    case Escapes::kAll:
      return true;
    case Escapes::kDouble:
      return std::string_view("$`\"\\").find(c) != std::string_view::npos;
    case Escapes::kDoubleInBrace:
      return std::string_view("$`\"\\}").find(c) != std::string_view::npos;
    case Escapes::kHereDocument:
      break;
  }
  return std::string_view("$`\\").find(c) != std::string_view::npos;
}

constexpr WordMode kInDoubleQuotes{
    Stop::kDoubleQuote, Escapes::kDouble, Quoting::kQuoted, false, false, false};

}  // namespace

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool continues_name(char c) {
  return starts_name(c) || (c >= '0' && c <= '9');
}

bool ScanState::spend(std::size_t bytes) {
  work_left_ = bytes < work_left_ ? work_left_ - bytes : 0;
  return !exhausted();
}

void ScanState::report(text::Span span, std::string message) {
  if (problems_.size() < kMostProblems) {
    problems_.push_back({span, std::move(message)});
  } else {
    ++unlisted_problems_;
    last_unlisted_ = span;
  }
}

void ScanState::forget_problems(std::size_t count) {
  unlisted_problems_ = count > problems_.size() ? count - problems_.size() : 0;
  problems_.resize(std::min(problems_.size(), count));
}

std::vector<SyntaxProblem> ScanState::take_problems() {
  std::stable_sort(
      problems_.begin(), problems_.end(),
      [](const SyntaxProblem& a, const SyntaxProblem& b) { return a.span.begin < b.span.begin; });
  if (unlisted_problems_ > 0) {
    problems_.push_back(
        {last_unlisted_, std::to_string(unlisted_problems_) + " more places cannot be read"});
  }
  return std::move(problems_);
}

bool WordScanner::fail(std::uint32_t begin, std::string message) {
  if (!failure_) failure_ = Failure{begin, std::move(message)};
  return false;
}

void WordScanner::go_back(const Checkpoint& checkpoint) {
  state_.spend(position_ - checkpoint.position);
  state_.forget_problems(checkpoint.problem_count);
  failure_.reset();
  move_to(checkpoint.position);
}

std::string_view WordScanner::bare_word() const {
  std::uint32_t end = position_;
  while (end < end_ && !contains(kWordEnds, text_[end])) ++end;
  return bytes(position_, end);
}

void WordScanner::skip_blanks() {
  while (!at_end()) {
    if (contains(kBlanks, peek())) {
      advance();
    } else if (peek() == '\\' && peek(1) == '\n') {
      advance(2);
    } else {
      break;
    }
  }
  if (peek() != '#') return;
  const std::size_t newline = text_.find('\n', position_);
  move_to(newline < end_ ? static_cast<std::uint32_t>(newline) : end_);
}

void WordScanner::skip_blanks_and_newlines() {
  skip_blanks();
  while (!at_end() && peek() == '\n') {
    advance();
    skip_blanks();
  }
}

bool WordScanner::scan_parts(Word& word, WordMode mode) {
  const std::uint32_t begin = position_;
  PartSink sink(*this, word);
  const bool good = scan_into(sink, mode);
  sink.flush();
  word.span = span(begin, position_);
  return good;
}

/// What is open within one run of scan_into.
struct WordScanner::Depth {
  std::uint32_t parentheses = 0;
  std::uint32_t brackets = 0;
  std::uint32_t choices = 0;  // "?" of ?: that wait for their ":"
};

bool WordScanner::scan_into(PartSink& sink, const WordMode& mode) {
  const Nesting nesting(state_);
  if (nesting.too_deep()) return fail(position_, "nested too deeply");
  if (state_.exhausted()) return fail(position_, "too many unclosed constructs");
  const std::uint32_t begin = position_;
  Depth depth;
  if (mode.literal_first_slash && peek() == '/') scan_plain(sink, mode, depth);
  while (!at_end() && !stops(mode, depth, sink)) {
    if (!scan_part(sink, mode, depth)) return false;
  }
  const bool is_pattern = mode.stop == Stop::kWord || mode.stop == Stop::kRegex;
  if (is_pattern && depth.parentheses > 0) return fail(begin, "\"(\" is not closed");
  return true;
}

bool WordScanner::stops(const WordMode& mode, const Depth& depth, const PartSink& sink) const {
  const char c = peek();
  switch (mode.stop) {
    case Stop::kWord:
    case Stop::kRegex:
      return depth.parentheses == 0 && ends_word(mode, sink);
    case Stop::kDoubleQuote:
      return c == '"';
    case Stop::kBrace:
      return c == '}';
    case Stop::kSlash:
      return c == '/' || c == '}';
    case Stop::kColon:
      return depth.parentheses == 0 && ((c == ':' && depth.choices == 0) || c == '}');
    case Stop::kBracket:
      return c == ']' && depth.brackets == 0;
    case Stop::kParenthesis:
      return c == ')' && depth.parentheses == 0;
    case Stop::kSemicolon:
      return (c == ')' || c == ';') && depth.parentheses == 0;
    case Stop::kEnd:
      break;
  }
  return false;
}

bool WordScanner::ends_word(const WordMode& mode, const PartSink& sink) const {
  const char c = peek();
  if (!contains(kWordEnds, c)) return false;
  if (mode.stop == Stop::kRegex) return c != '(' && c != '|';
  if (c == '<' || c == '>') return peek(1) != '(';
  // ?(a|b) and the like: without extglob a syntax error, so nothing else can be meant.
  return c != '(' || !sink.ends_with_pattern_operator();
}

bool WordScanner::scan_part(PartSink& sink, const WordMode& mode, Depth& depth) {
  const char c = peek();
  if (c == '\\') return scan_escape(sink, mode);
  if (c == '$' && mode.expansions) return scan_dollar(sink, mode);
  if (c == '`' && mode.expansions) return scan_backquotes(sink, mode);
  if (c == '\'' && mode.single_quotes) return scan_single_quotes(sink);
  if (c == '"' && mode.double_quotes) return scan_double_quotes(sink);
  if ((c == '<' || c == '>') && mode.stop == Stop::kWord && peek(1) == '(') {
    return scan_process_substitution(sink);
  }
  scan_plain(sink, mode, depth);
  return true;
}

void WordScanner::scan_plain(PartSink& sink, const WordMode& mode, Depth& depth) {
  const CharacterSet& special = special_characters(mode.stop);
  const std::uint32_t begin = position_;
  const char first = peek();
  advance();
  if (first == '(') ++depth.parentheses;
  if (first == ')' && depth.parentheses > 0) --depth.parentheses;
  if (first == '[') ++depth.brackets;
  if (first == ']' && depth.brackets > 0) --depth.brackets;
  if (first == '?') ++depth.choices;
  if (first == ':' && depth.choices > 0) --depth.choices;
  while (!at_end() && !contains(special, peek())) advance();
  sink.add(begin, position_, mode.quoting);
}

bool WordScanner::scan_escape(PartSink& sink, const WordMode& mode) {
  const std::uint32_t begin = position_;
  advance();
  if (at_end()) {
    // bash drops a backslash at the very end of a script.
    if (mode.escapes != Escapes::kAll) sink.add(begin, position_, mode.quoting);
    return true;
  }
  const char escaped = peek();
  advance();
  if (escaped == '\n') return true;
  if (is_escapable(mode.escapes, escaped)) {
    sink.add_text(begin, position_, bytes(begin + 1, position_), Quoting::kQuoted);
  } else {
    sink.add(begin, position_, mode.quoting);
  }
  return true;
}

bool WordScanner::scan_single_quotes(PartSink& sink) {
  const std::uint32_t begin = position_;
  const std::size_t close = text_.find('\'', position_ + 1);
  if (close >= end_) {
    move_to(end_);
    return fail(begin, "single quote is not closed");
  }
  const auto end = static_cast<std::uint32_t>(close);
  sink.flush();
  sink.add_text(begin + 1, end, bytes(begin + 1, end), Quoting::kQuoted);
  sink.flush();
  move_to(end + 1);
  return true;
}

bool WordScanner::scan_ansi_quotes(PartSink& sink) {
  const std::uint32_t begin = position_;
  std::uint32_t end = begin + 2;
  while (end < end_ && text_[end] != '\'') end += text_[end] == '\\' ? 2 : 1;
  if (end >= end_) {
    move_to(end_);
    return fail(begin, "quote $' is not closed");
  }
  sink.flush();
  sink.add_text(begin + 2, end, expand_escapes(bytes(begin + 2, end), EscapeStyle::kAnsiC).text,
                Quoting::kQuoted);
  sink.flush();
  move_to(end + 1);
  return true;
}

bool WordScanner::scan_double_quotes(PartSink& sink) {
  const std::uint32_t begin = position_;
  advance();
  sink.flush();
  const std::size_t parts_before = sink.part_count();
  if (!scan_into(sink, kInDoubleQuotes)) return false;
  if (at_end()) return fail(begin, "double quote is not closed");
  sink.flush();
  advance();
  if (sink.part_count() == parts_before) {
    sink.add_text(begin, position_, {}, Quoting::kQuoted);
    sink.flush();
  }
  return true;
}

}  // namespace recipelint::shell
