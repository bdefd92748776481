// The expansions of a word: parameters, commands, arithmetic, process substitutions; and
// assignments.
#include <string_view>
#include <utility>

#include "analyzer/shell/command_scanner.h"
#include "analyzer/shell/part_sink.h"
#include "analyzer/shell/word_scanner.h"

namespace recipelint::shell {

namespace {

using Stop = WordMode::Stop;
using Escapes = WordMode::Escapes;
using Operator = ParameterOperator;
using Form = ParameterExpansion::Form;
using Subscript = ParameterExpansion::Subscript;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_special_parameter(char c) {
  return c != '\0' && std::string_view("@*#?-$!").find(c) != std::string_view::npos;
}

WordMode arithmetic_mode(Stop stop) {
  return {stop,
          Escapes::kDouble,
          Quoting::kQuoted,
          /*single_quotes=*/false,
          /*dollar_quotes=*/false,
          /*double_quotes=*/true};
}

/// w of ${v:-w}: within double quotes and here-documents only "..." and $'...' quote anew.
WordMode default_operand_mode(const WordMode& outer) {
  if (outer.quoting == Quoting::kUnquoted) return {Stop::kBrace};
  return {Stop::kBrace,           Escapes::kDoubleInBrace,
          Quoting::kQuoted,       /*single_quotes=*/false,
          /*dollar_quotes=*/true, /*double_quotes=*/true};
}

}  // namespace

bool WordScanner::scan_dollar(PartSink& sink, const WordMode& mode) {
  switch (peek(1)) {
    case '(':
      return scan_parenthesis_expansion(sink, mode.quoting);
    case '{':
      return scan_braced_parameter(sink, mode);
    case '[':
      return scan_bracket_arithmetic(sink, mode.quoting);
    case '\'':
      if (mode.dollar_quotes) return scan_ansi_quotes(sink);
      break;
    case '"':
      if (!mode.dollar_quotes) break;
      advance();
      return scan_double_quotes(sink);
    default:
      break;
  }
  return scan_plain_parameter(sink, mode);
}

bool WordScanner::scan_plain_parameter(PartSink& sink, const WordMode& mode) {
  const std::uint32_t begin = position_;
  advance();
  ParameterExpansion expansion;
  if (is_digit(peek())) {
    expansion.name = peek();
    advance();
  } else {
    expansion.name = take_parameter_name();
  }
  if (expansion.name.empty()) {
    sink.add(begin, position_, mode.quoting);
  } else {
    sink.add_expansion(begin, position_, std::move(expansion), mode.quoting);
  }
  return true;
}

bool WordScanner::scan_arithmetic(Word& word, Stop stop) {
  return scan_parts(word, arithmetic_mode(stop));
}

bool WordScanner::scan_parenthesis_expansion(PartSink& sink, Quoting quoting) {
  if (peek(2) != '(') return scan_command_substitution(sink, quoting);
  // $(( is arithmetic if )) closes it, else a command substitution that starts with a subshell.
  const std::uint32_t begin = position_;
  const Checkpoint start = checkpoint();
  advance(3);
  ArithmeticExpansion arithmetic{std::make_unique<Word>()};
  if (scan_arithmetic(*arithmetic.expression, Stop::kParenthesis) && looking_at("))")) {
    advance(2);
    sink.add_expansion(begin, position_, std::move(arithmetic), quoting);
    return true;
  }
  go_back(start);
  return scan_command_substitution(sink, quoting);
}

bool WordScanner::scan_bracket_arithmetic(PartSink& sink, Quoting quoting) {
  const std::uint32_t begin = position_;
  advance(2);
  ArithmeticExpansion arithmetic{std::make_unique<Word>()};
  if (!scan_arithmetic(*arithmetic.expression, Stop::kBracket)) return false;
  if (at_end()) return fail(begin, "$[ is not closed");
  advance();
  sink.add_expansion(begin, position_, std::move(arithmetic), quoting);
  return true;
}

/// `begin` is where the construct starts, the position is after its "(".
bool WordScanner::scan_parenthesized_list(std::uint32_t begin, StatementList& statements) {
  CommandScanner commands(*this, CommandScanner::Until::kParenthesis);
  if (!commands.scan(statements)) return false;
  if (at_end()) return fail(begin, "\"(\" is not closed");
  advance();
  return true;
}

bool WordScanner::scan_command_substitution(PartSink& sink, Quoting quoting) {
  const std::uint32_t begin = position_;
  advance(2);
  CommandSubstitution substitution;
  substitution.body = std::make_unique<StatementList>();
  if (!scan_parenthesized_list(begin, *substitution.body)) return false;
  substitution.body_span = span(begin + 2, position_ - 1);
  sink.add_expansion(begin, position_, std::move(substitution), quoting);
  return true;
}

bool WordScanner::scan_process_substitution(PartSink& sink) {
  const std::uint32_t begin = position_;
  ProcessSubstitution substitution;
  substitution.reads_from_command = peek() == '<';
  substitution.body = std::make_unique<StatementList>();
  advance(2);
  if (!scan_parenthesized_list(begin, *substitution.body)) return false;
  sink.add_expansion(begin, position_, std::move(substitution), Quoting::kUnquoted);
  return true;
}

bool WordScanner::scan_backquotes(PartSink& sink, const WordMode& mode) {
  const std::uint32_t begin = position_;
  std::uint32_t close = begin + 1;
  while (close < end_ && text_[close] != '`') close += text_[close] == '\\' ? 2 : 1;
  if (close >= end_) {
    move_to(end_);
    return fail(begin, "backquote is not closed");
  }
  CommandSubstitution substitution;
  substitution.body = scan_backquoted(begin + 1, close, mode);
  substitution.body_span = span(begin + 1, close);
  move_to(close + 1);
  sink.add_expansion(begin, position_, std::move(substitution), mode.quoting);
  return true;
}

/// The commands between backquotes; null if they are no valid script, which bash notices only when
/// it runs them.
std::unique_ptr<StatementList> WordScanner::scan_backquoted(std::uint32_t begin, std::uint32_t end,
                                                            const WordMode& mode) {
  const std::string_view escapable = mode.stop == Stop::kDoubleQuote ? "`\\$\"" : "`\\$";
  DerivedText unescaped(input_);
  std::uint32_t kept = begin;
  for (std::uint32_t i = begin; i + 1 < end; ++i) {
    if (text_[i] != '\\') continue;
    if (escapable.find(text_[i + 1]) != std::string_view::npos) {
      unescaped.keep(kept, i);
      kept = i + 1;
    }
    ++i;
  }
  unescaped.keep(kept, end);
  const Input inner = unescaped.input();
  WordScanner scanner(state_, inner, 0, static_cast<std::uint32_t>(inner.text().size()));
  auto statements = std::make_unique<StatementList>();
  CommandScanner commands(scanner, CommandScanner::Until::kEnd);
  if (commands.scan(*statements)) return statements;
  const Failure& failure = *scanner.failure();
  state_.report(scanner.span(failure.begin, scanner.end()), failure.message);
  return nullptr;
}

// ---------------------------------------------------------------------------------- parameters

std::string_view WordScanner::take_name() {
  const std::uint32_t begin = position_;
  if (!starts_name(peek())) return {};
  while (continues_name(peek())) advance();
  return bytes(begin, position_);
}

/// A name, a number or one special character; empty if none stands here.
std::string_view WordScanner::take_parameter_name() {
  const std::uint32_t begin = position_;
  if (starts_name(peek())) return take_name();
  while (is_digit(peek())) advance();
  if (position_ == begin && is_special_parameter(peek())) advance();
  return bytes(begin, position_);
}

bool WordScanner::scan_braced_parameter(PartSink& sink, const WordMode& mode) {
  const std::uint32_t begin = position_;
  advance(2);
  ParameterExpansion expansion;
  if (!scan_parameter(expansion, mode)) return false;
  if (at_end()) return fail(begin, "\"${\" is not closed");
  if (peek() != '}') return fail(begin, "bash does not know this expansion");
  advance();
  sink.add_expansion(begin, position_, std::move(expansion), mode.quoting);
  return true;
}

bool WordScanner::scan_parameter(ParameterExpansion& expansion, const WordMode& mode) {
  if (peek() == '#' && try_length(expansion)) return true;
  const char next = peek(1);
  if (peek() == '!' && (continues_name(next) || next == '@' || next == '*' || next == '#')) {
    advance();
    expansion.form = Form::kIndirect;
  }
  return scan_named_parameter(expansion, mode);
}

/// ${#name} and ${#name[i]}; but ${#} and ${#:-w} are about the number of positional parameters.
bool WordScanner::try_length(ParameterExpansion& expansion) {
  const Checkpoint start = checkpoint();
  ParameterExpansion length;
  length.form = Form::kLength;
  advance();
  length.name = take_parameter_name();
  if (!length.name.empty() && scan_subscript(length) && peek() == '}') {
    expansion = std::move(length);
    return true;
  }
  go_back(start);
  return false;
}

bool WordScanner::scan_named_parameter(ParameterExpansion& expansion, const WordMode& mode) {
  const std::uint32_t begin = position_;
  expansion.name = take_parameter_name();
  if (expansion.name.empty()) return fail(begin, "bash does not know this expansion");
  if (!scan_subscript(expansion)) return false;
  const bool whole_array =
      expansion.subscript == Subscript::kAt || expansion.subscript == Subscript::kStar;
  if (expansion.form == Form::kIndirect && whole_array && peek() == '}') {
    expansion.form = Form::kKeys;
  } else if (expansion.form == Form::kIndirect && (peek() == '@' || peek() == '*') &&
             peek(1) == '}') {
    expansion.form = Form::kNames;
    return scan_operand(expansion.operand, {Stop::kBrace});
  }
  return scan_operator(expansion, mode);
}

bool WordScanner::scan_subscript(ParameterExpansion& expansion) {
  if (peek() != '[' || !starts_name(expansion.name.front())) return true;
  const std::uint32_t begin = position_;
  if (looking_at("[@]") || looking_at("[*]")) {
    expansion.subscript = peek(1) == '@' ? Subscript::kAt : Subscript::kStar;
    advance(3);
    return true;
  }
  advance();
  expansion.subscript = Subscript::kIndex;
  if (!scan_operand(expansion.index, {Stop::kBracket})) return false;
  if (at_end()) return fail(begin, "\"[\" is not closed");
  advance();
  return true;
}

bool WordScanner::scan_operand(std::unique_ptr<Word>& operand, const WordMode& mode) {
  operand = std::make_unique<Word>();
  return scan_parts(*operand, mode);
}

bool WordScanner::scan_operator(ParameterExpansion& expansion, const WordMode& mode) {
  switch (peek()) {
    case '-':
    case '=':
    case '?':
    case '+':
      return scan_default_operator(expansion, mode);
    case ':':
      advance();
      if (peek() != '\0' && std::string_view("-=?+").find(peek()) != std::string_view::npos) {
        expansion.empty_counts_as_unset = true;
        return scan_default_operator(expansion, mode);
      }
      return scan_substring(expansion);
    case '#':
    case '%':
    case '^':
    case ',':
      return scan_pattern_operator(expansion);
    case '/':
      return scan_replacement(expansion);
    case '@':
      advance();
      expansion.op = Operator::kTransform;
      return scan_operand(expansion.operand, {Stop::kBrace});
    default:
      return true;
  }
}

bool WordScanner::scan_default_operator(ParameterExpansion& expansion, const WordMode& mode) {
  switch (peek()) {
    case '-':
      expansion.op = Operator::kDefault;
      break;
    case '=':
      expansion.op = Operator::kAssignDefault;
      break;
    case '?':
      expansion.op = Operator::kErrorIfUnset;
      break;
    default:
      expansion.op = Operator::kAlternative;
      break;
  }
  advance();
  return scan_operand(expansion.operand, default_operand_mode(mode));
}

bool WordScanner::scan_pattern_operator(ParameterExpansion& expansion) {
  const char c = peek();
  advance();
  const bool doubled = peek() == c;
  if (doubled) advance();
  switch (c) {
    case '#':
      expansion.op = doubled ? Operator::kRemoveLongestPrefix : Operator::kRemoveShortestPrefix;
      break;
    case '%':
      expansion.op = doubled ? Operator::kRemoveLongestSuffix : Operator::kRemoveShortestSuffix;
      break;
    case '^':
      expansion.op = doubled ? Operator::kUpperAll : Operator::kUpperFirst;
      break;
    default:
      expansion.op = doubled ? Operator::kLowerAll : Operator::kLowerFirst;
      break;
  }
  return scan_operand(expansion.operand, {Stop::kBrace});
}

bool WordScanner::scan_replacement(ParameterExpansion& expansion) {
  advance();
  expansion.op = Operator::kReplaceFirst;
  if (peek() == '/') expansion.op = Operator::kReplaceAll;
  if (peek() == '#') expansion.op = Operator::kReplacePrefix;
  if (peek() == '%') expansion.op = Operator::kReplaceSuffix;
  if (expansion.op != Operator::kReplaceFirst) advance();
  expansion.operand = std::make_unique<Word>();
  WordMode pattern{Stop::kSlash};
  // In ${v////-} the third slash is the pattern.
  pattern.literal_first_slash = expansion.op == Operator::kReplaceAll;
  if (!scan_parts(*expansion.operand, pattern)) return false;
  if (peek() != '/') return true;
  advance();
  return scan_operand(expansion.second_operand, {Stop::kBrace});
}

bool WordScanner::scan_substring(ParameterExpansion& expansion) {
  expansion.op = Operator::kSubstring;
  if (!scan_operand(expansion.operand, arithmetic_mode(Stop::kColon))) return false;
  if (peek() != ':') return true;
  advance();
  return scan_operand(expansion.second_operand, arithmetic_mode(Stop::kBrace));
}

// --------------------------------------------------------------------------------- assignments

/// [subscript]; null, at the same position, if the bracket is not closed.
std::unique_ptr<Word> WordScanner::try_subscript() {
  const Checkpoint start = checkpoint();
  advance();
  std::unique_ptr<Word> subscript;
  if (scan_operand(subscript, {Stop::kBracket}) && !at_end()) {
    advance();
    return subscript;
  }
  go_back(start);
  return nullptr;
}

std::optional<Assignment> WordScanner::try_assignment() {
  const Checkpoint start = checkpoint();
  Assignment assignment;
  assignment.name = take_name();
  if (!assignment.name.empty() && peek() == '[') assignment.subscript = try_subscript();
  assignment.appends = looking_at("+=");
  if (assignment.name.empty() || (peek() != '=' && !assignment.appends)) {
    go_back(start);
    return std::nullopt;
  }
  advance(assignment.appends ? 2 : 1);
  if (!scan_assignment(assignment)) return std::nullopt;
  assignment.span = span(start.position, position_);
  return assignment;
}

bool WordScanner::scan_assignment(Assignment& assignment) {
  if (peek() == '(') return scan_array(assignment.value.emplace<std::vector<ArrayElement>>());
  return scan_word(assignment.value.emplace<Word>());
}

bool WordScanner::scan_array(std::vector<ArrayElement>& elements) {
  const std::uint32_t begin = position_;
  advance();
  while (true) {
    skip_blanks_and_newlines();
    if (at_end()) return fail(begin, "the list of array elements is not closed");
    if (peek() == ')') break;
    const std::uint32_t before = position_;
    if (!scan_array_element(elements.emplace_back())) return false;
    if (position_ == before) return fail(before, "unexpected character in an array");
  }
  advance();
  return true;
}

bool WordScanner::scan_array_element(ArrayElement& element) {
  if (peek() == '[') {
    const Checkpoint start = checkpoint();
    element.subscript = try_subscript();
    element.appends = looking_at("+=");
    if (element.subscript != nullptr && (peek() == '=' || element.appends)) {
      advance(element.appends ? 2 : 1);
      return scan_word(element.value);
    }
    element = ArrayElement{};
    go_back(start);
  }
  return scan_word(element.value);
}

}  // namespace recipelint::shell
