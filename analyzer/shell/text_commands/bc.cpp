#include <algorithm>
#include <cctype>
#include <map>

#include "analyzer/shell/text_commands/command.h"

namespace recipelint::shell {
namespace {

__extension__ typedef __int128 Wide;

constexpr int kMostScale = 30;
constexpr int kMostNesting = 100;

/// digits * 10^-scale. bc has no limits; what does not fit here is not modelled.
struct Decimal {
  Wide digits = 0;
  int scale = 0;
};

bool multiply(Wide a, Wide b, Wide& product) {
  return !__builtin_mul_overflow(a, b, &product);
}

bool raise_by_tens(Wide& digits, int tens) {
  for (; tens > 0; --tens) {
    if (!multiply(digits, 10, digits)) return false;
  }
  return true;
}

Decimal truncated(Decimal number, int scale) {
  for (; number.scale > scale; --number.scale) number.digits /= 10;
  return number;
}

std::string digits_of(Wide value) {
  std::string out;
  for (; value > 0; value /= 10)
    out.insert(out.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
  return out;
}

/// Without a zero before the point, as bc prints.
std::string print(const Decimal& number) {
  if (number.digits == 0) return "0";
  const bool negative = number.digits < 0;
  std::string digits = digits_of(negative ? -number.digits : number.digits);
  const auto scale = static_cast<std::size_t>(number.scale);
  if (digits.size() < scale) digits.insert(0, scale - digits.size(), '0');
  if (scale > 0) digits.insert(digits.size() - scale, ".");
  return (negative ? "-" : "") + digits;
}

class Calculator {
 public:
  Calculator(std::string_view text, int scale) : text_(text), scale_(scale) {}

  CommandResult run() {
    while (failure_.empty()) {
      skip_separators();
      if (at_ >= text_.size() || take_word("quit")) break;
      statement();
    }
    if (!failure_.empty()) return not_modelled("bc", failure_);
    return TextCommandResult{std::move(output_), 0};
  }

 private:
  // -------------------------------------------------------------------------------------- tokens

  void fail(std::string why) {
    if (failure_.empty()) failure_ = std::move(why);
    at_ = text_.size();
  }

  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\n';
  }

  void skip_separators() {
    while (at_ < text_.size() && (peek() == '\n' || peek() == ';')) ++at_;
  }

  bool take(std::string_view token) {
    peek();
    if (!text_.substr(std::min(at_, text_.size())).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  std::string read_name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (std::islower(static_cast<unsigned char>(text_[at_])) != 0 ||
            std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_')) {
      ++at_;
    }
    return std::string(text_.substr(begin, at_ - begin));
  }

  bool take_word(std::string_view word) {
    const std::size_t before = at_;
    if (peek() >= 'a' && peek() <= 'z' && read_name() == word) return true;
    at_ = before;
    return false;
  }

  // ---------------------------------------------------------------------------------- statements

  void statement() {
    const std::size_t before = at_;
    if (peek() >= 'a' && peek() <= 'z') {
      const std::string name = read_name();
      if (peek() == '=' && text_.substr(at_, 2) != "==") {
        ++at_;
        assign(name, sum());
        return end_statement();
      }
      at_ = before;
    }
    const Decimal value = comparison();
    if (failure_.empty()) output_ += print(value) + "\n";
    end_statement();
  }

  void end_statement() {
    if (failure_.empty() && peek() != '\n' && peek() != ';') fail("what follows an expression");
  }

  void assign(const std::string& name, const Decimal& value) {
    if (name == "ibase" || name == "obase" || name == "last") return fail(name);
    if (name != "scale") {
      variables_[name] = value;
      return;
    }
    if (value.digits < 0 || truncated(value, 0).digits > kMostScale) return fail("this scale");
    scale_ = static_cast<int>(truncated(value, 0).digits);
  }

  // --------------------------------------------------------------------------------- expressions

  Decimal comparison() {
    const Decimal left = sum();
    for (const std::string_view op : {"<=", ">=", "==", "!=", "<", ">"}) {
      if (!take(op)) continue;
      const Decimal right = sum();
      const Decimal difference = subtract(left, right);
      const int sign = difference.digits < 0 ? -1 : difference.digits > 0 ? 1 : 0;
      const bool holds = (op.starts_with('<') && sign < 0) || (op.starts_with('>') && sign > 0) ||
                         (op != "!=" && op.ends_with('=') && sign == 0) ||
                         (op == "!=" && sign != 0);
      return {holds ? 1 : 0, 0};
    }
    return left;
  }

  Decimal sum() {
    Decimal left = product();
    while (failure_.empty()) {
      if (text_.substr(at_).starts_with("++") || text_.substr(at_).starts_with("--")) fail("++");
      if (take("+")) {
        Decimal right = product();
        right.digits = -right.digits;
        left = subtract(left, right);
      } else if (take("-")) {
        left = subtract(left, product());
      } else {
        break;
      }
    }
    return left;
  }

  Decimal product() {
    Decimal left = power();
    while (failure_.empty()) {
      if (take("*")) {
        left = times(left, power());
      } else if (take("/")) {
        left = divide(left, power(), scale_);
      } else if (take("%")) {
        left = remainder(left, power());
      } else {
        break;
      }
    }
    return left;
  }

  Decimal power() {
    const Decimal base = unary();
    if (!take("^")) return base;
    if (++nesting_ > kMostNesting) fail("such deep nesting");
    const Decimal exponent = power();
    --nesting_;
    return raise(base, exponent);
  }

  Decimal unary() {
    if (!take("-")) return primary();
    if (++nesting_ > kMostNesting) fail("such deep nesting");
    Decimal value = unary();
    --nesting_;
    value.digits = -value.digits;
    return value;
  }

  Decimal primary() {
    const char c = peek();
    if (c == '(') return parenthesized();
    if (c == '.' || std::isdigit(static_cast<unsigned char>(c)) != 0) return number();
    if (c >= 'a' && c <= 'z') {
      const std::string name = read_name();
      if (peek() == '(' || peek() == '[') fail("functions and arrays");
      if (name == "scale") return {scale_, 0};
      const auto found = variables_.find(name);
      return found == variables_.end() ? Decimal{} : found->second;
    }
    fail("this expression");
    return {};
  }

  Decimal parenthesized() {
    ++at_;
    if (++nesting_ > kMostNesting) fail("such deep nesting");
    const Decimal value = comparison();
    --nesting_;
    if (!take(")")) fail("a missing parenthesis");
    return value;
  }

  Decimal number() {
    Decimal value;
    bool fraction = false;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '.' && !fraction) {
        fraction = true;
        continue;
      }
      if (std::isdigit(static_cast<unsigned char>(c)) == 0) break;
      if (!raise_by_tens(value.digits, 1) || value.scale == kMostScale) fail("such long numbers");
      value.digits += c - '0';
      value.scale += fraction ? 1 : 0;
    }
    return value;
  }

  // ---------------------------------------------------------------------------------- arithmetic

  Decimal too_large() {
    fail("such large numbers");
    return {};
  }

  Decimal subtract(Decimal left, Decimal right) {
    const int scale = std::max(left.scale, right.scale);
    if (!raise_by_tens(left.digits, scale - left.scale) ||
        !raise_by_tens(right.digits, scale - right.scale)) {
      return too_large();
    }
    Decimal difference{0, scale};
    if (__builtin_sub_overflow(left.digits, right.digits, &difference.digits)) return too_large();
    return difference;
  }

  Decimal times(const Decimal& left, const Decimal& right) {
    Decimal product{0, left.scale + right.scale};
    if (!multiply(left.digits, right.digits, product.digits)) return too_large();
    return truncated(product, std::max({scale_, left.scale, right.scale}));
  }

  Decimal divide(Decimal left, Decimal right, int scale) {
    if (right.digits == 0) {
      fail("a division by zero");
      return {};
    }
    const int tens = scale + right.scale - left.scale;
    if (!raise_by_tens(tens >= 0 ? left.digits : right.digits, std::abs(tens))) return too_large();
    return {left.digits / right.digits, scale};
  }

  Decimal remainder(const Decimal& left, const Decimal& right) {
    const Decimal quotient = divide(left, right, scale_);
    Decimal product{0, quotient.scale + right.scale};
    if (!multiply(quotient.digits, right.digits, product.digits)) return too_large();
    return truncated(subtract(left, product), std::max(left.scale, right.scale + scale_));
  }

  Decimal raise(const Decimal& base, const Decimal& exponent) {
    const bool negative = exponent.digits < 0;
    const Wide count = negative ? -exponent.digits : exponent.digits;
    if (exponent.scale > 0 || count > 1000) {
      fail("this exponent");
      return {};
    }
    Decimal result{1, 0};
    for (Wide i = 0; i < count; ++i) {
      result.scale += base.scale;
      if (!multiply(result.digits, base.digits, result.digits)) return too_large();
    }
    if (negative) return divide({1, 0}, result, scale_);
    return truncated(result, std::max(scale_, base.scale));
  }

  std::string_view text_;
  int scale_;
  std::size_t at_ = 0;
  int nesting_ = 0;
  std::map<std::string, Decimal> variables_;
  std::string output_;
  std::string failure_;
};

}  // namespace

CommandResult run_bc(Arguments arguments, const TextCommandInput& input) {
  static constexpr LongOption kLong[] = {{"mathlib", 'l'}, {"quiet", 'q'}};
  const auto parsed = parse_options("bc", arguments, "lq", kLong);
  if (!parsed.ok()) return parsed.error();
  if (!parsed->operands.empty()) return not_modelled("bc", "files");
  const auto text = read_input("bc", {}, input);
  if (!text.ok()) return text.error();
  if (!text->empty() && !text->ends_with('\n')) return not_modelled("bc", "input without newline");
  return Calculator(*text, parsed->has('l') ? 20 : 0).run();
}

}  // namespace recipelint::shell
