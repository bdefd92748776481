// Simple commands, redirections and here-documents.
#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/shell/command_scanner.h"

namespace recipelint::shell {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The text of a word that consists of one unquoted literal; empty for other words.
std::string_view plain_text(const Word& word) {
  if (word.parts.size() != 1 || word.parts.front().quoted) return {};
  const auto* literal = std::get_if<Literal>(&word.parts.front().content);
  return literal != nullptr ? std::string_view(literal->text) : std::string_view();
}

bool is_declaration(std::string_view name) {
  static constexpr std::array<std::string_view, 5> kNames{"declare", "export", "local", "readonly",
                                                          "typeset"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

/// Digits and an optional "-", or "-" alone: what >& and <& take as a descriptor.
bool is_descriptor(std::string_view text) {
  if (text == "-") return true;
  if (!text.empty() && text.back() == '-') text.remove_suffix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

/// ">& word" duplicates a descriptor unless the word can only be the name of a file.
Redirection::Kind kind_of_output_duplication(const Redirection& redirection) {
  const bool has_descriptor =
      redirection.descriptor.has_value() || !redirection.descriptor_variable.empty();
  const std::string_view text = plain_text(redirection.target);
  const bool expands = std::any_of(
      redirection.target.parts.begin(), redirection.target.parts.end(),
      [](const WordPart& part) { return !std::holds_alternative<Literal>(part.content); });
  if (has_descriptor || expands || is_descriptor(text)) return Redirection::Kind::kDuplicateOut;
  return Redirection::Kind::kWriteBoth;
}

constexpr WordMode kHereDocumentMode{WordMode::Stop::kEnd,    WordMode::Escapes::kHereDocument,
                                     Quoting::kQuoted,
                                     /*single_quotes=*/false,
                                     /*dollar_quotes=*/false,
                                     /*double_quotes=*/false};

}  // namespace

struct CommandScanner::SimpleCommandParts {
  SimpleCommand command;
  std::vector<Redirection> redirections;
  bool is_declaration = false;
  std::uint32_t end = 0;
};

bool CommandScanner::scan_simple_command() {
  const std::uint32_t begin = words_.position();
  SimpleCommandParts parts;
  unattached_.clear();
  while (!at_command_end()) {
    const std::uint32_t before = words_.position();
    if (!scan_simple_command_part(parts)) return false;
    if (words_.position() == before) return words_.fail(before, "unexpected character");
    parts.end = words_.position();
    if (try_function_definition(parts, begin)) {
      skip_newlines();
      return true;
    }
  }
  if (parts.end <= begin) return words_.fail(begin, "unexpected character");
  notice_options(parts.command);
  Statement statement;
  statement.command = std::move(parts.command);
  attach(unit_.push_command(begin, parts.end, std::move(statement)), std::move(parts.redirections));
  return true;
}

bool CommandScanner::at_command_end() {
  words_.skip_blanks();
  if (words_.at_end()) return true;
  switch (words_.peek()) {
    case '\n':
    case ';':
    case '|':
    case '(':
    case ')':
      return true;
    case '&':
      return words_.peek(1) != '>';
    default:
      return false;
  }
}

bool CommandScanner::scan_simple_command_part(SimpleCommandParts& parts) {
  if (at_redirection()) return scan_redirection(parts.redirections);
  SimpleCommand& command = parts.command;
  if (command.words.empty()) {
    if (auto assignment = words_.try_assignment()) {
      command.assignments.push_back(std::move(*assignment));
      return true;
    }
  } else if (parts.is_declaration) {
    if (auto assignment = words_.try_assignment()) {
      command.words.emplace_back(std::move(*assignment));
      return true;
    }
  }
  if (words_.failure()) return false;
  return scan_command_word(parts);
}

bool CommandScanner::scan_command_word(SimpleCommandParts& parts) {
  Word word;
  if (!words_.scan_word(word)) return false;
  auto& words = parts.command.words;
  // "command export A=$B" and "builtin export A=$B" declare as well.
  const bool at_name = std::all_of(words.begin(), words.end(), [](const auto& earlier) {
    const auto* earlier_word = std::get_if<Word>(&earlier);
    if (earlier_word == nullptr) return false;
    const std::string_view text = plain_text(*earlier_word);
    return text == "command" || text == "builtin";
  });
  if (at_name) parts.is_declaration = is_declaration(plain_text(word));
  words.emplace_back(std::move(word));
  return true;
}

/// name() after the first word of a command.
bool CommandScanner::try_function_definition(const SimpleCommandParts& parts, std::uint32_t begin) {
  const SimpleCommand& command = parts.command;
  if (command.words.size() != 1 || !command.assignments.empty() || !parts.redirections.empty()) {
    return false;
  }
  words_.skip_blanks();
  if (words_.peek() != '(') return false;
  const std::uint32_t open = words_.position();
  words_.advance();
  words_.skip_blanks();
  if (words_.peek() != ')') {
    words_.move_to(open);
    return false;
  }
  words_.advance();
  FunctionDefinition function;
  function.name = words_.bytes(begin, parts.end);
  function.name_span = words_.span(begin, parts.end);
  Statement shell;
  shell.command = std::move(function);
  unit_.push_prefix(Prefix::Kind::kFunction, begin, std::move(shell));
  return true;
}

/// "shopt -s extglob" changes how the lines after it are read.
void CommandScanner::notice_options(const SimpleCommand& command) {
  const auto has = [&command](std::string_view text) {
    return std::any_of(command.words.begin(), command.words.end(), [text](const auto& word) {
      const auto* plain = std::get_if<Word>(&word);
      return plain != nullptr && plain_text(*plain) == text;
    });
  };
  if (command.words.size() < 3 || !has("shopt") || !has("extglob")) return;
  if (has("-s")) words_.state().extended_patterns = true;
  if (has("-u")) words_.state().extended_patterns = false;
}

// ------------------------------------------------------------------------------- redirections

bool CommandScanner::at_redirection() const {
  if (words_.peek() == '&') return words_.peek(1) == '>';
  std::uint32_t ahead = 0;
  if (words_.peek() == '{' && starts_name(words_.peek(1))) {
    ahead = 1;
    while (continues_name(words_.peek(ahead))) ++ahead;
    if (words_.peek(ahead) != '}') return false;
    ++ahead;
  } else {
    while (is_digit(words_.peek(ahead))) ++ahead;
  }
  const char c = words_.peek(ahead);
  return (c == '<' || c == '>') && words_.peek(ahead + 1) != '(';
}

bool CommandScanner::scan_redirection(std::vector<Redirection>& redirections) {
  const std::uint32_t begin = words_.position();
  Redirection redirection;
  if (words_.peek() == '{') {
    std::uint32_t length = 1;
    while (words_.peek(length) != '}') ++length;
    redirection.descriptor_variable = words_.bytes(begin + 1, begin + length);
    words_.advance(length + 1);
  } else if (is_digit(words_.peek())) {
    std::uint32_t length = 0;
    while (is_digit(words_.peek(length))) ++length;
    const std::string_view digits = words_.bytes(begin, begin + length);
    int descriptor = 0;
    const auto [rest, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), descriptor);
    if (error != std::errc{}) return words_.fail(begin, "file descriptor out of range");
    redirection.descriptor = descriptor;
    words_.advance(length);
  }
  if (!scan_redirection_operator(redirection)) return false;
  redirection.span = words_.span(begin, words_.position());
  redirections.push_back(std::move(redirection));
  if (redirections.back().kind == Redirection::Kind::kHereDocument) {
    unattached_.back().redirection = redirections.size() - 1;
  }
  return true;
}

bool CommandScanner::scan_redirection_operator(Redirection& redirection) {
  struct Operator {
    std::string_view text;
    Redirection::Kind kind;
  };
  using Kind = Redirection::Kind;
  static constexpr std::array<Operator, 13> kOperators{{{"<<<", Kind::kHereString},
                                                        {"<<-", Kind::kHereDocument},
                                                        {"<<", Kind::kHereDocument},
                                                        {"<&", Kind::kDuplicateIn},
                                                        {"<>", Kind::kReadWrite},
                                                        {"<", Kind::kRead},
                                                        {">>", Kind::kAppend},
                                                        {">&", Kind::kDuplicateOut},
                                                        {">|", Kind::kWrite},
                                                        {">", Kind::kWrite},
                                                        {"&>>", Kind::kAppendBoth},
                                                        {"&>", Kind::kWriteBoth},
                                                        {"", Kind::kRead}}};
  const auto found =
      std::find_if(kOperators.begin(), kOperators.end(),
                   [this](const Operator& candidate) { return words_.looking_at(candidate.text); });
  const std::uint32_t begin = words_.position();
  words_.advance(static_cast<std::uint32_t>(found->text.size()));
  redirection.kind = found->kind;
  words_.skip_blanks();
  if (redirection.kind == Kind::kHereDocument) {
    const auto tabs = found->text == "<<-" ? Tabs::kStripped : Tabs::kKept;
    return scan_here_document_start(tabs);
  }
  const std::uint32_t target = words_.position();
  if (!words_.scan_word(redirection.target)) return false;
  if (words_.position() == target)
    return words_.fail(begin, "the target of the redirection is missing");
  if (found->text == ">&") redirection.kind = kind_of_output_duplication(redirection);
  return true;
}

/// Redirections after a compound command belong to its last token.
bool CommandScanner::scan_trailing_redirections() {
  std::vector<Redirection> redirections;
  unattached_.clear();
  words_.skip_blanks();
  while (!words_.at_end() && at_redirection()) {
    if (!scan_redirection(redirections)) return false;
    words_.skip_blanks();
  }
  attach(unit_.last_token(), std::move(redirections));
  return true;
}

void CommandScanner::attach(Token& token, std::vector<Redirection> redirections) {
  if (redirections.empty()) return;
  unit_.attachment_of(token).redirections = std::move(redirections);
  for (PendingHereDocument& pending : unattached_) {
    pending.attachment = token.attachment;
    pending_.push_back(std::move(pending));
  }
  unattached_.clear();
}

// ------------------------------------------------------------------------------ here-documents

/// Reads the delimiter; the body comes after the end of the line.
bool CommandScanner::scan_here_document_start(Tabs tabs) {
  PendingHereDocument pending;
  pending.tabs = tabs;
  const std::uint32_t begin = words_.position();
  Word delimiter;
  WordMode mode;
  mode.expansions = false;
  if (!words_.scan_parts(delimiter, mode)) return false;
  if (words_.position() == begin) return words_.fail(begin, "the here-document has no delimiter");
  for (const WordPart& part : delimiter.parts) {
    if (const auto* text = std::get_if<Literal>(&part.content)) pending.delimiter += text->text;
    if (part.quoted) pending.is_literal = true;
  }
  unattached_.push_back(std::move(pending));
  return true;
}

/// Called after a newline, or at the end of the text.
void CommandScanner::read_here_documents() {
  for (const PendingHereDocument& pending : std::exchange(pending_, {})) {
    read_here_document(pending);
  }
}

void CommandScanner::read_here_document(const PendingHereDocument& pending) {
  const std::uint32_t begin = words_.position();
  std::uint32_t resume = begin;
  const std::uint32_t end = find_here_document_end(pending, resume);
  Word body = scan_here_document_body(pending, begin, end);
  body.span = words_.span(begin, end);
  unit_.attachment(pending.attachment).redirections[pending.redirection].target = std::move(body);
  words_.move_to(resume);
}

Word CommandScanner::scan_here_document_body(const PendingHereDocument& pending,
                                             std::uint32_t begin, std::uint32_t end) {
  DerivedText lines(words_.input());
  const std::string_view text = words_.bytes(0, end);
  for (std::size_t line = begin; line < end;) {
    const std::size_t next = std::min<std::size_t>(text.find('\n', line), end - 1) + 1;
    while (pending.tabs == Tabs::kStripped && line < next && text[line] == '\t') ++line;
    lines.keep(static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(next));
    line = next;
  }
  const Input input = lines.input();
  const auto size = static_cast<std::uint32_t>(input.text().size());
  Word body;
  if (pending.is_literal) {
    if (size > 0) {
      body.parts.push_back({Literal{std::string(input.text())}, input.span(0, size), true});
    }
    return body;
  }
  WordScanner scanner(words_.state(), input, 0, size);
  if (scanner.scan_parts(body, kHereDocumentMode)) return body;
  // bash notices only when it expands the body, so the command itself stays good.
  const WordScanner::Failure& failure = *scanner.failure();
  const text::Span span = scanner.span(failure.begin, size);
  words_.state().report(span, failure.message);
  body.parts.clear();
  body.parts.push_back({CommandSubstitution{nullptr, span}, span, true});
  return body;
}

/// The end of the body that starts at the position; `resume` becomes where commands go on.
std::uint32_t CommandScanner::find_here_document_end(const PendingHereDocument& pending,
                                                     std::uint32_t& resume) {
  const std::string_view text = words_.bytes(0, words_.end());
  std::size_t line = words_.position();
  while (line < text.size()) {
    const std::size_t newline = std::min(text.find('\n', line), text.size());
    std::size_t first = line;
    while (pending.tabs == Tabs::kStripped && first < newline && text[first] == '\t') ++first;
    std::string_view content = text.substr(first, newline - first);
    if (content == pending.delimiter) {
      resume = static_cast<std::uint32_t>(std::min(newline + 1, text.size()));
      return static_cast<std::uint32_t>(line);
    }
    // As in bash, "EOF)" ends the here-document and the substitution around it.
    if (until_ == Until::kParenthesis &&
        content.substr(0, pending.delimiter.size()) == pending.delimiter &&
        content.find(')', pending.delimiter.size()) != std::string_view::npos) {
      resume = static_cast<std::uint32_t>(first + pending.delimiter.size());
      return static_cast<std::uint32_t>(line);
    }
    line = newline + 1;
  }
  words_.state().report(words_.span(words_.position(), words_.end()),
                        "the here-document is not closed: no line \"" + pending.delimiter + "\"");
  resume = words_.end();
  return words_.end();
}

}  // namespace recipelint::shell
