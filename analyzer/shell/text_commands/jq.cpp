#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>

#include "analyzer/shell/text_commands/command.h"

/// The part of jq that builds and reads configuration: paths, literals, construction, simple
/// operators.
namespace recipelint::shell {
namespace {

// Keeps the order of keys, as jq does.
using Json = nlohmann::ordered_json;
using Outputs = std::vector<Json>;

constexpr std::size_t kLongestText = 256u << 10u;
constexpr int kMostNesting = 60;
constexpr std::size_t kMostSteps = 200'000;
constexpr std::int64_t kLargestWhole = 9007199254740991;

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool starts_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool continues_name(char c) {
  return starts_name(c) || is_digit(c);
}

// ------------------------------------------------------------------------------------- reading

/// Whether every version of jq prints the number as it is written here.
bool is_plain_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.size() > 16 || text.empty()) return false;
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  if (whole.empty() || !std::all_of(whole.begin(), whole.end(), is_digit)) return false;
  if (whole.size() > 1 && whole[0] == '0') return false;
  if (point == text.size()) return true;
  const std::string_view fraction = text.substr(point + 1);
  const bool small = whole == "0" && fraction.starts_with("0000");
  return !fraction.empty() && std::all_of(fraction.begin(), fraction.end(), is_digit) &&
         fraction.back() != '0' && !small;
}

/// Whether the numbers outside of strings are plain and nothing nests too deep.
bool is_plain(std::string_view text) {
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] == '\\') ++at;
      }
    } else if (c == '[' || c == '{') {
      if (++depth > kMostNesting) return false;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == '-' || is_digit(c)) {
      const std::size_t end = std::min(text.find_first_not_of("0123456789.eE+-", at), text.size());
      if (!is_plain_number(text.substr(at, end - at)) || text.substr(at, end - at) == "-0") {
        return false;
      }
      at = end - 1;
    }
  }
  return true;
}

std::optional<Json> read_json(std::string_view text) {
  if (text.size() > kLongestText || !is_plain(text) || text.find('\x7F') != text.npos) {
    return std::nullopt;
  }
  Json value = Json::parse(text, nullptr, false);
  if (value.is_discarded()) return std::nullopt;
  return value;
}

// ---------------------------------------------------------------------------------- the language

/// Parses and evaluates in one pass over the text, once for every input of a part.
class Filter {
 public:
  Filter(std::string_view text, const std::map<std::string, Json>& variables)
      : text_(text), variables_(variables) {}

  Outputs run(const Json& input) {
    at_ = 0;
    Outputs outputs = pipe(input);
    if (peek() != '\0') fail("this filter");
    return outputs;
  }

  const std::string& failure() const { return failure_; }

 private:
  class Nested {
   public:
    explicit Nested(Filter& filter) : filter_(filter) {
      if (++filter_.nesting_ > kMostNesting) filter_.fail("such deep nesting");
    }
    ~Nested() { --filter_.nesting_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    Filter& filter_;
  };

  void fail(std::string_view why) {
    if (failure_.empty()) failure_ = why;
    at_ = text_.size();
  }

  bool step() {
    if (++steps_ > kMostSteps) fail("so many steps");
    return failure_.empty();
  }

  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    if (at_ < text_.size() && text_[at_] == '#') fail("a comment");
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  /// Takes an operator unless it is the beginning of a longer one.
  bool take(std::string_view op) {
    peek();
    const std::string_view rest = text_.substr(at_);
    if (!rest.starts_with(op)) return false;
    const char next = op.size() < rest.size() ? rest[op.size()] : '\0';
    const bool arithmetic = std::string_view("+-*/%|<>=").find(op.back()) != std::string_view::npos;
    if (arithmetic && (next == '=' || (op == "/" && next == '/'))) return false;
    at_ += op.size();
    return true;
  }

  bool take_word(std::string_view word) {
    peek();
    const std::string_view rest = text_.substr(at_);
    if (!rest.starts_with(word)) return false;
    if (word.size() < rest.size() && continues_name(rest[word.size()])) return false;
    at_ += word.size();
    return true;
  }

  void expect(std::string_view token) {
    if (!take(token)) fail("a missing " + std::string(token));
  }

  std::string read_name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && continues_name(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  /// Evaluates `part` at the current place for every input, and moves behind it once. Without
  /// inputs it is still parsed.
  template <typename Part>
  Outputs for_each(const Outputs& inputs, Part part) {
    const std::size_t begin = at_;
    std::size_t end = begin;
    Outputs outputs;
    if (inputs.empty()) {
      part(Json());
      if (failure_.empty()) return {};
    }
    for (const Json& input : inputs) {
      at_ = begin;
      Outputs some = part(input);
      end = at_;
      if (!step()) return {};
      std::move(some.begin(), some.end(), std::back_inserter(outputs));
    }
    at_ = end;
    return outputs;
  }

  Outputs pipe(const Json& input) {
    const Nested nested(*this);
    Outputs outputs = comma(input);
    if (!failure_.empty() || !take("|")) return outputs;
    return for_each(outputs, [this](const Json& value) { return pipe(value); });
  }

  Outputs comma(const Json& input) {
    Outputs outputs = alternative(input);
    while (failure_.empty() && take(",")) {
      Outputs more = alternative(input);
      std::move(more.begin(), more.end(), std::back_inserter(outputs));
    }
    return outputs;
  }

  static bool is_true(const Json& value) {
    return !value.is_null() && !(value.is_boolean() && !value.get<bool>());
  }

  Outputs alternative(const Json& input) {
    Outputs left = comparison(input);
    if (!failure_.empty() || !take("//")) return left;
    const Nested nested(*this);
    Outputs right = alternative(input);
    left.erase(std::remove_if(left.begin(), left.end(), [](const Json& v) { return !is_true(v); }),
               left.end());
    return left.empty() ? right : left;
  }

  /// The only output of a part; several would have to be combined with each other.
  Json single(Outputs outputs) {
    if (outputs.size() == 1) return std::move(outputs[0]);
    fail("an operand that is not one value");
    return {};
  }

  Outputs comparison(const Json& input) {
    Outputs left = sum(input);
    for (const std::string_view op : {"==", "!=", "<=", ">=", "<", ">"}) {
      if (!failure_.empty() || !take(op)) continue;
      const Json a = single(std::move(left));
      const Json b = single(sum(input));
      return {compare(op, a, b)};
    }
    if (take_word("and") || take_word("or")) fail("and, or");
    return left;
  }

  Json compare(std::string_view op, const Json& a, const Json& b) {
    const bool numbers = a.is_number() && b.is_number();
    const bool strings = a.is_string() && b.is_string();
    if (a.is_structured() || b.is_structured()) fail("a comparison of arrays or objects");
    if (op == "==") return a == b;
    if (op == "!=") return a != b;
    if (!numbers && !strings) fail("such a comparison");
    if (op == "<") return a < b;
    if (op == "<=") return a <= b;
    return op == ">" ? a > b : a >= b;
  }

  Outputs sum(const Json& input) {
    Outputs left = product(input);
    while (failure_.empty()) {
      if (take("+")) {
        const Json a = single(std::move(left));
        left = {add(a, single(product(input)))};
      } else if (take("-")) {
        const Json a = single(std::move(left));
        left = {calculate('-', a, single(product(input)))};
      } else {
        break;
      }
    }
    return left;
  }

  Outputs product(const Json& input) {
    Outputs left = postfix(input);
    while (failure_.empty()) {
      char op = '\0';
      if (take("*")) op = '*';
      if (op == '\0' && take("/")) op = '/';
      if (op == '\0' && take("%")) op = '%';
      if (op == '\0') break;
      const Json a = single(std::move(left));
      left = {calculate(op, a, single(postfix(input)))};
    }
    return left;
  }

  Json add(const Json& a, const Json& b) {
    if (a.is_null()) return b;
    if (b.is_null()) return a;
    if (a.is_string() && b.is_string()) return a.get<std::string>() + b.get<std::string>();
    if (a.is_array() && b.is_array()) {
      Json sum = a;
      for (const Json& element : b) sum.push_back(element);
      return sum;
    }
    if (a.is_object() && b.is_object()) {
      Json sum = a;
      for (const auto& [key, value] : b.items()) sum[key] = value;
      return sum;
    }
    return calculate('+', a, b);
  }

  /// Whole numbers only: versions of jq print others differently.
  Json calculate(char op, const Json& a, const Json& b) {
    if (!a.is_number_integer() || !b.is_number_integer()) {
      fail("arithmetic with other than whole numbers");
      return {};
    }
    const auto x = a.get<std::int64_t>();
    const auto y = b.get<std::int64_t>();
    std::int64_t result = 0;
    bool exact = true;
    if (op == '+') result = x + y;
    if (op == '-') result = x - y;
    if (op == '*') exact = !__builtin_mul_overflow(x, y, &result);
    if (op == '/' || op == '%') {
      exact = y > 0 && x >= 0 && (op == '%' || x % y == 0);
      if (exact) result = op == '/' ? x / y : x % y;
    }
    if (!exact || result > kLargestWhole || result < -kLargestWhole) fail("this arithmetic");
    return result;
  }

  Outputs postfix(const Json& input) {
    Outputs values = term(input);
    while (failure_.empty()) {
      if (at_ < text_.size() && text_[at_] == '.') ++at_;
      const char c = at_ < text_.size() ? text_[at_] : '\0';
      const bool after_dot = at_ > 0 && text_[at_ - 1] == '.';
      if (after_dot && (starts_name(c) || c == '"')) {
        const Json key = c == '"' ? read_string() : Json(read_name());
        for (Json& value : values) value = index(value, key);
      } else if (c == '[') {
        ++at_;
        values = subscript(input, values);
      } else {
        if (after_dot) fail("a dot");
        if (peek() == '?') fail("?");
        break;
      }
    }
    return values;
  }

  /// Behind "[": an index or, for "[]", all elements.
  Outputs subscript(const Json& input, const Outputs& values) {
    if (take("]")) {
      Outputs elements;
      for (const Json& value : values) {
        if (!value.is_structured()) fail("the elements of a scalar");
        for (const Json& element : value) elements.push_back(element);
      }
      return elements;
    }
    const Json key = single(pipe(input));
    expect("]");
    Outputs results;
    for (const Json& value : values) results.push_back(index(value, key));
    return results;
  }

  Json index(const Json& value, const Json& key) {
    if (value.is_null() && (key.is_string() || key.is_number())) return {};
    if (value.is_object() && key.is_string()) {
      const auto found = value.find(key.get<std::string>());
      return found == value.end() ? Json() : *found;
    }
    if (value.is_array() && key.is_number_integer()) {
      const auto size = static_cast<std::int64_t>(value.size());
      auto at = key.get<std::int64_t>();
      if (at < 0) at += size;
      return at < 0 || at >= size ? Json() : value[static_cast<std::size_t>(at)];
    }
    fail("this index");
    return {};
  }

  Outputs term(const Json& input) {
    if (!step()) return {};
    const char c = peek();
    if (c == '(') {
      ++at_;
      Outputs outputs = pipe(input);
      expect(")");
      return outputs;
    }
    if (c == '[') return {array(input)};
    if (c == '{') return {object(input)};
    if (c == '"') return {read_string()};
    if (c == '$') {
      ++at_;
      return {variable(read_name())};
    }
    if (is_digit(c)) return {number()};
    if (starts_name(c)) return function(read_name(), input);
    if (c != '.') {
      fail("this filter");
      return {};
    }
    // postfix() reads the name behind the dot.
    const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (next == '.') fail("..");
    if (failure_.empty() && !starts_name(next) && next != '"') ++at_;
    return {input};
  }

  Json number() {
    const std::size_t end = std::min(text_.find_first_not_of("0123456789.eE", at_), text_.size());
    const std::string_view digits = text_.substr(at_, end - at_);
    at_ = end;
    if (!is_plain_number(digits)) {
      fail("this number");
      return {};
    }
    return Json::parse(digits, nullptr, false);
  }

  /// At the opening quote.
  Json read_string() {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ >= text_.size()) {
      fail("an unterminated string");
      return {};
    }
    ++at_;
    const std::optional<Json> value = read_json(text_.substr(begin, at_ - begin));
    if (!value) fail("this string");
    return value.value_or(Json());
  }

  Json variable(const std::string& name) {
    const auto found = variables_.find(name);
    if (found != variables_.end()) return found->second;
    fail("$" + name);
    return {};
  }

  Json array(const Json& input) {
    ++at_;
    Json array = Json::array();
    if (take("]")) return array;
    for (Json& value : pipe(input)) array.push_back(std::move(value));
    expect("]");
    return array;
  }

  Json object(const Json& input) {
    const Nested nested(*this);
    ++at_;
    Json object = Json::object();
    if (take("}")) return object;
    do {
      read_entry(input, object);
    } while (failure_.empty() && take(","));
    expect("}");
    return object;
  }

  /// "name: value", "\"name\": value", "(filter): value", "name" and "$name".
  void read_entry(const Json& input, Json& object) {
    const char c = peek();
    Json key;
    if (c == '$') {
      ++at_;
      const std::string name = read_name();
      object[name] = variable(name);
      return;
    }
    if (c == '"') {
      key = read_string();
    } else if (c == '(') {
      ++at_;
      key = single(pipe(input));
      expect(")");
    } else {
      key = read_name();
    }
    if (!failure_.empty() || !key.is_string() || key.get<std::string>().empty()) {
      return fail("this key");
    }
    const auto name = key.get<std::string>();
    if (take(":")) {
      object[name] = single(alternative(input));
    } else {
      object[name] = index(input, key);
    }
  }

  Outputs function(const std::string& name, const Json& input) {
    if (name == "null") return {Json()};
    if (name == "true") return {true};
    if (name == "false") return {false};
    if (name == "empty") return {};
    if (name == "not") return {!is_true(input)};
    if (name == "length") return {length(input)};
    if (name == "keys") return {keys(input)};
    if (name == "add" && input.is_array()) return {sum_of(input)};
    if (name == "tostring") return {input.is_string() ? input : Json(input.dump())};
    if (name == "tonumber") return {to_number(input)};
    if (name == "select" || name == "map" || name == "join") return call(name, input);
    fail(name);
    return {};
  }

  Json length(const Json& input) {
    if (input.is_null()) return 0;
    if (input.is_structured()) return input.size();
    if (input.is_string() && is_ascii(input.get<std::string>())) {
      return input.get<std::string>().size();
    }
    fail("this length");
    return {};
  }

  Json keys(const Json& input) {
    if (!input.is_object()) fail("the keys of other than an object");
    std::vector<std::string> names;
    for (const auto& [key, value] : input.items()) names.push_back(key);
    std::sort(names.begin(), names.end());
    return names;
  }

  Json sum_of(const Json& input) {
    Json sum;
    for (const Json& element : input) sum = add(sum, element);
    return sum;
  }

  Json to_number(const Json& input) {
    if (input.is_number()) return input;
    if (input.is_string() && is_plain_number(input.get<std::string>())) {
      return Json::parse(input.get<std::string>(), nullptr, false);
    }
    fail("tonumber");
    return {};
  }

  Outputs call(const std::string& name, const Json& input) {
    const Nested nested(*this);
    expect("(");
    Outputs outputs;
    if (name == "select") {
      if (is_true(single(pipe(input)))) outputs.push_back(input);
    } else if (!input.is_array()) {
      fail(name + " of other than an array");
    } else if (name == "map") {
      const Outputs elements(input.begin(), input.end());
      outputs = {Json(for_each(elements, [this](const Json& value) { return pipe(value); }))};
    } else {
      outputs = {join(input, single(pipe(input)))};
    }
    expect(")");
    return outputs;
  }

  Json join(const Json& input, const Json& separator) {
    if (!separator.is_string()) fail("join");
    std::string joined;
    for (const Json& element : input) {
      if (&element != &input.front()) joined += separator.get<std::string>();
      if (element.is_structured() || element.is_number_float()) fail("join");
      if (!element.is_null()) {
        joined += element.is_string() ? element.get<std::string>() : element.dump();
      }
      if (!failure_.empty()) break;
    }
    return joined;
  }

  std::string_view text_;
  const std::map<std::string, Json>& variables_;
  std::size_t at_ = 0;
  int nesting_ = 0;
  std::size_t steps_ = 0;
  std::string failure_;
};

// --------------------------------------------------------------------------------------- options

struct Settings {
  bool null_input = false;
  bool raw = false;
  bool compact = false;
  bool joined = false;
  std::map<std::string, Json> variables;
  std::vector<std::string> operands;
};

class SettingsReader {
 public:
  explicit SettingsReader(Arguments arguments) : arguments_(arguments) {}

  text::Result<Settings> read() {
    for (; next_ < arguments_.size(); ++next_) {
      const std::string& argument = arguments_[next_];
      if (!read_argument(argument)) return not_modelled("jq", argument);
    }
    if (settings_.operands.empty()) return not_modelled("jq", "no filter");
    return std::move(settings_);
  }

 private:
  bool read_argument(const std::string& argument) {
    if (argument == "--arg" || argument == "--argjson") return read_variable(argument);
    if (argument == "--null-input") return read_letters("n");
    if (argument == "--raw-output") return read_letters("r");
    if (argument == "--compact-output") return read_letters("c");
    if (argument.starts_with("--")) return false;
    if (argument.size() > 1 && argument[0] == '-') return read_letters(argument.substr(1));
    settings_.operands.push_back(argument);
    return true;
  }

  bool read_letters(std::string_view letters) {
    for (const char letter : letters) {
      switch (letter) {
        case 'n':
          settings_.null_input = true;
          break;
        case 'r':
          settings_.raw = true;
          break;
        case 'c':
          settings_.compact = true;
          break;
        case 'j':
          settings_.raw = settings_.joined = true;
          break;
        default:
          return false;
      }
    }
    return true;
  }

  bool read_variable(const std::string& option) {
    if (next_ + 2 >= arguments_.size()) return false;
    const std::string& name = arguments_[++next_];
    const std::string& text = arguments_[++next_];
    std::optional<Json> value;
    if (option == "--argjson") {
      value = read_json(text);
    } else if (is_ascii(text) && text.find('\x7F') == std::string::npos) {
      value = text;
    }
    if (!value) return false;
    settings_.variables[name] = std::move(*value);
    return true;
  }

  Arguments arguments_;
  std::size_t next_ = 0;
  Settings settings_;
};

}  // namespace

CommandResult run_jq(Arguments arguments, const TextCommandInput& input) {
  const auto settings = SettingsReader(arguments).read();
  if (!settings.ok()) return settings.error();
  Json value;
  if (!settings->null_input) {
    const std::span<const std::string> files = std::span(settings->operands).subspan(1);
    const auto text = read_input("jq", files, input);
    if (!text.ok()) return text.error();
    std::optional<Json> json = read_json(*text);
    if (!json) return not_modelled("jq", "this input");
    value = std::move(*json);
  }
  Filter filter(settings->operands[0], settings->variables);
  const Outputs outputs = filter.run(value);
  if (!filter.failure().empty()) return not_modelled("jq", filter.failure());
  TextCommandResult result;
  for (const Json& output : outputs) {
    result.output += settings->raw && output.is_string() ? output.get<std::string>()
                                                         : output.dump(settings->compact ? -1 : 2);
    if (!settings->joined) result.output += "\n";
  }
  return result;
}

}  // namespace recipelint::shell
