#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <map>

#include "analyzer/shell/text_commands/awk_program.h"
#include "analyzer/shell/text_commands/command.h"

namespace recipelint::shell {
namespace awk {
namespace {

constexpr int kMostSteps = 2'000'000;
constexpr std::size_t kMostFields = 10'000;
/// Above this mawk prints whole numbers with an exponent, and its %d stops.
constexpr double kLargestWhole = 2147483647.0;
constexpr double kLargestUnsigned = 4294967295.0;

struct Value {
  enum class Type : std::uint8_t {
    kUnset,
    kNumber,
    kString,
    kInput,  // from outside: a number if it looks like one, else text
  };
  Type type = Type::kUnset;
  double number = 0;
  std::string text;

  static Value of(double number) { return {Type::kNumber, number, {}}; }
  static Value of(std::string text) { return {Type::kString, 0, std::move(text)}; }
  static Value of(bool truth) { return of(truth ? 1.0 : 0.0); }
  static Value input(std::string text) { return {Type::kInput, 0, std::move(text)}; }
};

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The decimal number that a text begins with. Hexadecimal numbers, "inf" and "nan" are left to the
/// caller.
std::string_view number_prefix(std::string_view text) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t begin = at;
    while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0) ++at;
    return at - begin;
  };
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  std::size_t count = digits();
  if (at < text.size() && text[at] == '.') {
    ++at;
    count += digits();
  }
  if (count == 0) return {};
  const std::size_t mantissa = at;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (digits() == 0) at = mantissa;
  }
  return text.substr(0, at);
}

bool looks_special(std::string_view text) {
  std::string word;
  for (const char c : text.substr(0, 5))
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (word.starts_with('+') || word.starts_with('-')) word.erase(0, 1);
  return word.starts_with("inf") || word.starts_with("nan") || word.starts_with("0x");
}

struct Format {
  std::string text;  // with its "%", ready for snprintf but for the length
  char conversion = '\0';
};

/// How control leaves a statement.
enum class Flow : std::uint8_t { kGoOn, kNext, kExit };

class Interpreter {
 public:
  explicit Interpreter(const std::vector<Rule>& rules) : rules_(rules) {
    variables_["FS"] = Value::of(std::string(" "));
    variables_["OFS"] = Value::of(std::string(" "));
    variables_["ORS"] = Value::of(std::string("\n"));
  }

  void set(const std::string& name, Value value) { assign_variable(name, std::move(value)); }

  bool reads_input() const {
    return std::any_of(rules_.begin(), rules_.end(),
                       [](const Rule& rule) { return rule.when != Rule::When::kBegin; });
  }

  CommandResult run(std::string_view text) {
    Flow flow = run_rules(Rule::When::kBegin);
    if (flow != Flow::kExit && reads_input()) flow = run_records(text);
    if (failure_.empty()) run_rules(Rule::When::kEnd);
    if (!failure_.empty()) return not_modelled("awk", failure_);
    return TextCommandResult{std::move(output_), status_};
  }

 private:
  // ------------------------------------------------------------------------------------ failures

  void fail(std::string why) {
    if (failure_.empty()) failure_ = std::move(why);
  }

  bool step() {
    if (++steps_ > kMostSteps) fail("a program that runs so long");
    if (output_.size() > kMostCommandOutput) fail("so much output");
    return failure_.empty();
  }

  // --------------------------------------------------------------------------------------- rules

  Flow run_records(std::string_view text) {
    for (const std::string_view line : split_lines(text)) {
      ++record_number_;
      set_record(std::string(line));
      const Flow flow = run_rules(Rule::When::kRecord);
      if (flow == Flow::kExit || !failure_.empty()) return flow;
    }
    return Flow::kGoOn;
  }

  Flow run_rules(Rule::When when) {
    for (const Rule& rule : rules_) {
      if (rule.when != when || (rule.pattern && !is_true(evaluate(*rule.pattern)))) continue;
      if (!failure_.empty()) return Flow::kExit;
      if (!rule.body) {
        output_ += record() + text_of("ORS");
        continue;
      }
      const Flow flow = execute(*rule.body);
      if (flow == Flow::kNext && when != Rule::When::kRecord) fail("next outside of a record");
      if (flow != Flow::kGoOn) return flow;
    }
    return Flow::kGoOn;
  }

  Flow execute(const Statement& statement) {
    if (!step()) return Flow::kExit;
    switch (statement.action) {
      case Action::kExpression:
        evaluate(statement.expressions[0]);
        return Flow::kGoOn;
      case Action::kPrint:
        print(statement);
        return Flow::kGoOn;
      case Action::kPrintf:
        output_ += format(statement.expressions);
        return Flow::kGoOn;
      case Action::kNext:
        return Flow::kNext;
      case Action::kExit:
        return leave(statement);
      case Action::kIf:
        return execute_if(statement);
      case Action::kWhile:
        return execute_while(statement);
      case Action::kFor:
        return execute_for(statement);
      case Action::kBlock:
        break;
    }
    for (const Statement& inner : statement.statements) {
      if (const Flow flow = execute(inner); flow != Flow::kGoOn) return flow;
    }
    return Flow::kGoOn;
  }

  Flow leave(const Statement& statement) {
    if (!statement.expressions.empty()) {
      const double status = number(evaluate(statement.expressions[0]));
      if (status < 0 || status > 255) fail("this exit status");
      status_ = failure_.empty() ? static_cast<int>(status) : 0;
    }
    return Flow::kExit;
  }

  Flow execute_if(const Statement& statement) {
    if (is_true(evaluate(statement.expressions[0]))) return execute(statement.statements[0]);
    return statement.statements.size() > 1 ? execute(statement.statements[1]) : Flow::kGoOn;
  }

  Flow execute_while(const Statement& statement) {
    while (step() && is_true(evaluate(statement.expressions[0]))) {
      if (const Flow flow = execute(statement.statements[0]); flow != Flow::kGoOn) return flow;
    }
    return Flow::kGoOn;
  }

  Flow execute_for(const Statement& statement) {
    execute(statement.statements[0]);
    while (step() &&
           (statement.expressions.empty() || is_true(evaluate(statement.expressions[0])))) {
      if (const Flow flow = execute(statement.statements[2]); flow != Flow::kGoOn) return flow;
      execute(statement.statements[1]);
    }
    return Flow::kGoOn;
  }

  void print(const Statement& statement) {
    std::string line;
    for (const Expression& expression : statement.expressions) {
      if (&expression != statement.expressions.data()) line += text_of("OFS");
      line += text(evaluate(expression));
    }
    if (statement.expressions.empty()) line = record();
    output_ += line + text_of("ORS");
  }

  // -------------------------------------------------------------------------- records and fields

  std::string text_of(const std::string& name) { return text(read_variable(name)); }

  void set_record(std::string line) {
    record_ = std::move(line);
    fields_.clear();
    split_record();
  }

  /// mawk splits when a field is asked for and gawk beforehand; both with the FS of before.
  void split_record() {
    const std::string separator = text_of("FS");
    if (separator == " ") return split_at_blanks();
    if (separator.size() == 1 && separator != "\\" && separator != "|" && separator != "t") {
      return split_at(separator[0]);
    }
    const auto regex = compile_regex(separator == "|" ? "[|]" : separator);
    if (!regex.ok() || separator.empty() || separator == "t") return fail("this field separator");
    split_at(*regex);
  }

  void split_at_blanks() {
    std::size_t at = 0;
    const auto blank = [this](std::size_t i) {
      return record_[i] == ' ' || record_[i] == '\t' || record_[i] == '\n';
    };
    while (true) {
      while (at < record_.size() && blank(at)) ++at;
      if (at == record_.size()) return;
      const std::size_t begin = at;
      while (at < record_.size() && !blank(at)) ++at;
      fields_.push_back(record_.substr(begin, at - begin));
    }
  }

  void split_at(char separator) {
    if (record_.empty()) return;
    std::size_t begin = 0;
    for (std::size_t end; (end = record_.find(separator, begin)) != std::string::npos;) {
      fields_.push_back(record_.substr(begin, end - begin));
      begin = end + 1;
    }
    fields_.push_back(record_.substr(begin));
  }

  void split_at(const PosixRegex& separator) {
    if (record_.empty()) return;
    std::size_t begin = 0;
    while (begin <= record_.size()) {
      const auto found = separator.search(record_, begin);
      if (!found.ok()) return fail(found.error().message);
      if (found->empty()) break;
      const TextRange range = found->front();
      if (range.begin == range.end) return fail("a field separator that can be empty");
      fields_.push_back(record_.substr(begin, range.begin - begin));
      begin = range.end;
    }
    fields_.push_back(record_.substr(begin));
  }

  std::string record() const { return record_; }

  void join_record() {
    record_.clear();
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      if (i > 0) record_ += text_of("OFS");
      record_ += fields_[i];
    }
  }

  std::size_t field_index(const Expression& field) {
    const double index = number(evaluate(field.operands[0]));
    if (index < 0 || index > static_cast<double>(kMostFields)) {
      fail("a field with this number");
      return 0;
    }
    return static_cast<std::size_t>(index);
  }

  Value read_field(std::size_t index) const {
    if (index == 0) return Value::input(record_);
    return index <= fields_.size() ? Value::input(fields_[index - 1]) : Value();
  }

  // ----------------------------------------------------------------------------------- variables

  Value read_variable(const std::string& name) {
    if (name == "NF") return Value::of(static_cast<double>(fields_.size()));
    if (name == "NR" || name == "FNR") return Value::of(static_cast<double>(record_number_));
    // Everything else that awk sets: ENVIRON, FILENAME, RSTART...
    const bool built_in = std::all_of(name.begin(), name.end(), [](char c) {
      return std::isupper(static_cast<unsigned char>(c)) != 0;
    });
    const auto found = variables_.find(name);
    if (found != variables_.end()) return found->second;
    if (built_in && is_reserved(name)) fail("variable " + name);
    return {};
  }

  static bool is_reserved(std::string_view name) {
    for (const std::string_view reserved :
         {"ARGC",  "ARGIND",      "ARGV",     "BINMODE", "CONVFMT",  "ENVIRON",
          "ERRNO", "FIELDWIDTHS", "FILENAME", "FNR",     "FPAT",     "IGNORECASE",
          "LINT",  "NF",          "NR",       "OFMT",    "PROCINFO", "RLENGTH",
          "RS",    "RSTART",      "RT",       "SUBSEP",  "SYMTAB",   "TEXTDOMAIN"}) {
      if (name == reserved) return true;
    }
    return false;
  }

  void assign_variable(const std::string& name, Value value) {
    if (is_reserved(name)) return fail("an assignment to " + name);
    variables_[name] = std::move(value);
  }

  void assign(const Expression& place, Value value) {
    if (place.kind == Kind::kVariable) return assign_variable(place.text, std::move(value));
    const std::size_t index = field_index(place);
    std::string content = text(value);
    if (index == 0) return set_record(std::move(content));
    if (fields_.size() < index) fields_.resize(index);
    fields_[index - 1] = std::move(content);
    join_record();
  }

  // -------------------------------------------------------------------------------------- values

  double number(const Value& value) {
    if (value.type == Value::Type::kNumber) return value.number;
    std::string_view text = value.text;
    while (!text.empty() && (text[0] == ' ' || text[0] == '\t' || text[0] == '\n')) {
      text.remove_prefix(1);
    }
    if (looks_special(text)) fail("the number " + value.text);
    return std::strtod(std::string(number_prefix(text)).c_str(), nullptr);
  }

  std::string text(const Value& value) {
    if (value.type != Value::Type::kNumber) return value.text;
    if (!std::isfinite(value.number)) {
      fail("a number that is not finite");
      return {};
    }
    if (value.number == 0) {
      if (std::signbit(value.number)) fail("a negative zero");
      return "0";
    }
    const bool whole = std::floor(value.number) == value.number;
    if (whole && std::fabs(value.number) > kLargestWhole) fail("such a large number");
    if (whole && failure_.empty()) return std::to_string(static_cast<std::int64_t>(value.number));
    return print_number("%.6g", value.number);
  }

  static std::string print_number(const std::string& format, double value) {
    char buffer[400];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    const int size = std::snprintf(buffer, sizeof buffer, format.c_str(), value);
#pragma GCC diagnostic pop
    return std::string(buffer, static_cast<std::size_t>(std::clamp(size, 0, 399)));
  }

  /// Whether the value compares as a number.
  bool is_numeric(const Value& value) {
    if (value.type == Value::Type::kNumber || value.type == Value::Type::kUnset) return true;
    if (value.type == Value::Type::kString) return false;
    const std::string_view text = trimmed(value.text);
    if (looks_special(text)) fail("the number " + value.text);
    return !text.empty() && number_prefix(text).size() == text.size();
  }

  bool is_true(const Value& value) {
    if (value.type == Value::Type::kString) return !value.text.empty();
    if (value.type == Value::Type::kInput && !is_numeric(value)) return !value.text.empty();
    return number(value) != 0;
  }

  // --------------------------------------------------------------------------------- expressions

  Value evaluate(const Expression& expression) {
    if (!step()) return {};
    const std::vector<Expression>& operands = expression.operands;
    switch (expression.kind) {
      case Kind::kNumber:
        return Value::of(expression.number);
      case Kind::kString:
        return Value::of(expression.text);
      case Kind::kRegex:
        return Value::of(matches(*expression.regex, record_));
      case Kind::kVariable:
        return read_variable(expression.text);
      case Kind::kField:
        return read_field(field_index(expression));
      case Kind::kAssign:
        return evaluate_assignment(expression);
      case Kind::kStep:
        return evaluate_step(expression);
      case Kind::kBinary: {
        const double left = number(evaluate(operands[0]));
        return Value::of(calculate(expression.op, left, number(evaluate(operands[1]))));
      }
      case Kind::kCompare:
        return evaluate_comparison(expression);
      case Kind::kMatch:
        return evaluate_match(expression);
      case Kind::kConcatenate: {
        const std::string left = text(evaluate(operands[0]));
        return Value::of(left + text(evaluate(operands[1])));
      }
      case Kind::kAnd:
        return Value::of(is_true(evaluate(operands[0])) && is_true(evaluate(operands[1])));
      case Kind::kOr:
        return Value::of(is_true(evaluate(operands[0])) || is_true(evaluate(operands[1])));
      case Kind::kNot:
        return Value::of(!is_true(evaluate(operands[0])));
      case Kind::kNegate:
        return Value::of(-number(evaluate(operands[0])));
      case Kind::kPlus:
        return Value::of(number(evaluate(operands[0])));
      case Kind::kConditional:
        return evaluate(is_true(evaluate(operands[0])) ? operands[1] : operands[2]);
      case Kind::kGroup:
        return evaluate(operands[0]);
      case Kind::kCall:
        return call(expression);
    }
    return {};
  }

  double calculate(char op, double left, double right) {
    switch (op) {
      case '+':
        return left + right;
      case '-':
        return left - right;
      case '*':
        return left * right;
      case '^':
        return std::pow(left, right);
      default:
        break;
    }
    if (right == 0) {
      fail("a division by zero");
      return 0;
    }
    return op == '/' ? left / right : std::fmod(left, right);
  }

  Value read_place(const Expression& place) {
    return place.kind == Kind::kField ? read_field(field_index(place)) : read_variable(place.text);
  }

  Value evaluate_assignment(const Expression& expression) {
    const Expression& place = expression.operands[0];
    Value value = evaluate(expression.operands[1]);
    if (expression.op != '=') {
      const double right = number(value);
      value = Value::of(calculate(expression.op, number(read_place(place)), right));
    }
    assign(place, value);
    return value;
  }

  Value evaluate_step(const Expression& expression) {
    const Expression& place = expression.operands[0];
    const double before = number(read_place(place));
    const double after = before + (expression.op == '+' ? 1 : -1);
    assign(place, Value::of(after));
    return Value::of(expression.prefix ? after : before);
  }

  Value evaluate_comparison(const Expression& expression) {
    const Value left = evaluate(expression.operands[0]);
    const Value right = evaluate(expression.operands[1]);
    const bool numbers = is_numeric(left) && is_numeric(right);
    int order = 0;
    if (numbers) {
      const double a = number(left);
      const double b = number(right);
      order = a < b ? -1 : a > b ? 1 : 0;
    } else {
      order = text(left).compare(text(right));
    }
    switch (expression.op) {
      case '<':
        return Value::of(order < 0);
      case 'l':
        return Value::of(order <= 0);
      case '=':
        return Value::of(order == 0);
      case '!':
        return Value::of(order != 0);
      case 'g':
        return Value::of(order >= 0);
      default:
        return Value::of(order > 0);
    }
  }

  bool matches(const PosixRegex& regex, const std::string& subject) {
    const auto found = regex.search(subject);
    if (!found.ok()) fail(found.error().message);
    return found.ok() && !found->empty();
  }

  Value evaluate_match(const Expression& expression) {
    const std::string subject = text(evaluate(expression.operands[0]));
    const Expression& pattern = expression.operands[1];
    bool found = false;
    if (pattern.kind == Kind::kRegex) {
      found = matches(*pattern.regex, subject);
    } else if (const auto regex = compile_regex(text(evaluate(pattern))); regex.ok()) {
      found = matches(*regex, subject);
    } else {
      fail(regex.error().message);
    }
    return Value::of(found == (expression.op == '~'));
  }

  // ----------------------------------------------------------------------------------- functions

  Value call(const Expression& expression) {
    const std::string& name = expression.text;
    const std::vector<Expression>& operands = expression.operands;
    if (name == "sprintf" && !operands.empty()) return Value::of(format(operands));
    std::vector<Value> values;
    for (const Expression& operand : operands) values.push_back(evaluate(operand));
    if (name == "length" && values.empty()) values.push_back(Value::input(record_));
    if (name == "substr" && (values.size() == 2 || values.size() == 3)) return substring(values);
    if (name == "index" && values.size() == 2) {
      const std::size_t at = ascii(values[0]).find(ascii(values[1]));
      return Value::of(at == std::string::npos ? 0.0 : static_cast<double>(at) + 1);
    }
    if (values.size() != 1) {
      fail("the arguments of " + name);
      return {};
    }
    if (name == "length") return Value::of(static_cast<double>(ascii(values[0]).size()));
    if (name == "tolower" || name == "toupper") return Value::of(in_case(name, ascii(values[0])));
    return Value::of(calculate(name, number(values[0])));
  }

  double calculate(const std::string& name, double value) {
    if (name == "int") return std::trunc(value) + 0.0;
    if (name == "sqrt") return std::sqrt(value);
    if (name == "exp") return std::exp(value);
    if (name == "log") return std::log(value);
    if (name == "sin") return std::sin(value);
    return std::cos(value);
  }

  /// Some awks count bytes and others characters.
  std::string ascii(const Value& value) {
    std::string content = text(value);
    if (!is_ascii(content)) fail("characters beyond ASCII");
    return content;
  }

  static std::string in_case(const std::string& name, std::string content) {
    for (char& c : content) {
      const auto byte = static_cast<unsigned char>(c);
      c = static_cast<char>(name == "tolower" ? std::tolower(byte) : std::toupper(byte));
    }
    return content;
  }

  Value substring(const std::vector<Value>& values) {
    const std::string content = ascii(values[0]);
    const double first = number(values[1]);
    const double count = values.size() == 3 ? number(values[2]) : 1e9;
    // Versions round halves differently.
    if (std::trunc(first) != first || std::trunc(count) != count) fail("a fractional substr");
    const double begin = std::max(first, 1.0);
    const double end = std::min(first + count, static_cast<double>(content.size()) + 1);
    if (!failure_.empty() || !(end > begin)) return Value::of(std::string());
    return Value::of(
        content.substr(static_cast<std::size_t>(begin) - 1, static_cast<std::size_t>(end - begin)));
  }

  // -------------------------------------------------------------------------------------- printf

  std::string format(const std::vector<Expression>& expressions) {
    const std::string pattern = text(evaluate(expressions[0]));
    std::string out;
    std::size_t next = 1;
    for (std::size_t at = 0; at < pattern.size() && failure_.empty(); ++at) {
      if (pattern[at] != '%') {
        out += pattern[at];
      } else if (pattern.substr(at, 2) == "%%") {
        out += '%';
        ++at;
      } else if (next >= expressions.size()) {
        fail("printf with too few values");
      } else {
        const Format directive = read_format(pattern, at);
        const Value value = evaluate(expressions[next++]);
        if (failure_.empty()) out += convert(directive, value);
      }
    }
    return out;
  }

  /// `at` is at the "%" and moves to the conversion.
  Format read_format(const std::string& pattern, std::size_t& at) {
    const std::size_t begin = at++;
    while (at < pattern.size() &&
           std::string_view("-+ #0").find(pattern[at]) != std::string_view::npos)
      ++at;
    const std::size_t size = at;
    while (at < pattern.size() &&
           (pattern[at] == '.' || std::isdigit(static_cast<unsigned char>(pattern[at])) != 0))
      ++at;
    if (at == pattern.size() || at - size > 6 ||
        std::string_view("dicsouxXeEfFgG").find(pattern[at]) == std::string_view::npos) {
      fail("the format " + pattern);
      return {};
    }
    return {pattern.substr(begin, at - begin), pattern[at]};
  }

  std::string convert(const Format& directive, const Value& value) {
    switch (directive.conversion) {
      case 'c':
      case 's':
        return convert_text(directive, value);
      case 'd':
      case 'i':
      case 'o':
      case 'u':
      case 'x':
      case 'X':
        return convert_whole(directive, value);
      default:
        break;
    }
    const double real = number(value);
    if (!std::isfinite(real) || std::fabs(real) > 1e100) fail("such a large number");
    return print_long(directive, "", real);
  }

  std::string convert_text(const Format& directive, const Value& value) {
    std::string content = text(value);
    if (directive.conversion == 'c') {
      if (value.type != Value::Type::kString) fail("the character with a number");
      content = content.substr(0, 1);
    }
    if (directive.text != "%" && !is_ascii(content)) fail("characters beyond ASCII");
    if (directive.text.find_first_of("+ #0") < directive.text.find_first_of("123456789.")) {
      fail("these flags");
    }
    return print_long(Format{directive.text, 's'}, "", content.c_str());
  }

  std::string convert_whole(const Format& directive, const Value& value) {
    const double real = number(value);
    const bool is_signed = directive.conversion == 'd' || directive.conversion == 'i';
    const bool fits =
        is_signed ? std::fabs(real) <= kLargestWhole : real >= 0 && real <= kLargestUnsigned;
    if (!fits) fail("this whole number");
    return failure_.empty() ? print_long(directive, "ll", static_cast<long long>(real)) : "";
  }

  template <typename T>
  std::string print_long(const Format& directive, const char* length, T value) {
    const std::string format = directive.text + length + directive.conversion;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    const int size = std::snprintf(nullptr, 0, format.c_str(), value);
    if (size < 0) return {};
    std::string out(static_cast<std::size_t>(size) + 1, '\0');
    std::snprintf(out.data(), out.size(), format.c_str(), value);
#pragma GCC diagnostic pop
    out.pop_back();
    return out;
  }

  const std::vector<Rule>& rules_;
  std::map<std::string, Value> variables_;
  std::string record_;
  std::vector<std::string> fields_;
  std::size_t record_number_ = 0;
  int steps_ = 0;
  int status_ = 0;
  std::string output_;
  std::string failure_;
};

}  // namespace
}  // namespace awk

CommandResult run_awk(Arguments arguments, const TextCommandInput& input) {
  const auto parsed = parse_options("awk", arguments, "F:v:", {}, OptionOrder::kBeforeOperands);
  if (!parsed.ok()) return parsed.error();
  if (parsed->operands.empty()) return not_modelled("awk", "no program");
  const auto rules = awk::parse_program(parsed->operands[0]);
  if (!rules.ok()) return rules.error();
  awk::Interpreter interpreter(*rules);
  for (const ParsedOptions::Option& option : parsed->options) {
    const std::size_t equals = option.letter == 'v' ? option.value.find('=') : 0;
    if (equals == std::string::npos) return not_modelled("awk", "-v " + option.value);
    const std::size_t begin = option.letter == 'v' ? equals + 1 : 0;
    const auto value = awk::expand_awk_escapes(std::string_view(option.value).substr(begin));
    if (!value) return not_modelled("awk", "the escape in " + option.value);
    interpreter.set(option.letter == 'v' ? option.value.substr(0, equals) : "FS",
                    awk::Value::input(*value));
  }
  const std::span<const std::string> files = std::span(parsed->operands).subspan(1);
  if (!interpreter.reads_input()) return interpreter.run({});
  if (std::any_of(files.begin(), files.end(),
                  [](const std::string& file) { return file.find('=') != std::string::npos; })) {
    return not_modelled("awk", "an assignment among the files");
  }
  const auto text = read_input("awk", files, input);
  if (!text.ok()) return text.error();
  return interpreter.run(*text);
}

}  // namespace recipelint::shell
