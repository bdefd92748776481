#include <algorithm>
#include <limits>

#include "analyzer/shell/posix_regex.h"
#include "analyzer/shell/text_commands/command.h"

namespace recipelint::shell {
namespace {

constexpr int kMostNesting = 100;

/// Whole numbers have an optional minus sign; everything else is text.
std::optional<std::int64_t> to_integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const auto value = to_count(text);
  if (!value || *value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    return std::nullopt;
  }
  const auto magnitude = static_cast<std::int64_t>(*value);
  return negative ? -magnitude : magnitude;
}

bool looks_like_integer(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Empty texts and zeros of any length and sign are false.
bool is_false(std::string_view text) {
  if (text.empty()) return true;
  return looks_like_integer(text) && text.find_first_not_of("-0") == std::string_view::npos;
}

/// One argument is one token.
class Expression {
 public:
  explicit Expression(Arguments tokens) : tokens_(tokens) {}

  CommandResult run() {
    const std::string value = alternatives();
    if (next_ != tokens_.size()) fail("a syntax error");
    if (!failure_.empty()) return not_modelled("expr", failure_);
    return TextCommandResult{value + "\n", is_false(value) ? 1 : 0};
  }

 private:
  void fail(std::string_view why) {
    if (failure_.empty()) failure_ = why;
    next_ = tokens_.size();
  }

  bool take(std::string_view token) {
    if (next_ >= tokens_.size() || tokens_[next_] != token) return false;
    ++next_;
    return true;
  }

  std::string alternatives() {
    std::string left = conjunction();
    while (take("|")) {
      const std::string right = conjunction();
      if (is_false(left)) left = is_false(right) ? "0" : right;
    }
    return left;
  }

  std::string conjunction() {
    std::string left = comparison();
    while (take("&")) {
      const std::string right = comparison();
      if (is_false(left) || is_false(right)) left = "0";
    }
    return left;
  }

  std::string comparison() {
    std::string left = sum();
    while (next_ < tokens_.size()) {
      const std::string op = tokens_[next_];
      constexpr std::string_view kOperators[] = {"<", "<=", "=", "==", "!=", ">=", ">"};
      if (std::find(std::begin(kOperators), std::end(kOperators), op) == std::end(kOperators))
        break;
      ++next_;
      const std::string right = sum();
      left = holds(op, order(left, right)) ? "1" : "0";
    }
    return left;
  }

  static std::strong_ordering order(const std::string& left, const std::string& right) {
    const auto a = to_integer(left);
    const auto b = to_integer(right);
    return a && b ? *a <=> *b : left <=> right;
  }

  static bool holds(std::string_view op, std::strong_ordering order) {
    if (op == "<") return order < 0;
    if (op == "<=") return order <= 0;
    if (op == ">") return order > 0;
    if (op == ">=") return order >= 0;
    return (order == 0) != (op == "!=");
  }

  std::string sum() {
    std::string left = product();
    while (true) {
      if (take("+")) {
        left = calculate('+', left, product());
      } else if (take("-")) {
        left = calculate('-', left, product());
      } else {
        return left;
      }
    }
  }

  std::string product() {
    std::string left = match();
    while (true) {
      if (take("*")) {
        left = calculate('*', left, match());
      } else if (take("/")) {
        left = calculate('/', left, match());
      } else if (take("%")) {
        left = calculate('%', left, match());
      } else {
        return left;
      }
    }
  }

  std::string calculate(char op, const std::string& left, const std::string& right) {
    const auto a = to_integer(left);
    const auto b = to_integer(right);
    std::int64_t result = 0;
    bool overflow = false;
    if (!a || !b || ((op == '/' || op == '%') && *b == 0)) {
      fail("arithmetic that fails");
      return {};
    }
    switch (op) {
      case '+':
        overflow = __builtin_add_overflow(*a, *b, &result);
        break;
      case '-':
        overflow = __builtin_sub_overflow(*a, *b, &result);
        break;
      case '*':
        overflow = __builtin_mul_overflow(*a, *b, &result);
        break;
      case '/':
        result = *a / *b;
        break;
      default:
        result = *a % *b;
        break;
    }
    if (overflow) fail("such large numbers");
    return std::to_string(result);
  }

  std::string match() {
    std::string left = primary();
    while (take(":")) left = match(left, primary());
    return left;
  }

  /// The first group, or the number of characters matched.
  std::string match(const std::string& text, const std::string& expression) {
    PosixRegex::Failure failure;
    const auto regex =
        PosixRegex::compile("^" + expression, RegexSyntax::kBasic, RegexCase::kSensitive, failure);
    if (!regex || expression.starts_with('^') || expression.starts_with('*')) {
      fail("this regular expression");
      return {};
    }
    // "^" binds to the first alternative only.
    if (expression.find("\\|") != std::string::npos || !is_ascii(text)) {
      fail("this match");
      return {};
    }
    const auto found = regex->search(text);
    if (!found.ok()) {
      fail(found.error().message);
      return {};
    }
    const bool has_group = expression.find("\\(") != std::string::npos;
    if (found->empty()) return has_group ? "" : "0";
    const TextRange range = (*found)[has_group ? 1 : 0];
    return has_group ? text.substr(range.begin, range.end - range.begin)
                     : std::to_string(range.end);
  }

  std::string primary() {
    if (next_ >= tokens_.size()) {
      fail("a missing operand");
      return {};
    }
    if (take("(")) return parenthesized();
    if (take("+")) return operand();
    if (tokens_[next_] == "length") return length();
    for (const std::string_view word : {"match", "substr", "index", ")"}) {
      if (tokens_[next_] == word) {
        fail(word);
        return {};
      }
    }
    return operand();
  }

  std::string operand() {
    if (next_ < tokens_.size()) return tokens_[next_++];
    fail("a missing operand");
    return {};
  }

  std::string length() {
    ++next_;
    const std::string text = primary();
    if (!is_ascii(text)) fail("the length of a text beyond ASCII");
    return std::to_string(text.size());
  }

  std::string parenthesized() {
    if (++nesting_ > kMostNesting) {
      fail("such deep nesting");
      return {};
    }
    std::string value = alternatives();
    --nesting_;
    if (!take(")")) fail("a missing parenthesis");
    return value;
  }

  Arguments tokens_;
  std::size_t next_ = 0;
  int nesting_ = 0;
  std::string failure_;
};

}  // namespace

CommandResult run_expr(Arguments arguments, const TextCommandInput&) {
  if (!arguments.empty() && arguments[0] == "--") arguments = arguments.subspan(1);
  return Expression(arguments).run();
}

}  // namespace recipelint::shell
