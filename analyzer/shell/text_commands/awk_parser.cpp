#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include "analyzer/shell/text_commands/awk_program.h"
#include "analyzer/shell/text_commands/command.h"

namespace recipelint::shell::awk {
namespace {

constexpr int kMostNesting = 60;

enum class Token : std::uint8_t { kEnd, kNewline, kNumber, kString, kRegex, kName, kOperator };

bool starts_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool continues_name(char c) {
  return starts_name(c) || is_digit(c);
}

bool is_keyword(std::string_view name) {
  static constexpr auto kKeywords = std::to_array<std::string_view>(
      {"BEGIN", "END",      "break", "continue", "delete",  "do",     "else",
       "exit",  "for",      "func",  "function", "getline", "if",     "in",
       "next",  "nextfile", "print", "printf",   "return",  "switch", "while"});
  return std::find(kKeywords.begin(), kKeywords.end(), name) != kKeywords.end();
}

bool is_function(std::string_view name) {
  static constexpr auto kFunctions =
      std::to_array<std::string_view>({"cos", "exp", "index", "int", "length", "log", "sin",
                                       "sprintf", "sqrt", "substr", "tolower", "toupper"});
  return std::find(kFunctions.begin(), kFunctions.end(), name) != kFunctions.end();
}

Expression make(Kind kind, char op, std::vector<Expression> operands) {
  Expression expression;
  expression.kind = kind;
  expression.op = op;
  expression.operands = std::move(operands);
  return expression;
}

template <typename... Operands>
Expression make_of(Kind kind, char op, Operands... operands) {
  std::vector<Expression> list;
  (list.push_back(std::move(operands)), ...);
  return make(kind, op, std::move(list));
}

class Parser {
 public:
  explicit Parser(std::string_view program) : program_(program) { advance(); }

  text::Result<std::vector<Rule>> parse() {
    std::vector<Rule> rules;
    skip_terminators();
    while (token_ != Token::kEnd) {
      rules.push_back(rule());
      skip_terminators();
    }
    if (!failure_.empty()) return not_modelled("awk", failure_);
    return rules;
  }

 private:
  class Nested {
   public:
    explicit Nested(Parser& parser) : parser_(parser) {
      if (++parser_.nesting_ > kMostNesting) parser_.fail("such deep nesting");
    }
    ~Nested() { --parser_.nesting_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    Parser& parser_;
  };

  void fail(std::string why) {
    if (failure_.empty()) failure_ = std::move(why);
    at_ = program_.size();
    token_ = Token::kEnd;
    text_.clear();
  }

  // -------------------------------------------------------------------------------------- tokens

  char peek(std::size_t offset = 0) const {
    return at_ + offset < program_.size() ? program_[at_ + offset] : '\0';
  }

  void skip_blanks() {
    while (at_ < program_.size()) {
      if (peek() == ' ' || peek() == '\t' || peek() == '\r') {
        ++at_;
      } else if (peek() == '\\' && peek(1) == '\n') {
        at_ += 2;
      } else if (peek() == '#') {
        at_ = std::min(program_.find('\n', at_), program_.size());
      } else {
        return;
      }
    }
  }

  void advance() {
    skip_blanks();
    text_.clear();
    if (at_ >= program_.size()) {
      token_ = Token::kEnd;
    } else if (peek() == '\n') {
      token_ = Token::kNewline;
      ++at_;
    } else if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) {
      read_number();
    } else if (starts_name(peek())) {
      token_ = Token::kName;
      while (continues_name(peek())) text_ += program_[at_++];
    } else if (peek() == '"') {
      read_string();
    } else {
      read_operator();
    }
  }

  void read_number() {
    token_ = Token::kNumber;
    const std::size_t begin = at_;
    while (is_digit(peek())) ++at_;
    if (peek() == '.') ++at_;
    while (is_digit(peek())) ++at_;
    if (peek() == 'e' || peek() == 'E') {
      const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 2 : 1;
      if (is_digit(peek(sign))) {
        at_ += sign;
        while (is_digit(peek())) ++at_;
      }
    }
    text_ = program_.substr(begin, at_ - begin);
    if (starts_name(peek())) fail("a number like " + text_ + peek());
  }

  void read_string() {
    const std::size_t begin = ++at_;
    while (at_ < program_.size() && peek() != '"' && peek() != '\n') at_ += peek() == '\\' ? 2 : 1;
    if (peek() != '"') return fail("an unterminated string");
    const std::optional<std::string> text = expand_awk_escapes(program_.substr(begin, at_ - begin));
    if (!text) return fail("an escape in a string");
    ++at_;
    token_ = Token::kString;
    text_ = *text;
  }

  void read_operator() {
    token_ = Token::kOperator;
    constexpr std::string_view kOperators[] = {
        "**=", "&&", "||", "==", "!=", "<=", ">=", "++", "--",
        "+=",  "-=", "*=", "/=", "%=", "^=", "**", "!~", ">>"};
    for (const std::string_view op : kOperators) {
      if (!program_.substr(at_).starts_with(op)) continue;
      at_ += op.size();
      text_ = op == "**" ? "^" : op == "**=" ? "^=" : op;
      return;
    }
    if (std::string_view("+-*/%^!<>~?:,;(){}$=|[]&").find(peek()) == std::string_view::npos) {
      return fail(std::string("character ") + peek());
    }
    text_ = std::string(1, program_[at_++]);
  }

  bool is(std::string_view op) const { return token_ == Token::kOperator && text_ == op; }
  bool is_word(std::string_view word) const { return token_ == Token::kName && text_ == word; }

  bool take(std::string_view op) {
    if (!is(op)) return false;
    advance();
    return true;
  }

  bool take_word(std::string_view word) {
    if (!is_word(word)) return false;
    advance();
    return true;
  }

  void expect(std::string_view op) {
    if (!take(op)) fail("a missing " + std::string(op));
  }

  void skip_newlines() {
    while (token_ == Token::kNewline) advance();
  }

  void skip_terminators() {
    while (token_ == Token::kNewline || is(";")) advance();
  }

  // ---------------------------------------------------------------------------------- statements

  Rule rule() {
    Rule rule;
    if (take_word("BEGIN")) {
      rule.when = Rule::When::kBegin;
    } else if (take_word("END")) {
      rule.when = Rule::When::kEnd;
    } else if (!is("{")) {
      rule.pattern = expression();
      if (is(",")) fail("a range of records");
    }
    if (is("{")) {
      rule.body = block();
    } else if (rule.when != Rule::When::kRecord) {
      fail("BEGIN or END without a block");
    }
    return rule;
  }

  Statement block() {
    const Nested nested(*this);
    Statement block;
    block.action = Action::kBlock;
    expect("{");
    skip_terminators();
    while (token_ != Token::kEnd && !is("}")) {
      block.statements.push_back(statement());
      skip_terminators();
    }
    expect("}");
    return block;
  }

  Statement statement() {
    if (is("{")) return block();
    if (take_word("if")) return if_statement();
    if (take_word("while")) return while_statement();
    if (take_word("for")) return for_statement();
    Statement result = simple_statement();
    if (!is(";") && !is("}") && token_ != Token::kNewline && token_ != Token::kEnd) {
      fail("what follows a statement: " + text_);
    }
    return result;
  }

  /// The statement that an if or a loop governs.
  Statement body() {
    const Nested nested(*this);
    skip_newlines();
    if (take(";")) {
      Statement empty;
      empty.action = Action::kBlock;
      return empty;
    }
    return statement();
  }

  Statement if_statement() {
    Statement result;
    result.action = Action::kIf;
    expect("(");
    result.expressions.push_back(expression());
    expect(")");
    result.statements.push_back(body());
    // An "else" may come behind terminators, which else belong to what follows.
    const std::size_t at = at_;
    const Token token = token_;
    const std::string text = text_;
    skip_terminators();
    if (take_word("else")) {
      result.statements.push_back(body());
    } else if (failure_.empty()) {
      at_ = at;
      token_ = token;
      text_ = text;
    }
    return result;
  }

  Statement while_statement() {
    Statement result;
    result.action = Action::kWhile;
    expect("(");
    result.expressions.push_back(expression());
    expect(")");
    result.statements.push_back(body());
    return result;
  }

  Statement for_statement() {
    Statement result;
    result.action = Action::kFor;
    expect("(");
    result.statements.push_back(optional_statement(";"));
    expect(";");
    skip_newlines();
    if (!is(";")) result.expressions.push_back(expression());
    expect(";");
    skip_newlines();
    result.statements.push_back(optional_statement(")"));
    expect(")");
    result.statements.push_back(body());
    return result;
  }

  Statement optional_statement(std::string_view end) {
    if (!is(end)) return simple_statement();
    Statement empty;
    empty.action = Action::kBlock;
    return empty;
  }

  bool at_statement_end() const {
    return token_ == Token::kEnd || token_ == Token::kNewline || is(";") || is("}");
  }

  Statement simple_statement() {
    Statement result;
    if (take_word("print")) return print_statement(Action::kPrint);
    if (take_word("printf")) return print_statement(Action::kPrintf);
    if (take_word("next")) {
      result.action = Action::kNext;
      return result;
    }
    if (take_word("exit")) {
      result.action = Action::kExit;
      if (!at_statement_end()) result.expressions.push_back(expression());
      return result;
    }
    result.expressions.push_back(expression());
    return result;
  }

  Statement print_statement(Action action) {
    Statement result;
    result.action = action;
    in_print_ = true;
    if (!at_statement_end()) result.expressions = print_list();
    in_print_ = false;
    if (is(">") || is(">>") || is("|")) fail("output to somewhere else");
    if (action == Action::kPrintf && result.expressions.empty()) fail("printf without a format");
    return result;
  }

  /// "print (a, b)" prints two values, "print (a) (b)" one.
  std::vector<Expression> print_list() {
    std::vector<Expression> list;
    if (is("(")) {
      const std::size_t at = at_;
      advance();
      list = parenthesized_list();
      if (at_statement_end() && list.size() > 1) return list;
      list.clear();
      if (!failure_.empty()) return list;
      at_ = at;
      token_ = Token::kOperator;
      text_ = "(";
    }
    do {
      skip_newlines();
      list.push_back(expression());
    } while (take(","));
    return list;
  }

  /// Behind "(": expressions up to and with ")".
  std::vector<Expression> parenthesized_list() {
    const bool in_print = std::exchange(in_print_, false);
    std::vector<Expression> list;
    do {
      skip_newlines();
      list.push_back(expression());
    } while (take(","));
    expect(")");
    in_print_ = in_print;
    return list;
  }

  // --------------------------------------------------------------------------------- expressions

  static bool is_place(const Expression& expression) {
    return expression.kind == Kind::kVariable || expression.kind == Kind::kField;
  }

  Expression expression() {
    const Nested nested(*this);
    Expression left = conditional();
    if (token_ != Token::kOperator || !is_place(left)) return left;
    if (!is("=") && (text_.size() != 2 || text_[1] != '=' ||
                     std::string_view("+-*/%^").find(text_[0]) == std::string_view::npos)) {
      return left;
    }
    const char op = text_[0];
    advance();
    skip_newlines();
    return make_of(Kind::kAssign, op, std::move(left), expression());
  }

  Expression conditional() {
    Expression condition = disjunction();
    if (!take("?")) return condition;
    skip_newlines();
    Expression yes = expression();
    skip_newlines();
    expect(":");
    skip_newlines();
    Expression no = expression();
    return make_of(Kind::kConditional, '?', std::move(condition), std::move(yes), std::move(no));
  }

  Expression disjunction() {
    Expression left = conjunction();
    while (take("||")) {
      skip_newlines();
      left = make_of(Kind::kOr, '|', std::move(left), conjunction());
    }
    return left;
  }

  Expression conjunction() {
    Expression left = match();
    while (take("&&")) {
      skip_newlines();
      left = make_of(Kind::kAnd, '&', std::move(left), match());
    }
    return left;
  }

  Expression match() {
    Expression left = comparison();
    check_negation(left);
    while (is("~") || is("!~")) {
      const char op = text_[0];
      advance();
      left = make_of(Kind::kMatch, op, std::move(left), comparison());
    }
    return left;
  }

  Expression comparison() {
    Expression left = concatenation();
    check_negation(left);
    if (is_word("in")) fail("arrays");
    constexpr std::pair<std::string_view, char> kOperators[] = {
        {"<", '<'}, {"<=", 'l'}, {"==", '='}, {"!=", '!'}, {">=", 'g'}, {">", '>'}};
    for (const auto& [op, code] : kOperators) {
      if (!is(op) || (op == ">" && in_print_)) continue;
      advance();
      return make_of(Kind::kCompare, code, std::move(left), concatenation());
    }
    return left;
  }

  /// What "!x ~ y" and "!x < y" mean differs between awks.
  void check_negation(const Expression& left) {
    const bool compares =
        is("~") || is("!~") || is("<") || is("<=") || is("==") || is("!=") || is(">=") || is(">");
    if (left.kind == Kind::kNot && compares) fail("a comparison behind !");
  }

  bool starts_operand() const {
    if (token_ == Token::kNumber || token_ == Token::kString) return true;
    if (token_ == Token::kName) return !is_keyword(text_);
    return is("$") || is("!") || is("(") || is("-") || is("+") || is("++") || is("--");
  }

  Expression concatenation() {
    Expression left = sum();
    // A sign would have been taken as an operator.
    while (starts_operand() && !is("+") && !is("-")) {
      left = make_of(Kind::kConcatenate, ' ', std::move(left), sum());
    }
    return left;
  }

  Expression sum() {
    Expression left = product();
    while (is("+") || is("-")) {
      const char op = text_[0];
      advance();
      left = make_of(Kind::kBinary, op, std::move(left), product());
    }
    return left;
  }

  Expression product() {
    Expression left = unary();
    while (is("*") || is("/") || is("%")) {
      const char op = text_[0];
      advance();
      left = make_of(Kind::kBinary, op, std::move(left), unary());
    }
    return left;
  }

  Expression unary() {
    const Nested nested(*this);
    if (take("!")) return make_of(Kind::kNot, '!', unary());
    if (take("-")) return make_of(Kind::kNegate, '-', unary());
    if (take("+")) return make_of(Kind::kPlus, '+', unary());
    return power();
  }

  Expression power() {
    Expression base = step();
    if (!take("^")) return base;
    // Right-associative; the exponent may have a sign.
    const Nested nested(*this);
    if (take("-"))
      return make_of(Kind::kBinary, '^', std::move(base), make_of(Kind::kNegate, '-', power()));
    return make_of(Kind::kBinary, '^', std::move(base), power());
  }

  Expression step() {
    if (is("++") || is("--")) {
      const char op = text_[0];
      advance();
      Expression place = primary();
      if (!is_place(place)) fail("++ of something that is no variable");
      Expression result = make_of(Kind::kStep, op, std::move(place));
      result.prefix = true;
      return result;
    }
    Expression value = primary();
    if (is_place(value) && (is("++") || is("--"))) {
      const char op = text_[0];
      advance();
      return make_of(Kind::kStep, op, std::move(value));
    }
    return value;
  }

  Expression primary() {
    if (token_ == Token::kNumber) {
      Expression result = make(Kind::kNumber, '\0', {});
      result.number = std::strtod(text_.c_str(), nullptr);
      advance();
      return result;
    }
    if (token_ == Token::kString) {
      Expression result = make(Kind::kString, '\0', {});
      result.text = text_;
      advance();
      return result;
    }
    if (token_ == Token::kName) return name();
    if (is("/") || is("/=")) return regex();
    if (take("$")) {
      const Nested nested(*this);
      if (is("++") || is("--")) return make_of(Kind::kField, '$', step());
      if (take("-")) return make_of(Kind::kField, '$', make_of(Kind::kNegate, '-', primary()));
      return make_of(Kind::kField, '$', primary());
    }
    if (take("(")) {
      std::vector<Expression> list = parenthesized_list();
      if (list.size() != 1) fail("a list in parentheses");
      return make(Kind::kGroup, '(', std::move(list));
    }
    fail("a missing operand");
    return {};
  }

  /// The token is the "/" that begins it.
  Expression regex() {
    std::string expression = text_.substr(1);
    bool in_bracket = false;
    while (at_ < program_.size() && peek() != '\n' && (peek() != '/' || in_bracket)) {
      if (peek() == '[') in_bracket = true;
      if (peek() == ']') in_bracket = false;
      if (peek() == '\\') {
        if (peek(1) != '/') expression += '\\';
        ++at_;
      }
      if (at_ < program_.size()) expression += program_[at_++];
    }
    if (peek() != '/' || in_bracket) {
      fail("an unterminated regular expression");
      return {};
    }
    ++at_;
    auto compiled = compile_regex(expression);
    if (!compiled.ok()) {
      fail("the regular expression " + expression);
      return {};
    }
    Expression result = make(Kind::kRegex, '/', {});
    result.regex = std::move(*compiled);
    advance();
    return result;
  }

  Expression name() {
    Expression result = make(Kind::kVariable, '\0', {});
    result.text = text_;
    if (is_keyword(text_)) {
      fail(text_);
      return result;
    }
    const bool directly_called = peek() == '(';
    advance();
    if (is("[")) fail("arrays");
    if (!is_function(result.text)) {
      if (directly_called) fail("function " + result.text);
      return result;
    }
    result.kind = Kind::kCall;
    if (take("(")) {
      if (!take(")")) result.operands = parenthesized_list();
    } else if (result.text != "length") {
      fail("function " + result.text + " without arguments");
    }
    return result;
  }

  std::string_view program_;
  std::size_t at_ = 0;
  Token token_ = Token::kEnd;
  std::string text_;
  int nesting_ = 0;
  bool in_print_ = false;
  std::string failure_;
};

}  // namespace

text::Result<std::vector<Rule>> parse_program(std::string_view program) {
  if (program.size() > 64u << 10u) return not_modelled("awk", "such a long program");
  return Parser(program).parse();
}

text::Result<PosixRegex> compile_regex(std::string_view expression) {
  std::string translated;
  for (std::size_t at = 0; at < expression.size(); ++at) {
    const char c = expression[at];
    // Old versions of mawk take braces literally.
    if (c == '{') return not_modelled("awk", "a regular expression with repetition counts");
    if (c != '\\') {
      translated += c;
      continue;
    }
    const char next = at + 1 < expression.size() ? expression[at + 1] : '\0';
    ++at;
    if (next == 't') {
      translated += '\t';
    } else if (next == '\0' || continues_name(next)) {
      return not_modelled("awk", "an escape in a regular expression");
    } else {
      translated.append(1, '\\').append(1, next);
    }
  }
  PosixRegex::Failure failure;
  auto regex =
      PosixRegex::compile(translated, RegexSyntax::kExtended, RegexCase::kSensitive, failure);
  if (!regex) return not_modelled("awk", failure.message);
  return std::move(*regex);
}

std::optional<std::string> expand_awk_escapes(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\') {
      out += text[at];
      continue;
    }
    if (++at == text.size()) return std::nullopt;
    switch (text[at]) {
      case 'n':
        out += '\n';
        break;
      case 't':
        out += '\t';
        break;
      case 'r':
        out += '\r';
        break;
      case '\\':
        out += '\\';
        break;
      case '"':
        out += '"';
        break;
      case '/':
        out += '/';
        break;
      default:
        return std::nullopt;
    }
  }
  return out;
}

}  // namespace recipelint::shell::awk
