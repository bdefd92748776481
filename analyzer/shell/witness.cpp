#include "analyzer/shell/witness.h"

#include <algorithm>

#include "analyzer/shell/numbers.h"

namespace recipelint::shell {
namespace {

/// More is not worth the comparing.
constexpr std::size_t kMostParameters = 400;
constexpr std::size_t kMostComparisons = 100;
constexpr std::size_t kMostDigits = 18;

constinit thread_local Witness* current_witness = nullptr;

bool is_number_text(std::string_view text) {
  if (text.empty() || text.size() > kMostDigits) return false;
  if (text.size() > 1 && text.front() == '0') return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

void add_key(std::string& key, std::string_view text) {
  key += std::to_string(text.size());
  key += ':';
  key += text;
}

void add_key(std::string& key, const Value& value) {
  for (const Piece& piece : value.pieces()) {
    const ParameterId parameter = piece.text.parameter();
    key += piece.known ? 'k' : 'u';
    add_key(key, parameter != 0 ? '#' + std::to_string(parameter) : '=' + piece.text.get());
  }
  key += ';';
}

std::string key_of(const Witness::Formula& formula) {
  std::string key;
  add_key(key, formula.expression);
  for (const Witness::Operand& operand : formula.operands) {
    add_key(key, operand.name);
    add_key(key, std::to_string(static_cast<int>(operand.subscript)) + ',' +
                     std::to_string(operand.index) + ',' +
                     std::to_string(static_cast<int>(operand.kind)));
    add_key(key, operand.key);
    add_key(key, operand.value);
  }
  for (const std::string& name : formula.associative) add_key(key, name);
  return key;
}

/// The variables of a formula, with other values of the parameters.
class ReplayScope final : public ArithmeticScope {
 public:
  ReplayScope(const Witness::Formula& formula, const std::vector<std::string>& parameters)
      : formula_(formula), parameters_(parameters) {}

  ArithmeticOperand read(const ArithmeticVariable& variable) override {
    for (const Witness::Operand& operand : formula_.operands) {
      const bool same = operand.name == variable.name && operand.subscript == variable.subscript &&
                        operand.index == variable.index && operand.key == variable.key;
      if (!same) continue;
      const Value value = with_parameters(operand.value, parameters_);
      return {operand.kind, operand.kind == ArithmeticOperand::Kind::kUnknown
                                ? std::string(value.cause())
                                : value.text()};
    }
    strays_ = true;
    return {};
  }
  void assign(const ArithmeticVariable&, const ArithmeticOperand&) override { strays_ = true; }
  bool is_associative(std::string_view name) const override {
    return std::find(formula_.associative.begin(), formula_.associative.end(), name) !=
           formula_.associative.end();
  }

  /// Whether it needs what the formula does not have.
  bool strays() const { return strays_; }

 private:
  const Witness::Formula& formula_;
  const std::vector<std::string>& parameters_;
  bool strays_ = false;
};

std::optional<std::int64_t> result_of(const Witness::Formula& formula,
                                      const std::vector<std::string>& parameters) {
  ReplayScope scope(formula, parameters);
  const Value expression = with_parameters(formula.expression, parameters);
  const ArithmeticResult result = evaluate_arithmetic(expression.pieces(), scope);
  if (scope.strays() || result.kind != ArithmeticResult::Kind::kValue) return std::nullopt;
  return result.value;
}

}  // namespace

namespace detail {

void look_at_parameter(ParameterId parameter) {
  if (current_witness != nullptr) current_witness->look(parameter);
}

}  // namespace detail

ParameterKind kind_of_parameter(std::string_view text) {
  if (text.empty()) return ParameterKind::kNone;
  if (is_number_text(text)) return ParameterKind::kNumber;
  return text.front() != '-' && text.find_first_not_of(kParameterAlphabet) == std::string_view::npos
             ? ParameterKind::kWord
             : ParameterKind::kNone;
}

Witness::Watch::Watch(Witness& witness) : outer_(std::exchange(current_witness, &witness)) {}

Witness::Watch::~Watch() {
  current_witness = outer_;
}

Witness* Witness::current() {
  return current_witness;
}

Witness::Listening::Listening(Witness* witness) : witness_(witness) {
  if (witness_ != nullptr) outer_ = std::exchange(witness_->listener_, &heard_);
}

Witness::Listening::~Listening() {
  if (witness_ != nullptr) witness_->listener_ = outer_;
}

ParameterId Witness::add(std::string value) {
  const bool is_number = is_number_text(value);
  parameters_.push_back({std::move(value), is_number, false, std::nullopt});
  return static_cast<ParameterId>(parameters_.size());
}

void Witness::look(ParameterId parameter) {
  if (listener_ != nullptr) {
    listener_->push_back(parameter);
  } else {
    parameters_[parameter - 1].seen = true;
  }
}

ParameterId Witness::derive(Formula formula, std::int64_t result) {
  std::string value = std::to_string(result);
  std::string key = key_of(formula);
  if (const auto known = derived_.find(key); known != derived_.end()) return known->second;
  if (parameters_.size() >= kMostParameters || !is_number_text(value)) return 0;
  parameters_.push_back({std::move(value), true, false, std::move(formula)});
  const auto parameter = static_cast<ParameterId>(parameters_.size());
  derived_.emplace(std::move(key), parameter);
  return parameter;
}

bool Witness::note_comparison(std::string_view op, Value left, Value right, bool holds) {
  std::string key(op);
  add_key(key, left);
  add_key(key, right);
  if (compared_.contains(key)) return true;
  if (comparisons_.size() >= kMostComparisons) return false;
  compared_.insert(std::move(key));
  comparisons_.push_back({std::string(op), std::move(left), std::move(right), holds});
  return true;
}

std::vector<std::string> Witness::values() const {
  std::vector<std::string> values;
  values.reserve(parameters_.size());
  for (const Parameter& parameter : parameters_) values.push_back(parameter.value);
  return values;
}

std::optional<std::vector<std::string>> Witness::values_for(std::vector<std::string> values) const {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const Parameter& parameter = parameters_[i];
    if (parameter.formula) {
      const auto result = result_of(*parameter.formula, values);
      if (!result) return std::nullopt;
      values.push_back(std::to_string(*result));
      if (!is_number_text(values.back())) return std::nullopt;
    }
    if (parameter.seen && values[i] != parameter.value) return std::nullopt;
  }
  for (const Comparison& comparison : comparisons_) {
    const auto left = decimal(with_parameters(comparison.left, values).text());
    const auto right = decimal(with_parameters(comparison.right, values).text());
    if (!left || !right) return std::nullopt;
    if (compare_numbers(comparison.op, *left, *right) != comparison.holds) return std::nullopt;
  }
  return values;
}

Value with_parameters(const Value& value, const std::vector<std::string>& parameters) {
  Value out = value;
  for (Piece& piece : out.pieces()) {
    const ParameterId parameter = piece.text.parameter();
    if (parameter != 0) piece.text = PieceText(parameters[parameter - 1]);
  }
  return out;
}

bool has_parameters(const Value& value) {
  return std::any_of(value.pieces().begin(), value.pieces().end(),
                     [](const Piece& piece) { return piece.text.parameter() != 0; });
}

bool is_number_parameter(const Value& value) {
  return value.pieces().size() == 1 && is_number_parameter(value.pieces().front());
}

bool is_number_parameter(const Piece& piece) {
  const Witness* witness = Witness::current();
  const ParameterId parameter = piece.text.parameter();
  return witness != nullptr && parameter != 0 && witness->is_number(parameter);
}

}  // namespace recipelint::shell
