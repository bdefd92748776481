#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "analyzer/shell/arithmetic.h"
#include "analyzer/shell/value.h"

namespace recipelint::shell {

/// Which characters a parameter consists of; nobody needs to look at it to know that.
enum class ParameterKind : std::uint8_t {
  kNone,    // anything else: no parameter
  kNumber,  // a decimal number of at most 18 digits, without a zero in front
  kWord,    // kParameterAlphabet
};
/// Characters that neither split words nor match file names.
/// A word does not start with "-", as options do.
constexpr std::string_view kParameterAlphabet =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:-";
ParameterKind kind_of_parameter(std::string_view text);

/// What one evaluation has found out about its parameters: values in which other runs of the same
/// script may differ. It runs with the values of one run; where it looks at a value, others must
/// have the same; where it only computes with numbers or compares them, the computation is kept,
/// and others must come to the same answer. What it only passes on can be exchanged afterwards.
class Witness {
 public:
  /// Makes a witness that of this thread as long as it lives.
  class Watch {
   public:
    explicit Watch(Witness& witness);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

   private:
    Witness* outer_;
  };
  /// The witness of this thread; null if there is none.
  static Witness* current();

  /// A parameter with its value in this evaluation, which must be of a kind. Add all before it
  /// starts.
  ParameterId add(std::string value);
  void look(ParameterId parameter);
  bool is_number(ParameterId parameter) const { return parameters_[parameter - 1].is_number; }

  /// Notes who is looked at instead of taking it for a dependence, as long as it lives.
  class Listening {
   public:
    explicit Listening(Witness* witness);
    ~Listening();
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;
    const std::vector<ParameterId>& heard() const { return heard_; }

   private:
    Witness* witness_;
    std::vector<ParameterId>* outer_ = nullptr;
    std::vector<ParameterId> heard_;
  };

  /// What an expression read of a variable.
  struct Operand {
    std::string name;
    ArithmeticVariable::Subscript subscript = ArithmeticVariable::Subscript::kNone;
    std::int64_t index = 0;
    std::string key;
    ArithmeticOperand::Kind kind = ArithmeticOperand::Kind::kUnset;
    Value value;  // only for kText and kUnknown
  };
  /// A number that an expression gives, and all that it reads.
  struct Formula {
    Value expression;
    std::vector<Operand> operands;
    std::vector<std::string> associative;  // the names of which it asked that
  };
  /// A parameter for the result of a formula; 0 if there is no room for more or the result is not
  /// of kind kNumber.
  ParameterId derive(Formula formula, std::int64_t result);
  /// The answer to a comparison of two values that are numbers. False if there is no room for more.
  bool note_comparison(std::string_view op, Value left, Value right, bool holds);

  /// The values of all parameters in this evaluation.
  std::vector<std::string> values() const;
  /// The values that all parameters have in a run whose added ones have `values`, in the order in
  /// which they were added; nullopt if that run may go another way than this one.
  std::optional<std::vector<std::string>> values_for(std::vector<std::string> values) const;

 private:
  struct Parameter {
    std::string value;
    bool is_number = false;
    bool seen = false;
    std::optional<Formula> formula;
  };
  struct Comparison {
    std::string op;
    Value left;
    Value right;
    bool holds;
  };

  std::vector<Parameter> parameters_;
  /// What was computed and compared before, by all that it is about.
  std::unordered_map<std::string, ParameterId> derived_;
  std::unordered_set<std::string> compared_;
  std::vector<Comparison> comparisons_;
  std::vector<ParameterId>* listener_ = nullptr;
};

/// The value with other values of its parameters, which are no parameters there.
Value with_parameters(const Value& value, const std::vector<std::string>& parameters);
/// Whether a piece of it is a parameter.
bool has_parameters(const Value& value);
/// Whether test takes the value for an integer whatever values its parameters have: it is one.
bool is_number_parameter(const Value& value);
bool is_number_parameter(const Piece& piece);

}  // namespace recipelint::shell
