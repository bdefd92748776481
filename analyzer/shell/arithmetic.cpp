#include "analyzer/shell/arithmetic.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

namespace recipelint::shell {
namespace {

using Kind = ArithmeticResult::Kind;
using Fault = ArithmeticResult::Fault;
using Subscript = ArithmeticVariable::Subscript;

/// Far beyond any real expression, and small enough for the stack of a thread.
constexpr int kMostNesting = 200;
constexpr int kMostOperands = 100'000;

// Two's complement wrap-around, as the machine instructions behind bash's arithmetic have it.
std::int64_t wrap(std::uint64_t bits) {
  return static_cast<std::int64_t>(bits);
}
std::uint64_t bits_of(std::int64_t value) {
  return static_cast<std::uint64_t>(value);
}

constexpr std::int64_t kSmallest = std::numeric_limits<std::int64_t>::min();

/// Text of an expression. An unknown piece is one NUL byte, which no shell text can contain.
struct Source {
  std::string text;
  std::vector<std::string> causes;  // of the NUL bytes, in order

  Source part(std::size_t begin, std::size_t size) const {
    const auto marks = [this](std::size_t from, std::size_t count) {
      const auto at = text.begin() + static_cast<std::ptrdiff_t>(from);
      return std::count(at, at + static_cast<std::ptrdiff_t>(count), '\0');
    };
    const auto first = causes.begin() + marks(0, begin);
    return {text.substr(begin, size), {first, first + marks(begin, size)}};
  }
};

/// Known text, which can hold a NUL only if somebody made it up: bash drops it.
void append_known(Source& source, std::string_view text) {
  std::copy_if(text.begin(), text.end(), std::back_inserter(source.text),
               [](char c) { return c != '\0'; });
}

struct Number {
  std::int64_t value = 0;
  bool known = true;
  std::string cause;  // if !known

  static Number of(std::int64_t value) { return {value, true, {}}; }
  static Number unknown(std::string cause) { return {0, false, std::move(cause)}; }
};

enum class Token : std::uint8_t {
  kEnd,
  kNumber,
  kName,
  kUnknown,
  kOpen,
  kClose,
  kQuestion,
  kColon,
  kComma,
  kAssign,  // "=" or, with `binary_`, "+=" and so on
  kBinary,  // what `binary_` says
  kNot,     // "!"
  kComplement,
  kIncrement,  // "++" next to a name
  kDecrement,
  kPower,
};

enum class Binary : std::uint8_t {
  kNone,
  kLogicalOr,
  kLogicalAnd,
  kBitOr,
  kBitXor,
  kBitAnd,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kShiftLeft,
  kShiftRight,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kRemainder,
};

int precedence(Binary binary) {
  switch (binary) {
    case Binary::kNone:
      return 0;
    case Binary::kLogicalOr:
      return 1;
    case Binary::kLogicalAnd:
      return 2;
    case Binary::kBitOr:
      return 3;
    case Binary::kBitXor:
      return 4;
    case Binary::kBitAnd:
      return 5;
    case Binary::kEqual:
    case Binary::kNotEqual:
      return 6;
    case Binary::kLess:
    case Binary::kLessEqual:
    case Binary::kGreater:
    case Binary::kGreaterEqual:
      return 7;
    case Binary::kShiftLeft:
    case Binary::kShiftRight:
      return 8;
    case Binary::kAdd:
    case Binary::kSubtract:
      return 9;
    case Binary::kMultiply:
    case Binary::kDivide:
    case Binary::kRemainder:
      return 10;
  }
  return 0;
}

struct Spelling {
  std::string_view text;
  Token token;
  Binary binary = Binary::kNone;
};

/// Longest first. "++" and "--" depend on their surroundings and are not here.
constexpr auto kSpellings = std::to_array<Spelling>({
    {"<<=", Token::kAssign, Binary::kShiftLeft},
    {">>=", Token::kAssign, Binary::kShiftRight},
    {"==", Token::kBinary, Binary::kEqual},
    {"!=", Token::kBinary, Binary::kNotEqual},
    {"<=", Token::kBinary, Binary::kLessEqual},
    {">=", Token::kBinary, Binary::kGreaterEqual},
    {"<<", Token::kBinary, Binary::kShiftLeft},
    {">>", Token::kBinary, Binary::kShiftRight},
    {"&&", Token::kBinary, Binary::kLogicalAnd},
    {"||", Token::kBinary, Binary::kLogicalOr},
    {"**", Token::kPower},
    {"+=", Token::kAssign, Binary::kAdd},
    {"-=", Token::kAssign, Binary::kSubtract},
    {"*=", Token::kAssign, Binary::kMultiply},
    {"/=", Token::kAssign, Binary::kDivide},
    {"%=", Token::kAssign, Binary::kRemainder},
    {"&=", Token::kAssign, Binary::kBitAnd},
    {"^=", Token::kAssign, Binary::kBitXor},
    {"|=", Token::kAssign, Binary::kBitOr},
    {"=", Token::kAssign},
    {"<", Token::kBinary, Binary::kLess},
    {">", Token::kBinary, Binary::kGreater},
    {"&", Token::kBinary, Binary::kBitAnd},
    {"^", Token::kBinary, Binary::kBitXor},
    {"|", Token::kBinary, Binary::kBitOr},
    {"+", Token::kBinary, Binary::kAdd},
    {"-", Token::kBinary, Binary::kSubtract},
    {"*", Token::kBinary, Binary::kMultiply},
    {"/", Token::kBinary, Binary::kDivide},
    {"%", Token::kBinary, Binary::kRemainder},
    {"!", Token::kNot},
    {"~", Token::kComplement},
    {"(", Token::kOpen},
    {")", Token::kClose},
    {"?", Token::kQuestion},
    {":", Token::kColon},
    {",", Token::kComma},
});

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool starts_name(char c) {
  return is_letter(c) || c == '_';
}
bool continues_name(char c) {
  return starts_name(c) || is_digit(c);
}
bool continues_number(char c) {
  return continues_name(c) || c == '#' || c == '@';
}

std::int64_t digit_value(char c, std::int64_t base) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + (base <= 36 ? 10 : 36);
  return c == '@' ? 62 : 63;
}

/// What most variables hold; needs no parser.
bool is_plain_number(std::string_view text) {
  return !text.empty() && text.size() <= 18 && text[0] != '0' &&
         std::all_of(text.begin(), text.end(), is_digit);
}

/// A constant with its base; nullptr and `value`, or what is wrong with it.
const char* read_constant(std::string_view digits, std::int64_t& value) {
  std::int64_t base = 10;
  bool has_base = false;
  std::uint64_t sum = 0;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    base = 16;
    digits.remove_prefix(2);
    has_base = true;
  } else if (digits.size() > 1 && digits[0] == '0') {
    base = 8;
    digits.remove_prefix(1);
    has_base = true;
  }
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (digits[i] == '#') {
      if (has_base) return "invalid number";
      base = wrap(sum);
      if (base < 2 || base > 64) return "invalid arithmetic base";
      if (i + 1 == digits.size()) return "invalid integer constant";
      sum = 0;
      has_base = true;
      continue;
    }
    const std::int64_t digit = digit_value(digits[i], base);
    if (digit >= base) return "value too great for base";
    sum = sum * bits_of(base) + bits_of(digit);
  }
  value = wrap(sum);
  return nullptr;
}

std::int64_t power(std::int64_t base, std::int64_t exponent) {
  std::uint64_t result = 1;
  std::uint64_t factor = bits_of(base);
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 != 0) result *= factor;
    factor *= factor;
  }
  return wrap(result);
}

/// Not for divisions by zero.
std::int64_t apply(Binary binary, std::int64_t left, std::int64_t right) {
  const std::uint64_t a = bits_of(left);
  const std::uint64_t b = bits_of(right);
  // Shift counts are taken modulo 64, as the processors do that run these scripts.
  const std::uint64_t count = b & 63u;
  const bool overflows = left == kSmallest && right == -1;
  switch (binary) {
    case Binary::kNone:
      return right;
    case Binary::kLogicalOr:
      return left != 0 || right != 0 ? 1 : 0;
    case Binary::kLogicalAnd:
      return left != 0 && right != 0 ? 1 : 0;
    case Binary::kBitOr:
      return wrap(a | b);
    case Binary::kBitXor:
      return wrap(a ^ b);
    case Binary::kBitAnd:
      return wrap(a & b);
    case Binary::kEqual:
      return left == right ? 1 : 0;
    case Binary::kNotEqual:
      return left != right ? 1 : 0;
    case Binary::kLess:
      return left < right ? 1 : 0;
    case Binary::kLessEqual:
      return left <= right ? 1 : 0;
    case Binary::kGreater:
      return left > right ? 1 : 0;
    case Binary::kGreaterEqual:
      return left >= right ? 1 : 0;
    case Binary::kShiftLeft:
      return wrap(a << count);
    case Binary::kShiftRight:
      return left >> count;
    case Binary::kAdd:
      return wrap(a + b);
    case Binary::kSubtract:
      return wrap(a - b);
    case Binary::kMultiply:
      return wrap(a * b);
    case Binary::kDivide:
      return overflows ? kSmallest : left / right;
    case Binary::kRemainder:
      return overflows ? 0 : left % right;
  }
  return 0;
}

/// What all expressions share that one evaluation leads to through the texts of variables.
struct Session {
  struct Level {
    std::string text;
    int assignments = 0;  // made before this level began
  };

  explicit Session(ArithmeticScope& variables) : scope(variables) {}

  bool stopped() const { return outcome.kind != Kind::kValue; }

  ArithmeticScope& scope;
  /// kValue while nothing has gone wrong.
  ArithmeticResult outcome;
  /// Why the code being evaluated may not run at all; empty if it certainly does.
  std::string doubt;
  bool doubt_is_permanent = false;
  /// In code that certainly does not run only the syntax counts.
  int skipping = 0;
  int nesting = 0;
  int operands = 0;
  int assignments = 0;
  std::vector<Level> levels;
};

/// Reads and evaluates one text in one pass, like bash: a part that is not reached is parsed with
/// evaluation switched off. After a failure the rest of the text is empty, so that all loops end.
class Expression {
 public:
  Expression(Session& session, Source source) : session_(session), source_(std::move(source)) {}

  Number evaluate() {
    advance();
    if (token_ == Token::kEnd) return {};
    Number result = comma();
    if (token_ != Token::kEnd) fail(Fault::kSyntax, "syntax error in expression");
    return result;
  }

 private:
  /// The place an assignment writes to. The subscript is read when bash reads it: before the value
  /// for "+=", "++" and "--", after it for "=".
  struct Place {
    std::string name;
    std::optional<Source> subscript;
    // Set by resolve().
    Subscript kind = Subscript::kNone;
    std::int64_t index = 0;

    ArithmeticVariable variable() const {
      const bool is_key = kind == Subscript::kKey;
      return {name, kind, index, is_key ? std::string_view(subscript->text) : std::string_view()};
    }
  };

  class Nested {
   public:
    explicit Nested(Expression& expression) : expression_(expression) {
      if (++expression_.session_.nesting > kMostNesting) expression_.nested_too_deep();
    }
    ~Nested() { --expression_.session_.nesting; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    Expression& expression_;
  };

  // ------------------------------------------------------------------------------------ failures

  void stop(ArithmeticResult outcome) {
    if (!session_.stopped()) session_.outcome = std::move(outcome);
    token_ = Token::kEnd;
    at_ = source_.text.size();
  }

  /// With an unknown piece in the text nothing can be said about its syntax.
  void fail(Fault fault, std::string message) {
    if (!source_.causes.empty()) return give_up(source_.causes.front());
    stop({Kind::kError, 0, fault, std::move(message), {}});
  }

  void give_up(std::string cause) { stop({Kind::kUnknown, 0, Fault::kNone, std::move(cause), {}}); }

  /// A failure while evaluating. If it is not certain that this code runs, everything after it is
  /// in doubt instead.
  Number fail_to_evaluate(Fault fault, std::string message) {
    if (session_.doubt.empty()) {
      fail(fault, std::move(message));
      return {};
    }
    session_.doubt_is_permanent = true;
    return Number::unknown(session_.doubt);
  }

  void nested_too_deep() {
    // The same text twice without an assignment in between never comes to an end.
    const auto& levels = session_.levels;
    for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
      if (levels[i].assignments == session_.assignments && levels[i].text == levels.back().text) {
        return fail(Fault::kRecursion, "expression recursion level exceeded");
      }
    }
    give_up("an arithmetic expression that nests too deep");
  }

  // -------------------------------------------------------------------------------------- tokens

  char peek(std::size_t offset = 0) const {
    return at_ + offset < source_.text.size() ? source_.text[at_ + offset] : ' ';
  }

  void advance() {
    const bool after_name = token_ == Token::kName;
    while (at_ < source_.text.size() && is_blank(source_.text[at_])) ++at_;
    binary_ = Binary::kNone;
    token_ = Token::kEnd;
    if (at_ == source_.text.size()) return;
    const char c = source_.text[at_];
    if (c == '\0' || continues_name(c)) return read_operand();
    if (read_increment(after_name)) return;
    const std::string_view rest = std::string_view(source_.text).substr(at_);
    for (const Spelling& spelling : kSpellings) {
      if (!rest.starts_with(spelling.text)) continue;
      token_ = spelling.token;
      binary_ = spelling.binary;
      at_ += spelling.text.size();
      return;
    }
    fail(Fault::kSyntax, "syntax error: invalid arithmetic operator");
  }

  /// "++" is an increment after a name or before one; else it is two signs.
  bool read_increment(bool after_name) {
    const char c = peek();
    if ((c != '+' && c != '-') || peek(1) != c) return false;
    std::size_t next = at_ + 2;
    while (next < source_.text.size() && is_blank(source_.text[next])) ++next;
    const bool before_name = next < source_.text.size() && starts_name(source_.text[next]);
    if (!after_name && !before_name) return false;
    token_ = c == '+' ? Token::kIncrement : Token::kDecrement;
    at_ += 2;
    return true;
  }

  /// "++x" is not a place: neither "++x = 1" nor "++x++" are allowed.
  void advance_after_prefix_step() {
    token_ = Token::kNumber;
    while (is_blank(peek()) && at_ < source_.text.size()) ++at_;
    if ((peek() == '+' || peek() == '-') && peek(1) == peek()) {
      return fail(Fault::kNotAVariable, "assignment requires lvalue");
    }
    advance();
  }

  void read_operand() {
    const std::size_t begin = at_;
    const bool is_name = starts_name(peek());
    while (at_ < source_.text.size() &&
           (source_.text[at_] == '\0' ||
            (is_name ? continues_name(source_.text[at_]) : continues_number(source_.text[at_])))) {
      ++at_;
    }
    const Source text = source_.part(begin, at_ - begin);
    if (!text.causes.empty()) {
      token_ = Token::kUnknown;
      name_ = text.causes.front();
      if (peek() == '[') give_up(name_);
    } else if (is_name) {
      token_ = Token::kName;
      name_ = text.text;
      read_subscript();
    } else {
      token_ = Token::kNumber;
      const char* problem = read_constant(text.text, number_);
      if (problem != nullptr) fail(Fault::kBadNumber, problem);
    }
  }

  void read_subscript() {
    subscript_.reset();
    if (peek() != '[') return;
    const std::size_t begin = at_ + 1;
    int depth = 0;
    for (std::size_t i = at_; i < source_.text.size(); ++i) {
      if (source_.text[i] == '[') ++depth;
      if (source_.text[i] != ']' || --depth != 0) continue;
      subscript_ = source_.part(begin, i - begin);
      at_ = i + 1;
      return;
    }
    fail(Fault::kSyntax, "bad array subscript");
  }

  // ----------------------------------------------------------------------------------- variables

  Place take_place() { return {std::move(name_), std::move(subscript_)}; }

  /// Evaluates the subscript.
  void resolve(Place& place) {
    if (!place.subscript || session_.skipping > 0) return;
    const Source& subscript = *place.subscript;
    if (session_.scope.is_associative(place.name)) {
      place.kind = subscript.causes.empty() ? Subscript::kKey : Subscript::kUnknown;
      return;
    }
    if (subscript.text.find_first_of("$`") != std::string::npos) {
      // Bash expands it, once more, right here.
      give_up("an expansion inside the subscript of " + place.name);
      return;
    }
    const Number index = evaluate_text(subscript);
    place.index = index.value;
    place.kind = index.known ? Subscript::kIndex : Subscript::kUnknown;
  }

  Number read(const Place& place) {
    if (session_.skipping > 0 || session_.stopped()) return {};
    if (++session_.operands > kMostOperands) {
      give_up("an arithmetic expression with too many operands");
      return {};
    }
    if (place.kind == Subscript::kUnknown) {
      return Number::unknown("an unknown element of " + place.name);
    }
    const ArithmeticOperand operand = session_.scope.read(place.variable());
    switch (operand.kind) {
      case ArithmeticOperand::Kind::kUnset:
        return {};
      case ArithmeticOperand::Kind::kUnknown:
        return Number::unknown(operand.text);
      case ArithmeticOperand::Kind::kText:
        if (is_plain_number(operand.text)) return Number::of(std::stoll(operand.text));
        return evaluate_known(operand.text);
      case ArithmeticOperand::Kind::kUnbound:
        break;
    }
    Number result = fail_to_evaluate(Fault::kUnbound, place.name + ": unbound variable");
    if (session_.outcome.fault == Fault::kUnbound) session_.outcome.name = place.name;
    return result;
  }

  Number evaluate_known(std::string_view text) {
    Source source;
    append_known(source, text);
    return evaluate_text(source);
  }

  /// Evaluates text that is an expression of its own.
  Number evaluate_text(const Source& text) {
    session_.levels.push_back({text.text, session_.assignments});
    Number result;
    {
      const Nested nested(*this);
      if (!session_.stopped()) result = Expression(session_, text).evaluate();
    }
    session_.levels.pop_back();
    if (session_.stopped()) stop({});
    return result;
  }

  void write(const Place& place, const Number& number) {
    if (session_.skipping > 0 || session_.stopped()) return;
    ++session_.assignments;
    if (!session_.doubt.empty()) {
      session_.scope.assign(place.variable(), ArithmeticOperand::unknown(session_.doubt));
    } else if (!number.known) {
      session_.scope.assign(place.variable(), ArithmeticOperand::unknown(number.cause));
    } else {
      session_.scope.assign(place.variable(),
                            ArithmeticOperand::known(std::to_string(number.value)));
    }
  }

  // ----------------------------------------------------------------------------------- operators

  Number comma() {
    Number value = assignment();
    while (token_ == Token::kComma) {
      advance();
      value = assignment();
    }
    return value;
  }

  Number assignment() {
    const Nested nested(*this);
    Number left = conditional();
    if (token_ != Token::kAssign) return left;
    if (!place_) {
      fail(Fault::kNotAVariable, "attempted assignment to non-variable");
      return {};
    }
    Place place = std::move(*place_);
    place_.reset();
    const Binary binary = binary_;
    advance();
    Number value = assignment();
    place_.reset();
    if (session_.stopped()) return {};
    if (binary == Binary::kNone) {
      resolve(place);
    } else {
      value = combine(binary, left, value);
    }
    write(place, value);
    return value;
  }

  Number conditional() {
    Number condition = binary(1);
    if (token_ != Token::kQuestion) return condition;
    const Nested nested(*this);
    Number yes = branch(condition, condition.value != 0, [this] {
      advance();
      if (token_ == Token::kEnd || token_ == Token::kColon) {
        fail(Fault::kSyntax, "syntax error: expression expected");
      }
      return comma();
    });
    if (token_ != Token::kColon) {
      fail(Fault::kSyntax, "syntax error: `:' expected for conditional expression");
      return {};
    }
    Number no = branch(condition, condition.value == 0, [this] {
      advance();
      if (token_ == Token::kEnd) fail(Fault::kSyntax, "syntax error: expression expected");
      return conditional();
    });
    place_.reset();
    if (condition.known) return condition.value != 0 ? yes : no;
    if (yes.known && no.known && yes.value == no.value) return yes;
    return condition;
  }

  /// Parses a part that runs only if `condition` is known and `taken`, or may run if it is unknown.
  template <typename Parse>
  Number branch(const Number& condition, bool taken, Parse parse) {
    if (!condition.known) {
      const std::string before = std::exchange(session_.doubt, condition.cause);
      Number result = parse();
      if (!session_.doubt_is_permanent) session_.doubt = before;
      return result;
    }
    if (!taken) ++session_.skipping;
    Number result = parse();
    if (!taken) --session_.skipping;
    return result;
  }

  Number binary(int lowest) {
    Number left = exponentiation();
    while (token_ == Token::kBinary && precedence(binary_) >= lowest) {
      const Binary op = binary_;
      if (op == Binary::kLogicalAnd || op == Binary::kLogicalOr) {
        left = logical(op, left);
      } else {
        advance();
        const Number right = binary(precedence(op) + 1);
        left = combine(op, left, right);
      }
      place_.reset();
    }
    return left;
  }

  Number logical(Binary op, const Number& left) {
    const bool deciding = op == Binary::kLogicalOr;  // the truth value that decides alone
    const Number right = branch(left, (left.value != 0) != deciding, [this, op] {
      advance();
      return binary(precedence(op) + 1);
    });
    const auto decides = [deciding](const Number& side) {
      return side.known && (side.value != 0) == deciding;
    };
    if (decides(left) || decides(right)) return Number::of(deciding ? 1 : 0);
    if (!left.known) return left;
    if (!right.known) return right;
    return Number::of(apply(op, left.value, right.value));
  }

  Number combine(Binary op, const Number& left, const Number& right) {
    const bool divides = op == Binary::kDivide || op == Binary::kRemainder;
    if (divides && right.known && right.value == 0) {
      if (session_.skipping > 0) return {};
      return fail_to_evaluate(Fault::kDivisionByZero, "division by 0");
    }
    if (!left.known) return left;
    if (!right.known) return right;
    return Number::of(apply(op, left.value, right.value));
  }

  Number exponentiation() {
    Number base = unary();
    if (token_ != Token::kPower) return base;
    const Nested nested(*this);
    advance();
    const Number exponent = exponentiation();
    place_.reset();
    if (!exponent.known) return exponent;
    // Bash looks at the exponent even in a part that is not evaluated.
    if (exponent.value < 0) {
      return fail_to_evaluate(Fault::kNegativeExponent, "exponent less than 0");
    }
    if (!base.known) return exponent.value == 0 ? Number::of(1) : base;
    return Number::of(power(base.value, exponent.value));
  }

  Number unary() {
    const bool sign = binary_ == Binary::kAdd || binary_ == Binary::kSubtract;
    if (token_ != Token::kNot && token_ != Token::kComplement &&
        (token_ != Token::kBinary || !sign)) {
      return primary();
    }
    const Nested nested(*this);
    const Token token = token_;
    const Binary op = binary_;
    advance();
    Number operand = unary();
    place_.reset();
    if (token == Token::kNot) {
      operand.value = operand.value == 0 ? 1 : 0;
    } else if (token == Token::kComplement) {
      operand.value = ~operand.value;
    } else if (op == Binary::kSubtract) {
      operand.value = apply(Binary::kSubtract, 0, operand.value);
    }
    return operand;
  }

  Number primary() {
    place_.reset();
    switch (token_) {
      case Token::kNumber:
        return number();
      case Token::kUnknown:
        return unknown_operand();
      case Token::kName:
        return name();
      case Token::kIncrement:
      case Token::kDecrement:
        return prefix_step();
      case Token::kOpen:
        return parenthesized();
      default:
        break;
    }
    fail(Fault::kSyntax, "syntax error: operand expected");
    return {};
  }

  Number number() {
    const Number result = Number::of(number_);
    advance();
    return result;
  }

  Number unknown_operand() {
    Number result = Number::unknown(std::move(name_));
    // "$x = 1" with an unknown name: nobody can say which variable changes.
    advance();
    if (token_ == Token::kAssign) give_up(result.cause);
    return result;
  }

  Number parenthesized() {
    advance();
    Number result = comma();
    if (token_ != Token::kClose) {
      fail(Fault::kSyntax, "syntax error: missing `)'");
      return {};
    }
    advance();
    place_.reset();
    return result;
  }

  /// A variable, perhaps with "++" or "--" behind it.
  Number name() {
    Place place = take_place();
    advance();
    if (token_ == Token::kAssign && binary_ == Binary::kNone) {
      place_ = std::move(place);  // "x = ..." does not look at x
      return {};
    }
    const Token step = token_;
    resolve(place);
    Number value = read(place);
    if (session_.stopped()) return {};
    if (step != Token::kIncrement && step != Token::kDecrement) {
      place_ = std::move(place);
      return value;
    }
    write(place, stepped(value, step));
    advance();
    return value;
  }

  Number prefix_step() {
    const Token step = token_;
    advance();
    if (token_ != Token::kName) {
      fail(Fault::kSyntax,
           "syntax error: identifier expected after pre-increment or pre-decrement");
      return {};
    }
    Place place = take_place();
    resolve(place);
    const Number value = stepped(read(place), step);
    write(place, value);
    advance_after_prefix_step();
    return value;
  }

  static Number stepped(Number value, Token step) {
    value.value =
        apply(step == Token::kIncrement ? Binary::kAdd : Binary::kSubtract, value.value, 1);
    return value;
  }

  Session& session_;
  Source source_;
  std::size_t at_ = 0;

  Token token_ = Token::kEnd;
  Binary binary_ = Binary::kNone;
  std::int64_t number_ = 0;
  std::string name_;  // kName; the cause for kUnknown
  std::optional<Source> subscript_;

  /// What an assignment operator that follows would write to.
  std::optional<Place> place_;
};

ArithmeticResult evaluate(Source source, ArithmeticScope& scope) {
  Session session(scope);
  const Number number = Expression(session, std::move(source)).evaluate();
  if (session.stopped()) return session.outcome;
  if (!number.known) return {Kind::kUnknown, 0, Fault::kNone, number.cause, {}};
  return {Kind::kValue, number.value, Fault::kNone, {}, {}};
}

}  // namespace

ArithmeticResult evaluate_arithmetic(std::span<const Piece> expression, ArithmeticScope& scope) {
  Source source;
  for (const Piece& piece : expression) {
    if (piece.known) {
      append_known(source, piece.text.get());
    } else {
      source.text += '\0';
      source.causes.push_back(piece.text.get());
    }
  }
  return evaluate(std::move(source), scope);
}

ArithmeticResult evaluate_arithmetic(std::string_view expression, ArithmeticScope& scope) {
  const Piece piece{std::string(expression), true, {}};
  return evaluate_arithmetic(std::span(&piece, 1), scope);
}

}  // namespace recipelint::shell
