// Reserved words and the headers of compound commands.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/shell/command_scanner.h"
#include "analyzer/shell/conditional_scanner.h"

namespace recipelint::shell {

namespace {

struct StructureWord {
  std::string_view word;
  Symbol symbol;
};

constexpr std::array<StructureWord, 8> kStructureWords{{{"if", Symbol::kIf},
                                                        {"then", Symbol::kThen},
                                                        {"elif", Symbol::kElif},
                                                        {"else", Symbol::kElse},
                                                        {"fi", Symbol::kFi},
                                                        {"while", Symbol::kWhile},
                                                        {"until", Symbol::kUntil},
                                                        {"esac", Symbol::kEsac}}};

bool opens_compound_command(std::string_view word) {
  static constexpr std::array<std::string_view, 8> kWords{"{",   "if",     "while", "until",
                                                          "for", "select", "case",  "[["};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

bool is_blank(const Word& word) {
  return std::all_of(word.parts.begin(), word.parts.end(), [](const WordPart& part) {
    const auto* literal = std::get_if<Literal>(&part.content);
    return literal != nullptr && literal->text.find_first_not_of(" \t\n") == std::string::npos;
  });
}

}  // namespace

std::optional<bool> CommandScanner::scan_reserved_word(std::string_view word) {
  if (word.empty() || word.size() > 8) return std::nullopt;
  for (const StructureWord& candidate : kStructureWords) {
    if (candidate.word == word) return scan_structure_word(word, candidate.symbol);
  }
  if (word == "{" || word == "do") return scan_open_brace(word);
  if (word == "}" || word == "done") return scan_close_brace(word);
  if (word == "[[") return scan_conditional();
  if (word == "for") return scan_for(ForKind::kFor);
  if (word == "select") return scan_for(ForKind::kSelect);
  if (word == "case") return scan_case();
  if (word == "function") return scan_function_keyword();
  if (word == "time") return scan_time();
  if (word == "coproc") return scan_coprocess();
  const bool is_pattern = words_.state().extended_patterns && words_.peek(1) == '(';
  if (word == "!" && !is_pattern) return scan_bang();
  return std::nullopt;
}

bool CommandScanner::scan_structure_word(std::string_view word, Symbol symbol) {
  const std::uint32_t begin = words_.position();
  if (opens_compound(symbol) && !may_open(begin)) return false;
  words_.advance(static_cast<std::uint32_t>(word.size()));
  unit_.push(symbol, begin, words_.position());
  return !closes_compound(symbol) || scan_trailing_redirections();
}

bool CommandScanner::scan_open_brace(std::string_view word) {
  if (unit_.after_for_header()) return scan_structure_word(word, Symbol::kOpenLoop);
  return scan_structure_word(word, word == "do" ? Symbol::kDo : Symbol::kOpenBrace);
}

/// "}" or "done". The body of a for loop may stand between either pair.
bool CommandScanner::scan_close_brace(std::string_view word) {
  const Symbol usual = word == "done" ? Symbol::kDone : Symbol::kCloseBrace;
  const Symbol opener = word == "done" ? Symbol::kWhile : Symbol::kOpenBrace;
  const bool closes_loop = unit_.is_innermost(Symbol::kOpenLoop, opener);
  return scan_structure_word(word, closes_loop ? Symbol::kCloseLoop : usual);
}

bool CommandScanner::scan_bang() {
  if (!may_open(words_.position())) return false;
  unit_.push_prefix(Prefix::Kind::kNegation, words_.position());
  words_.advance();
  return true;
}

bool CommandScanner::scan_time() {
  if (!may_open(words_.position())) return false;
  unit_.push_prefix(Prefix::Kind::kTime, words_.position());
  words_.advance(4);
  words_.skip_blanks();
  if (words_.bare_word() == "-p") words_.advance(2);
  words_.skip_blanks();
  if (words_.bare_word() == "--") words_.advance(2);
  return true;
}

bool CommandScanner::scan_function_keyword() {
  const std::uint32_t begin = words_.position();
  words_.advance(8);
  words_.skip_blanks();
  const std::string_view name = words_.bare_word();
  if (name.empty()) return words_.fail(begin, "the name of the function is missing");
  const std::uint32_t name_begin = words_.position();
  words_.advance(static_cast<std::uint32_t>(name.size()));
  FunctionDefinition function;
  function.name = name;
  function.name_span = words_.span(name_begin, words_.position());
  words_.skip_blanks();
  if (words_.peek() == '(') {
    words_.advance();
    words_.skip_blanks();
    // "function f (list)" has a subshell as its body.
    if (words_.peek() == ')') {
      words_.advance();
    } else {
      words_.move_to(name_begin + static_cast<std::uint32_t>(name.size()));
    }
  }
  Statement shell;
  shell.command = std::move(function);
  unit_.push_prefix(Prefix::Kind::kFunction, begin, std::move(shell));
  skip_newlines();
  return true;
}

bool CommandScanner::scan_for(ForKind kind) {
  const std::uint32_t begin = words_.position();
  words_.advance(kind == ForKind::kSelect ? 6 : 3);
  words_.skip_blanks();
  if (kind == ForKind::kFor && words_.looking_at("((")) return scan_arithmetic_for(begin);
  For loop;
  loop.is_select = kind == ForKind::kSelect;
  const std::string_view name = words_.bare_word();
  if (name.empty()) return words_.fail(begin, "the variable of the loop is missing");
  loop.variable = name;
  const std::uint32_t name_begin = words_.position();
  words_.advance(static_cast<std::uint32_t>(name.size()));
  loop.variable_span = words_.span(name_begin, words_.position());
  skip_newlines();
  if (words_.bare_word() == "in" && !scan_for_words(loop.words.emplace())) return false;
  if (words_.peek() == ';') words_.advance();
  Statement shell;
  shell.command = std::move(loop);
  unit_.push_prefix(Prefix::Kind::kFor, begin, std::move(shell));
  skip_newlines();
  return true;
}

bool CommandScanner::scan_for_words(std::vector<Word>& list) {
  words_.advance(2);
  while (true) {
    words_.skip_blanks();
    const std::uint32_t before = words_.position();
    Word word;
    if (!words_.scan_word(word)) return false;
    if (words_.position() == before) return true;
    list.push_back(std::move(word));
  }
}

bool CommandScanner::scan_arithmetic_for(std::uint32_t begin) {
  words_.advance(2);
  ArithmeticFor loop;
  for (std::unique_ptr<Word>* part : {&loop.initialize, &loop.condition, &loop.step}) {
    auto expression = std::make_unique<Word>();
    if (!words_.scan_arithmetic(*expression, WordMode::Stop::kSemicolon)) return false;
    if (!is_blank(*expression)) *part = std::move(expression);
    if (words_.peek() == ';' && part != &loop.step) words_.advance();
  }
  if (!words_.looking_at("))")) return words_.fail(begin, "\"((\" is not closed");
  words_.advance(2);
  words_.skip_blanks();
  if (words_.peek() == ';') words_.advance();
  Statement shell;
  shell.command = std::move(loop);
  unit_.push_prefix(Prefix::Kind::kFor, begin, std::move(shell));
  skip_newlines();
  return true;
}

bool CommandScanner::scan_case() {
  const std::uint32_t begin = words_.position();
  words_.advance(4);
  words_.skip_blanks();
  Case header;
  if (!words_.scan_word(header.subject)) return false;
  skip_newlines();
  if (words_.bare_word() != "in") return words_.fail(begin, "\"case\" without \"in\"");
  words_.advance(2);
  if (!may_open(begin)) return false;
  unit_.push_case(begin, words_.position(), std::move(header));
  return true;
}

bool CommandScanner::scan_coprocess() {
  const std::uint32_t begin = words_.position();
  if (!may_open(begin)) return false;
  words_.advance(6);
  words_.skip_blanks();
  Coprocess coprocess;
  coprocess.name = "COPROC";
  const std::uint32_t name_begin = words_.position();
  const std::string_view name = words_.bare_word();
  words_.advance(static_cast<std::uint32_t>(name.size()));
  words_.skip_blanks();
  const bool compound = words_.peek() == '(' || opens_compound_command(words_.bare_word());
  if (!name.empty() && !opens_compound_command(name) && compound) {
    coprocess.name = name;
  } else {
    words_.move_to(name_begin);
  }
  Statement shell;
  shell.command = std::move(coprocess);
  unit_.push_prefix(Prefix::Kind::kCoprocess, begin, std::move(shell));
  return true;
}

bool CommandScanner::scan_conditional() {
  const std::uint32_t begin = words_.position();
  words_.advance(2);
  Conditional conditional;
  ConditionalScanner scanner(words_);
  if (!scanner.scan(conditional.expression)) return false;
  words_.skip_blanks_and_newlines();
  if (words_.bare_word() != "]]") return words_.fail(begin, "\"[[\" is not closed");
  words_.advance(2);
  Statement statement;
  statement.command = std::move(conditional);
  unit_.push_command(begin, words_.position(), std::move(statement));
  return scan_trailing_redirections();
}

/// "((" starts an arithmetic command if "))" closes it, else two subshells. False, without a
/// failure and at the same position, in the second case.
bool CommandScanner::try_arithmetic_command() {
  const WordScanner::Checkpoint start = words_.checkpoint();
  words_.advance(2);
  ArithmeticCommand command;
  if (!words_.scan_arithmetic(command.expression, WordMode::Stop::kParenthesis) ||
      !words_.looking_at("))")) {
    words_.go_back(start);
    return false;
  }
  words_.advance(2);
  Statement statement;
  statement.command = std::move(command);
  unit_.push_command(start.position, words_.position(), std::move(statement));
  return true;
}

}  // namespace recipelint::shell
