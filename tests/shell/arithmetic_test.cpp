#include "analyzer/shell/arithmetic.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <sstream>

#include "tests/support/shell_oracle.h"

namespace recipelint::shell {
namespace {

using Kind = ArithmeticResult::Kind;
using Fault = ArithmeticResult::Fault;

/// Scalars by name, elements as "name[index]" or "name[key]".
class Variables : public ArithmeticScope {
 public:
  explicit Variables(std::map<std::string, ArithmeticOperand> values = {})
      : values_(std::move(values)) {}

  ArithmeticOperand read(const ArithmeticVariable& variable) override {
    const auto found = values_.find(spelling(variable));
    return found == values_.end() ? missing : found->second;
  }

  void assign(const ArithmeticVariable& variable, const ArithmeticOperand& value) override {
    values_[spelling(variable)] = value;
  }

  bool is_associative(std::string_view name) const override { return name == "map"; }

  std::string text(const std::string& name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) return "unset";
    return found->second.kind == ArithmeticOperand::Kind::kUnknown ? "?" : found->second.text;
  }

  ArithmeticOperand missing;

 private:
  static std::string spelling(const ArithmeticVariable& variable) {
    const std::string name(variable.name);
    switch (variable.subscript) {
      case ArithmeticVariable::Subscript::kNone:
        return name;
      case ArithmeticVariable::Subscript::kIndex:
        return name + "[" + std::to_string(variable.index) + "]";
      case ArithmeticVariable::Subscript::kKey:
        return name + "[" + std::string(variable.key) + "]";
      case ArithmeticVariable::Subscript::kUnknown:
        return name + "[?]";
    }
    return name;
  }

  std::map<std::string, ArithmeticOperand> values_;
};

ArithmeticOperand known(const char* text) {
  return ArithmeticOperand::known(text);
}
ArithmeticOperand unknown() {
  return ArithmeticOperand::unknown("host");
}

std::string show(const ArithmeticResult& result) {
  switch (result.kind) {
    case Kind::kValue:
      return std::to_string(result.value);
    case Kind::kUnknown:
      return "unknown: " + result.message;
    case Kind::kError:
      return "error: " + result.message;
  }
  return {};
}

struct Case {
  const char* expression;
  const char* expected;
};

class ArithmeticCases : public ::testing::TestWithParam<Case> {};

TEST_P(ArithmeticCases, GivesWhatBashGives) {
  Variables variables({{"zero", known("0")},
                       {"five", known("5")},
                       {"sum", known("five + 1")},
                       {"self", known("self")},
                       {"blank", known("  ")},
                       {"octal", known("010")},
                       {"host", unknown()},
                       {"a[1]", known("7")},
                       {"map[1 + 1]", known("9")}});
  EXPECT_EQ(show(evaluate_arithmetic(GetParam().expression, variables)), GetParam().expected)
      << GetParam().expression;
}

INSTANTIATE_TEST_SUITE_P(
    Constants, ArithmeticCases,
    ::testing::Values(Case{"", "0"}, Case{" \t\n", "0"}, Case{"010", "8"}, Case{"0x1F", "31"},
                      Case{"2#101", "5"}, Case{"64#@_", "4031"}, Case{"36#Zz", "1295"},
                      Case{"37#aA", "406"}, Case{"9223372036854775808", "-9223372036854775808"},
                      Case{"08", "error: value too great for base"},
                      Case{"2#2", "error: value too great for base"},
                      Case{"65#1", "error: invalid arithmetic base"},
                      Case{"1.5", "error: syntax error: invalid arithmetic operator"},
                      Case{"1 2", "error: syntax error in expression"}));

INSTANTIATE_TEST_SUITE_P(
    Operators, ArithmeticCases,
    ::testing::Values(Case{"1 + 2 * 3", "7"}, Case{"-2 ** 2", "4"}, Case{"2 ** 3 ** 2", "512"},
                      Case{"7 / -2", "-3"}, Case{"-7 % 3", "-1"}, Case{"1 << 3 + 1", "16"},
                      Case{"1 << 64", "1"}, Case{"-1 >> 1", "-1"}, Case{"5 & 3 == 3", "1"},
                      Case{"!5 + 1", "1"}, Case{"~0", "-1"}, Case{"1, 2, 3", "3"},
                      Case{"0 ? 1 : 0 ? 2 : 3", "3"}, Case{"1 ? 2, 3 : 4", "3"},
                      Case{"-9223372036854775808 / -1", "-9223372036854775808"},
                      Case{"-9223372036854775808 % -1", "0"},
                      Case{"9223372036854775807 + 1", "-9223372036854775808"},
                      Case{"1 / 0", "error: division by 0"}, Case{"1 % 0", "error: division by 0"},
                      Case{"0 && 1 / 0", "0"}, Case{"1 || 1 / 0", "1"}, Case{"7--1", "8"},
                      Case{"--5", "5"}, Case{"2 ** -1", "error: exponent less than 0"},
                      Case{"(1", "error: syntax error: missing `)'"},
                      Case{"1 +", "error: syntax error: operand expected"},
                      Case{"1 ? 2", "error: syntax error: `:' expected for conditional expression"},
                      Case{"5 = 1", "error: attempted assignment to non-variable"},
                      Case{"(five) = 1", "error: attempted assignment to non-variable"},
                      Case{"1 + five = 1", "error: attempted assignment to non-variable"}));

INSTANTIATE_TEST_SUITE_P(
    Variables, ArithmeticCases,
    ::testing::Values(Case{"five", "5"}, Case{"missing", "0"}, Case{"sum * 2", "12"},
                      Case{"blank + 1", "1"}, Case{"octal", "8"}, Case{"a[zero + 1]", "7"},
                      Case{"a[five - 4] + 1", "8"}, Case{"map[1 + 1]", "9"},
                      Case{"five++ + five", "11"}, Case{"++five + five", "12"},
                      Case{"five += 2, five", "7"}, Case{"x = y = 3, x + y", "6"},
                      Case{"self = 4", "4"},
                      Case{"self", "error: expression recursion level exceeded"}));

INSTANTIATE_TEST_SUITE_P(
    UnknownOperands, ArithmeticCases,
    ::testing::Values(Case{"host + 1", "unknown: host"}, Case{"0 && host", "0"},
                      Case{"host && 0", "0"}, Case{"host || five", "1"}, Case{"1 ? 2 : host", "2"},
                      Case{"host ? 3 : 3", "3"}, Case{"host ? 3 : 4", "unknown: host"},
                      Case{"host ? 1 / 0 : 1", "unknown: host"}, Case{"1 / host", "unknown: host"},
                      Case{"host / 0", "error: division by 0"},
                      Case{"a[host]", "unknown: an unknown element of a"},
                      Case{"!host", "unknown: host"}));

TEST(Arithmetic, AssignsOnTheKnownPathOnly) {
  Variables variables;
  evaluate_arithmetic("1 ? (yes = 1) : (no = 1), 0 && (never = 1), 1 || (never = 1)", variables);
  EXPECT_EQ(variables.text("yes"), "1");
  EXPECT_EQ(variables.text("no"), "unset");
  EXPECT_EQ(variables.text("never"), "unset");
}

TEST(Arithmetic, AnAssignmentThatMayHappenLeavesAnUnknownValue) {
  Variables variables({{"host", unknown()}, {"kept", known("1")}});
  evaluate_arithmetic("host ? (a = 1) : (b = 1), c = 1", variables);
  EXPECT_EQ(variables.text("a"), "?");
  EXPECT_EQ(variables.text("b"), "?");
  EXPECT_EQ(variables.text("c"), "1");
  EXPECT_EQ(variables.text("kept"), "1");
}

TEST(Arithmetic, AFailureThatMayHappenPutsAllThatFollowsInDoubt) {
  Variables variables({{"host", unknown()}});
  evaluate_arithmetic("host && 1 / 0, after = 1", variables);
  EXPECT_EQ(variables.text("after"), "?");
}

TEST(Arithmetic, AssignsToElements) {
  Variables variables({{"i", known("1")}, {"host", unknown()}});
  evaluate_arithmetic("a[i++] = i, b[i] += 2, map[i] = 3, c[host] = 1", variables);
  EXPECT_EQ(variables.text("a[1]"), "1");  // the subscript is read after the value
  EXPECT_EQ(variables.text("b[2]"), "2");
  EXPECT_EQ(variables.text("map[i]"), "3");
  EXPECT_EQ(variables.text("c[?]"), "1");
}

TEST(Arithmetic, AnUnknownPieceIsOneOperand) {
  Variables variables;
  const auto evaluate = [&variables](std::vector<Piece> pieces) {
    return show(evaluate_arithmetic(pieces, variables));
  };
  const Piece host{"cause", false, {}};
  EXPECT_EQ(evaluate({{"1 + ", true, {}}, host}), "unknown: cause");
  EXPECT_EQ(evaluate({{"0 && ", true, {}}, host}), "0");
  EXPECT_EQ(evaluate({{"1", true, {}}, host, {"0 > 5", true, {}}}), "unknown: cause");
  EXPECT_EQ(evaluate({host, {" = 5", true, {}}}), "unknown: cause");
  EXPECT_EQ(evaluate({host, {"++", true, {}}}), "unknown: cause");
  EXPECT_EQ(evaluate({host, {"[1] + 1", true, {}}}), "unknown: cause");
  EXPECT_EQ(evaluate({{"1 ? 2 : x[", true, {}}, host, {"]", true, {}}}), "2");
}

TEST(Arithmetic, ANulInAVariableIsDropped) {
  Variables variables(
      {{"odd", ArithmeticOperand::known(std::string("\0004\0", 3))}, {"next", known("odd + 2")}});
  EXPECT_EQ(show(evaluate_arithmetic("next * 2", variables)), "12");
}

TEST(Arithmetic, UnderNounsetAnUnsetVariableIsAnErrorWithItsName) {
  Variables variables;
  variables.missing.kind = ArithmeticOperand::Kind::kUnbound;
  const ArithmeticResult result = evaluate_arithmetic("1 + gone", variables);
  EXPECT_EQ(result.fault, Fault::kUnbound);
  EXPECT_EQ(result.name, "gone");
  EXPECT_EQ(show(evaluate_arithmetic("gone = 2", variables)), "2");
  EXPECT_EQ(show(evaluate_arithmetic("0 && other", variables)), "0");
}

TEST(Arithmetic, EndsOnHostileInput) {
  std::map<std::string, ArithmeticOperand> values{{"x0", known("1+0")}};
  for (int i = 1; i <= 60; ++i) {
    const std::string before = "x" + std::to_string(i - 1);
    values["x" + std::to_string(i)] = ArithmeticOperand::known(before + "+" + before);
  }
  values["down"] = known("n > 0 ? (n -= 1, down) : 5");
  values["n"] = known("100000");
  Variables variables(values);
  EXPECT_EQ(evaluate_arithmetic("x60", variables).kind, Kind::kUnknown);
  EXPECT_EQ(evaluate_arithmetic("down", variables).kind, Kind::kUnknown);
  EXPECT_EQ(evaluate_arithmetic(std::string(100'000, '('), variables).kind, Kind::kUnknown);
  EXPECT_EQ(evaluate_arithmetic(std::string(100'000, '-') + "1", variables).kind, Kind::kUnknown);
  EXPECT_EQ(evaluate_arithmetic("1" + std::string(99'999, '-') + "1", variables).kind,
            Kind::kUnknown);
}

/// Random expressions over variables a..e, biased towards well-formed ones.
class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::string expression(int depth) {
    const int choice = pick(depth <= 0 ? 3 : 14);
    switch (choice) {
      case 0:
        return constant();
      case 1:
      case 2:
        return variable();
      case 3:
        return "(" + space() + expression(depth - 1) + space() + ")";
      case 4:
        return one_of({"-", "+", "!", "~", "- ", "--", "++"}) + expression(depth - 1);
      case 5:
        return variable() + one_of({"++", "--", " ++"});
      case 6:
        return one_of({"++", "--", "-- "}) + variable();
      case 7:
        return variable() + space() +
               one_of({"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "^=", "|="}) +
               space() + expression(depth - 1);
      case 8:
        return expression(depth - 1) + " ? " + expression(depth - 1) + " : " +
               expression(depth - 1);
      case 9:
        return expression(depth - 1) + one_of({" , ", ","}) + expression(depth - 1);
      case 10:
        return "(" + variable() + one_of({"=", "+=", "*="}) + expression(depth - 1) + ")";
      default:
        return expression(depth - 1) + space() +
               one_of({"+", "-", "*", "/", "%", "**", "<<", ">>", "<", ">",
                       "<=", ">=", "==", "!=", "&", "|", "^", "&&", "||"}) +
               space() + expression(depth - 1);
    }
  }

 private:
  int pick(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  std::string one_of(std::vector<const char*> choices) {
    return choices[static_cast<std::size_t>(pick(static_cast<int>(choices.size())))];
  }
  std::string space() { return pick(2) == 0 ? "" : " "; }
  std::string variable() { return one_of({"a", "b", "c", "d", "e", "r[1]", "r[a]", "r[b=1]"}); }
  std::string constant() {
    return one_of({"0", "1", "2", "3", "7", "10", "63", "64", "0x10", "010", "2#11", "16#fF",
                   "9223372036854775807", "08", "5x", "1.5", "", "40#Z"});
  }

  std::mt19937 random_;
};

/// Variables of one random case, with an array that counts negative subscripts from its end.
class Shell : public ArithmeticScope {
 public:
  ArithmeticOperand read(const ArithmeticVariable& variable) override {
    if (variable.subscript == ArithmeticVariable::Subscript::kNone) {
      const auto found = scalars_.find(std::string(variable.name));
      return found == scalars_.end() ? ArithmeticOperand{} : known(found->second.c_str());
    }
    const auto found = elements_.find(position(variable.index));
    return found == elements_.end() ? ArithmeticOperand{} : known(found->second.c_str());
  }

  void assign(const ArithmeticVariable& variable, const ArithmeticOperand& value) override {
    if (variable.subscript == ArithmeticVariable::Subscript::kNone) {
      scalars_[std::string(variable.name)] = value.text;
    } else {
      elements_[position(variable.index)] = value.text;
    }
  }

  bool is_associative(std::string_view) const override { return false; }

  /// Bash complains about a subscript before the start of the array.
  bool complained() const { return complained_; }

  std::string show() const {
    std::string text;
    for (const char* name : {"a", "b", "c", "d", "e"}) {
      const auto found = scalars_.find(name);
      text += " " + (found == scalars_.end() ? "unset" : found->second);
    }
    for (const auto& [index, value] : elements_) text += " " + std::to_string(index) + "=" + value;
    return text;
  }

 private:
  std::int64_t position(std::int64_t index) {
    if (index < 0) index += elements_.rbegin()->first + 1;
    complained_ = complained_ || index < 0;
    return index;
  }

  std::map<std::string, std::string> scalars_{{"a", "3"}, {"b", ""}, {"c", "a+1"}, {"d", "-2"}};
  std::map<std::int64_t, std::string> elements_{{0, "5"}, {1, "6"}, {2, "7"}, {3, "8"}};
  bool complained_ = false;
};

TEST(Arithmetic, AgreesWithBashOnRandomExpressions) {
  constexpr int kCases = 6000;
  Generator generator(20240607);
  std::vector<std::string> expressions;
  std::string script = "r=()\n";
  for (int i = 0; i < kCases; ++i) {
    expressions.push_back(generator.expression(1 + i % 4));
    script += "a=3 b= c='a+1' d=-2 r=(5 6 7 8); unset e result\n";
    script += "let " + testing::shell_word("result=(" + expressions.back() + ")") + "\n";
    script += "printf '%s' \"${result-error} $a $b $c $d ${e-unset}\"\n";
    script += "for i in \"${!r[@]}\"; do printf ' %s=%s' \"$i\" \"${r[i]}\"; done; echo\n";
  }
  std::istringstream lines(testing::run_bash(script).output);

  int compared = 0;
  int values = 0;
  for (const std::string& expression : expressions) {
    std::string line;
    ASSERT_TRUE(std::getline(lines, line)) << expression;
    Shell shell;
    const ArithmeticResult result = evaluate_arithmetic("(" + expression + ")", shell);
    if (shell.complained()) continue;
    const bool has_value = result.kind == Kind::kValue;
    EXPECT_EQ((has_value ? std::to_string(result.value) : "error") + shell.show(), line)
        << expression << "\n"
        << show(result);
    ++compared;
    if (has_value) ++values;
  }
  EXPECT_GT(compared, kCases * 9 / 10);
  EXPECT_GT(values, kCases / 3);
}

}  // namespace
}  // namespace recipelint::shell
