#include "analyzer/yaml/scalar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/yaml/parsed.h"

namespace recipelint::yaml {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::int64_t integer(std::int64_t value) {
  return value;
}

struct Case {
  std::string text;
  Scalar value;
};

/// What PyYAML 6.0.3 loads for `k: TEXT`.
const std::vector<Case>& plain_scalars() {
  static const std::vector<Case> cases = {
      {"~", Null{}},
      {"null", Null{}},
      {"Null", Null{}},
      {"NULL", Null{}},
      {"nULL", std::string("nULL")},
      {"yes", true},
      {"Yes", true},
      {"YES", true},
      {"yEs", std::string("yEs")},
      {"no", false},
      {"No", false},
      {"NO", false},
      {"true", true},
      {"True", true},
      {"TRUE", true},
      {"tRUE", std::string("tRUE")},
      {"false", false},
      {"False", false},
      {"FALSE", false},
      {"on", true},
      {"On", true},
      {"ON", true},
      {"off", false},
      {"Off", false},
      {"OFF", false},
      {"oFF", std::string("oFF")},
      {"y", std::string("y")},
      {"Y", std::string("Y")},
      {"n", std::string("n")},
      {"N", std::string("N")},
      {"t", std::string("t")},
      {"0", integer(0)},
      {"-0", integer(0)},
      {"+0", integer(0)},
      {"1", integer(1)},
      {"-1", integer(-1)},
      {"+1", integer(1)},
      {"10", integer(10)},
      {"1_000", integer(1000)},
      {"1__0", integer(10)},
      {"1_", integer(1)},
      {"_1", std::string("_1")},
      {"010", integer(8)},
      {"-010", integer(-8)},
      {"+010", integer(8)},
      {"08", std::string("08")},
      {"09", std::string("09")},
      {"0_7", integer(7)},
      {"0_8", std::string("0_8")},
      {"0_", integer(0)},
      {"00", integer(0)},
      {"0o10", std::string("0o10")},
      {"0x1f", integer(31)},
      {"0X1f", std::string("0X1f")},
      {"0x_1F", integer(31)},
      {"-0xff", integer(-255)},
      {"0xg", std::string("0xg")},
      {"0x", std::string("0x")},
      {"0b11", integer(3)},
      {"-0b1_0", integer(-2)},
      {"0b2", std::string("0b2")},
      {"0B1", std::string("0B1")},
      {"1,000", std::string("1,000")},
      {"9223372036854775807", integer(9223372036854775807)},
      {"9223372036854775808", BigInteger{"9223372036854775808"}},
      {"-9223372036854775808", std::numeric_limits<std::int64_t>::min()},
      {"-9223372036854775809", BigInteger{"-9223372036854775809"}},
      {"18446744073709551616", BigInteger{"18446744073709551616"}},
      {"0xffffffffffffffff", BigInteger{"18446744073709551615"}},
      {"123456789012345678901234567890", BigInteger{"123456789012345678901234567890"}},
      {"12:30", integer(750)},
      {"1:2", integer(62)},
      {"12:60", std::string("12:60")},
      {"00:10", std::string("00:10")},
      {"0:10", std::string("0:10")},
      {"1:02:03", integer(3723)},
      {"-1:30", integer(-90)},
      {"+1:00", integer(60)},
      {"190:20:30", integer(685230)},
      {"1:60:1", std::string("1:60:1")},
      {"2:9:09", integer(7749)},
      {"1.5", 1.5},
      {"1.", 1.0},
      {".5", 0.5},
      {"-.5", std::string("-.5")},
      {"+.5", std::string("+.5")},
      {"-1.5", -1.5},
      {"1_0.5", 10.5},
      {"1._5", 1.5},
      {"._5", std::string("._5")},
      {"1.5e+3", 1500.0},
      {"1.0e+3", 1000.0},
      {"1.0e3", std::string("1.0e3")},
      {"1e3", std::string("1e3")},
      {"1e+3", std::string("1e+3")},
      {"1.5E-2", 0.015},
      {"-1.e+2", -100.0},
      {".5e-1", 0.05},
      {"1.0e+400", kInfinity},
      {"1.0e-400", 0.0},
      {"-1.0e+400", -kInfinity},
      {"1.2.3", std::string("1.2.3")},
      {"0.1", 0.1},
      {"3.14159265358979", 3.14159265358979},
      {"1:30.5", 90.5},
      {"-1:02:03.25", -3723.25},
      {"1:30.", 90.0},
      {".inf", kInfinity},
      {".Inf", kInfinity},
      {".INF", kInfinity},
      {".iNF", std::string(".iNF")},
      {"-.inf", -kInfinity},
      {"+.inf", kInfinity},
      {".nan", kNan},
      {".NaN", kNan},
      {".NAN", kNan},
      {".Nan", std::string(".Nan")},
      {"-.nan", std::string("-.nan")},
      {"inf", std::string("inf")},
      {"nan", std::string("nan")},
      {"2020-01-02", Timestamp{"2020-01-02"}},
      {"2020-1-2", std::string("2020-1-2")},
      {"2001-1-1", std::string("2001-1-1")},
      {"2020-01-02T03:04:05", Timestamp{"2020-01-02T03:04:05"}},
      {"2020-01-02T03:04:05Z", Timestamp{"2020-01-02T03:04:05Z"}},
      {"2020-01-02t03:04:05.1-05:00", Timestamp{"2020-01-02t03:04:05.1-05:00"}},
      {"2020-01-02T3:04:05", Timestamp{"2020-01-02T3:04:05"}},
      {"2020-01-02T03:04", std::string("2020-01-02T03:04")},
      {"2020-01-0", std::string("2020-01-0")},
      {"20200102", integer(20200102)},
      {".", std::string(".")},
      {"..", std::string("..")},
      {"--", std::string("--")},
      {"+", std::string("+")},
      {"a", std::string("a")},
      {"-a", std::string("-a")},
      {"1a", std::string("1a")},
      {"1-2", std::string("1-2")},
      {"0.92", 0.92},
      {"v1.2", std::string("v1.2")},
      {"fp8", std::string("fp8")},
      {"tp8", std::string("tp8")},
      {"e3", std::string("e3")},
      {"1e", std::string("1e")},
      {"0x1.8", std::string("0x1.8")},
      {"nvidia/DeepSeek-R1", std::string("nvidia/DeepSeek-R1")},
      {"http://x:1", std::string("http://x:1")},
      {"a:b", std::string("a:b")},
      {"==", std::string("==")},
      {"<", std::string("<")},
      {"<<x", std::string("<<x")},
      {"2020-01-02 03:04:05", Timestamp{"2020-01-02 03:04:05"}},
      {"2020-01-02 03:04:05 +1", Timestamp{"2020-01-02 03:04:05 +1"}},
      {"2020-01-02  3:04:05.25 Z", Timestamp{"2020-01-02  3:04:05.25 Z"}},
      {"a b", std::string("a b")},
      {"1 2", std::string("1 2")},
  };
  return cases;
}

bool is_same(const Scalar& a, const Scalar& b) {
  const auto* x = std::get_if<double>(&a);
  const auto* y = std::get_if<double>(&b);
  if (x != nullptr && y != nullptr && std::isnan(*x)) return std::isnan(*y);
  return a == b;
}

TEST(Scalar, PlainTextMeansWhatPyYamlLoads) {
  for (const Case& scalar : plain_scalars()) {
    const Scalar value = resolve_plain(scalar.text);
    EXPECT_TRUE(is_same(value, scalar.value)) << scalar.text << " gives " << describe(value);
  }
}

TEST(Scalar, ValuesInDocumentsMeanTheSame) {
  for (const Case& scalar : plain_scalars()) {
    const Parsed parsed("k: " + scalar.text + "\n");
    ASSERT_TRUE(parsed.ok()) << scalar.text << ": " << parsed.error();
    EXPECT_TRUE(is_same(parsed.root().find("k").scalar(), scalar.value)) << scalar.text;
  }
}

TEST(Scalar, QuotesAndBlocksMakeText) {
  EXPECT_EQ(load(R"(['1', "yes", '', "~"])"), "['1', 'yes', '', '~']");
  EXPECT_EQ(load("|\n  12\n"), "'12\n'");
}

TEST(Scalar, WhatPyYamlRefusesIsTextOutsideOfDocuments) {
  for (const std::string text : {"=", "<<", "2020-13-01", "0b_", "0x_"}) {
    EXPECT_EQ(resolve_plain(text), Scalar(text));
  }
}

TEST(Scalar, IntegersBeyondPythonsLimitOfDigitsAreRefused) {
  const std::string longest(4300, '9');
  EXPECT_EQ(resolve_plain(longest), Scalar(BigInteger{longest}));
  EXPECT_EQ(resolve_plain(longest + "9"), Scalar(longest + "9"));
  EXPECT_EQ(load("a: " + longest + "9").substr(0, 5), "1:4: ");
}

TEST(Scalar, ExponentsBeyondEveryTypeDoNotOverflow) {
  EXPECT_EQ(resolve_plain("1.0e+9223372036854775807"), Scalar(kInfinity));
  EXPECT_EQ(resolve_plain("1.0e+99999999999999999999"), Scalar(kInfinity));
  EXPECT_EQ(resolve_plain("1.0e-99999999999999999999"), Scalar(0.0));
  EXPECT_EQ(resolve_plain("0.0e+9223372036854775807"), Scalar(0.0));
}

TEST(Scalar, TypeNamesAreThoseOfPython) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"~", "null"},   {"on", "bool"},         {"7", "int"}, {"99999999999999999999", "int"},
      {"1.", "float"}, {"2020-01-02", "date"}, {"a", "str"}};
  for (const auto& [text, name] : cases) EXPECT_EQ(type_name(resolve_plain(text)), name) << text;
}

}  // namespace
}  // namespace recipelint::yaml
