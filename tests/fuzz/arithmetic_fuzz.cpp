// Bash arithmetic: the expression, then after a line "%" variables, each line NAME=TEXT; '\x01'
// stands for an unknown piece.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts/split.h"
#include "analyzer/shell/arithmetic.h"
#include "tests/fuzz/targets.h"
#include "tests/fuzz/text_with_holes.h"

namespace recipelint::fuzz {
namespace {

using shell::ArithmeticOperand;
using shell::ArithmeticResult;
using shell::ArithmeticVariable;

/// Elements are variables of their own: "a[1]".
class Variables final : public shell::ArithmeticScope {
 public:
  explicit Variables(std::string_view lines) {
    for (const auto line : facts::split(lines, '\n')) {
      const auto equals = line.find('=');
      if (equals == std::string_view::npos) continue;
      const auto text = line.substr(equals + 1);
      const bool unknown = text.find(kUnknown) != std::string_view::npos;
      values_[std::string(line.substr(0, equals))] =
          unknown ? ArithmeticOperand::unknown("input")
                  : ArithmeticOperand::known(std::string(text));
    }
  }

  ArithmeticOperand read(const ArithmeticVariable& variable) override {
    const auto found = values_.find(spelling(variable));
    return found == values_.end() ? ArithmeticOperand{} : found->second;
  }
  void assign(const ArithmeticVariable& variable, const ArithmeticOperand& value) override {
    values_[spelling(variable)] = value;
  }
  bool is_associative(std::string_view name) const override { return name == "map"; }

 private:
  static std::string spelling(const ArithmeticVariable& variable) {
    std::string name(variable.name);
    if (variable.subscript == ArithmeticVariable::Subscript::kIndex) {
      name += "[" + std::to_string(variable.index) + "]";
    } else if (variable.subscript == ArithmeticVariable::Subscript::kKey) {
      name += "[" + std::string(variable.key) + "]";
    }
    return name;
  }

  std::map<std::string, ArithmeticOperand, std::less<>> values_;
};

void demand_sense(const ArithmeticResult& result) {
  const bool is_error = result.kind == ArithmeticResult::Kind::kError;
  demand(is_error == (result.fault != ArithmeticResult::Fault::kNone), "only errors have a fault");
  if (result.kind != ArithmeticResult::Kind::kValue) {
    demand(!result.message.empty(), "what has no value says why");
  }
}

}  // namespace

void arithmetic(std::string_view input) {
  const auto parts = parts_of(input, 2);
  Variables variables(parts[1]);
  const shell::Value expression = text_with_holes(parts[0]);
  demand_sense(shell::evaluate_arithmetic(expression.pieces(), variables));
  demand_sense(shell::evaluate_arithmetic(parts[0], variables));
}

}  // namespace recipelint::fuzz
