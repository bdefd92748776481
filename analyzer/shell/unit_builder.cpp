#include "analyzer/shell/unit_builder.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace recipelint::shell {

namespace {

/// What a symbol belongs to that continues or closes a compound command. "until" counts as "while".
Symbol opener_of(Symbol symbol) {
  switch (symbol) {
    case Symbol::kCloseParenthesis:
      return Symbol::kOpenParenthesis;
    case Symbol::kCloseBrace:
      return Symbol::kOpenBrace;
    case Symbol::kCloseLoop:
      return Symbol::kOpenLoop;
    case Symbol::kThen:
    case Symbol::kElif:
    case Symbol::kElse:
    case Symbol::kFi:
      return Symbol::kIf;
    case Symbol::kUntil:
    case Symbol::kDo:
    case Symbol::kDone:
      return Symbol::kWhile;
    case Symbol::kPattern:
    case Symbol::kTerminator:
    case Symbol::kEsac:
      return Symbol::kCase;
    default:
      return symbol;
  }
}

/// bash takes these right after a compound command, the grammar only after a separator.
bool wants_separator_before(Symbol symbol) {
  return starts_statement(symbol) ||
         (symbol != Symbol::kCloseParenthesis && symbol != Symbol::kEsac &&
          symbol != Symbol::kPattern && symbol != Symbol::kTerminator &&
          (closes_compound(symbol) || continues_compound(symbol)));
}

/// After these a list of commands has to come, and bash takes no empty one.
bool expects_commands(Symbol symbol) {
  return (opens_compound(symbol) && symbol != Symbol::kCase) ||
         (continues_compound(symbol) && symbol != Symbol::kPattern &&
          symbol != Symbol::kTerminator);
}

}  // namespace

bool UnitBuilder::after_statement() const {
  return !unit_.tokens.empty() && ends_statement(unit_.tokens.back().symbol);
}

bool UnitBuilder::after_for_header() const {
  return !prefixes_.empty() && prefixes_.back().kind == Prefix::Kind::kFor;
}

bool UnitBuilder::pattern_due() const {
  if (open_.empty() || open_.back().opener != Symbol::kCase) return false;
  const Symbol last = unit_.tokens.back().symbol;
  return last == Symbol::kCase || last == Symbol::kTerminator;
}

bool UnitBuilder::is_open(Symbol opener) const {
  return std::any_of(open_.begin(), open_.end(),
                     [opener](const Open& open) { return open.opener == opener; });
}

bool UnitBuilder::is_innermost(Symbol first, Symbol second) const {
  const auto innermost = std::find_if(open_.rbegin(), open_.rend(), [&](const Open& open) {
    return open.opener == first || open.opener == second;
  });
  return innermost != open_.rend() && innermost->opener == first;
}

Attachment& UnitBuilder::attachment_of(Token& token) {
  if (token.attachment == Token::kNone) {
    token.attachment = static_cast<std::uint32_t>(unit_.attachments.size());
    unit_.attachments.emplace_back();
  }
  return unit_.attachments[token.attachment];
}

std::uint32_t UnitBuilder::add_statement(Statement statement) {
  unit_.statements.push_back(std::move(statement));
  return static_cast<std::uint32_t>(unit_.statements.size() - 1);
}

UnitBuilder::Follower UnitBuilder::follower_of(Symbol symbol) {
  if (symbol == Symbol::kOpenLoop) return Follower::kLoopBody;
  if (opens_compound(symbol)) return Follower::kCompound;
  return symbol == Symbol::kCommand ? Follower::kSimpleCommand : Follower::kNoStatement;
}

Token& UnitBuilder::append(Symbol symbol, std::uint32_t begin, std::uint32_t end) {
  if (wants_separator_before(symbol) && after_statement()) {
    Token& separator = unit_.tokens.emplace_back();
    separator.symbol = Symbol::kSeparator;
    separator.begin = separator.end = begin;
  }
  Token& token = unit_.tokens.emplace_back();
  token.symbol = symbol;
  token.begin = begin;
  token.end = std::max(begin, end);
  if (!prefixes_.empty() && starts_statement(symbol)) {
    attachment_of(token).prefixes = std::exchange(prefixes_, {});
  }
  return token;
}

Token& UnitBuilder::push(Symbol symbol, std::uint32_t begin, std::uint32_t end) {
  settle_prefixes(follower_of(symbol), begin);
  if (closes_compound(symbol) || continues_compound(symbol)) fill_empty_list(begin);
  const bool fits = closes_compound(symbol)      ? close_compound(symbol)
                    : continues_compound(symbol) ? continue_compound(symbol)
                                                 : true;
  if (!fits) {
    words_.state().report(words_.span(begin, end), "nothing is open that this belongs to");
    return push_unparsed(begin, end);
  }
  Token& token = append(symbol, begin, end);
  const auto index = static_cast<std::uint32_t>(unit_.tokens.size() - 1);
  if (opens_compound(symbol)) open_.push_back({opener_of(symbol), index, {}});
  if (continues_compound(symbol)) open_.back().others.push_back(index);
  return token;
}

Token& UnitBuilder::push_command(std::uint32_t begin, std::uint32_t end, Statement statement) {
  statement.span = words_.span(begin, std::max(begin, end));
  const bool is_simple = std::holds_alternative<SimpleCommand>(statement.command);
  settle_prefixes(is_simple ? Follower::kSimpleCommand : Follower::kCompound, begin);
  Token& token = append(Symbol::kCommand, begin, end);
  token.statement = add_statement(std::move(statement));
  return token;
}

Token& UnitBuilder::push_unparsed(std::uint32_t begin, std::uint32_t end) {
  Statement statement;
  statement.command = Unparsed{};
  return push_command(begin, end, std::move(statement));
}

Token& UnitBuilder::push_case(std::uint32_t begin, std::uint32_t end, Case header) {
  Statement statement;
  statement.command = std::move(header);
  const std::uint32_t index = add_statement(std::move(statement));
  Token& token = push(Symbol::kCase, begin, end);
  token.statement = index;
  return token;
}

Token& UnitBuilder::push_pattern(std::uint32_t begin, std::uint32_t end,
                                 std::vector<Word> patterns) {
  Token& token = push(Symbol::kPattern, begin, end);
  token.patterns = static_cast<std::uint32_t>(unit_.patterns.size());
  unit_.patterns.push_back(std::move(patterns));
  return token;
}

void UnitBuilder::push_line_break(std::uint32_t begin, std::uint32_t end) {
  settle_prefixes(Follower::kNoStatement, begin);
  if (after_statement()) append(Symbol::kSeparator, begin, end);
}

void UnitBuilder::push_prefix(Prefix::Kind kind, std::uint32_t begin, Statement shell) {
  // A loop header needs its body at once; only a loop header may come between a function and its
  // own.
  const bool ends_header =
      !prefixes_.empty() &&
      (prefixes_.back().kind == Prefix::Kind::kFor ||
       (prefixes_.back().kind == Prefix::Kind::kFunction && kind != Prefix::Kind::kFor));
  if (ends_header) {
    settle_prefixes(Follower::kNoStatement, begin);
    append(Symbol::kSeparator, begin, begin);
  }
  prefixes_.push_back({kind, begin, std::move(shell)});
}

/// "!" and "time" may stand alone; the other prefixes need a body.
void UnitBuilder::settle_prefixes(Follower follower, std::uint32_t begin) {
  if (prefixes_.empty()) return;
  Statement statement;
  switch (prefixes_.back().kind) {
    case Prefix::Kind::kFor:
      if (follower == Follower::kLoopBody) return;
      statement.command = Unparsed{};
      break;
    case Prefix::Kind::kFunction:
      if (follower == Follower::kCompound || follower == Follower::kLoopBody) return;
      statement.command = Unparsed{};
      break;
    case Prefix::Kind::kCoprocess:
      if (follower != Follower::kNoStatement) return;
      statement.command = Unparsed{};
      break;
    case Prefix::Kind::kNegation:
    case Prefix::Kind::kTime:
      if (follower != Follower::kNoStatement) return;
      break;
  }
  if (std::holds_alternative<Unparsed>(statement.command)) {
    const std::uint32_t prefix_begin = prefixes_.back().begin;
    words_.state().report(words_.span(prefix_begin, begin), "the body is missing");
  }
  statement.span = words_.span(begin, begin);
  Token& token = append(Symbol::kCommand, begin, begin);
  token.statement = add_statement(std::move(statement));
}

void UnitBuilder::fill_empty_list(std::uint32_t begin) {
  if (empty() || !expects_commands(unit_.tokens.back().symbol)) return;
  const std::uint32_t end = unit_.tokens.back().end;
  words_.state().report(words_.span(unit_.tokens.back().begin, end), "no command follows this");
  push_unparsed(end, begin);
}

bool UnitBuilder::continue_compound(Symbol symbol) {
  return !open_.empty() && open_.back().opener == opener_of(symbol);
}

/// Closes the innermost compound command of the kind, and abandons what is open within it.
bool UnitBuilder::close_compound(Symbol symbol) {
  if (!is_open(opener_of(symbol))) return false;
  while (open_.back().opener != opener_of(symbol)) {
    abandon(open_.back());
    open_.pop_back();
  }
  open_.pop_back();
  return true;
}

/// Takes a compound command out of the structure: an Unparsed statement stands where it began, and
/// the commands in it go on where it stood.
void UnitBuilder::abandon(const Open& open) {
  Token& first = unit_.tokens[open.token];
  const text::Span span = words_.span(first.begin, first.end);
  words_.state().report(span, "this is not closed");
  Statement statement;
  statement.command = Unparsed{};
  statement.span = span;
  first.symbol = Symbol::kUnparsed;
  first.statement = add_statement(std::move(statement));
  for (const std::uint32_t other : open.others) {
    const bool ends_command = unit_.tokens[other].symbol == Symbol::kTerminator &&
                              ends_statement(unit_.tokens[other - 1].symbol);
    unit_.tokens[other].symbol = ends_command ? Symbol::kSeparator : Symbol::kNothing;
  }
}

Unit UnitBuilder::finish() {
  settle_prefixes(Follower::kNoStatement, words_.position());
  for (; !open_.empty(); open_.pop_back()) abandon(open_.back());
  return std::move(unit_);
}

}  // namespace recipelint::shell
