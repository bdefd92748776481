// Decimals, coercions, spelling and key patterns.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "analyzer/space/coerce.h"
#include "analyzer/space/decimal.h"
#include "analyzer/space/key_pattern.h"
#include "analyzer/space/nearest_name.h"
#include "tests/space/space_files.h"

namespace recipelint::space {
namespace {

using yaml::Scalar;

TEST(Decimal, ReadsWhatPythonReads) {
  EXPECT_EQ(Decimal::parse("0.80"), (Decimal{8, 1}));
  EXPECT_EQ(Decimal::parse(".95"), (Decimal{95, 2}));
  EXPECT_EQ(Decimal::parse("-1.5"), (Decimal{-15, 1}));
  EXPECT_EQ(Decimal::parse("+2"), (Decimal{2, 0}));
  EXPECT_EQ(Decimal::parse("8e-1"), (Decimal{8, 1}));
  EXPECT_EQ(Decimal::parse("1.5E+2"), (Decimal{150, 0}));
  EXPECT_EQ(Decimal::parse("5."), (Decimal{5, 0}));
}

TEST(Decimal, RefusesWhatItCannotHold) {
  for (const char* text : {"", ".", "-", "x", "1x", "1e", "1e+-1", "--1", "1.2.3", "1e99", "nan",
                           "inf", "1234567890123456789", "1e-19", "999999999999999999e18"}) {
    EXPECT_EQ(Decimal::parse(text), std::nullopt) << text;
  }
}

TEST(Decimal, OfADoubleIsItsShortestText) {
  EXPECT_EQ(Decimal::from_double(0.95), (Decimal{95, 2}));
  EXPECT_EQ(Decimal::from_double(1.0), (Decimal{1, 0}));
  EXPECT_EQ(Decimal::from_double(1e-7), (Decimal{1, 7}));
  EXPECT_EQ(Decimal::from_double(0.1 + 0.2), (Decimal{30000000000000004, 17}));
  EXPECT_EQ(Decimal::from_double(std::numeric_limits<double>::infinity()), std::nullopt);
  EXPECT_EQ(Decimal::from_double(std::numeric_limits<double>::quiet_NaN()), std::nullopt);
}

TEST(Decimal, ComparesWithIntegers) {
  EXPECT_EQ(compare({8, 1}, 0), 1);
  EXPECT_EQ(compare({8, 1}, 1), -1);
  EXPECT_EQ(compare({1, 0}, 1), 0);
  EXPECT_EQ(compare({1000000001, 9}, 1), 1);
  EXPECT_EQ(compare({-5, 1}, 0), -1);
}

struct IntegerCase {
  Scalar scalar;
  std::optional<std::int64_t> value;
};

std::vector<IntegerCase> integer_cases() {
  std::vector<IntegerCase> cases = {
      {std::int64_t{8}, 8},
      {true, 1},
      {false, 0},
      {8.0, 8},
      {8.5, std::nullopt},
      {1e18, 1'000'000'000'000'000'000},
      {1e19, std::nullopt},
      {-1e19, std::nullopt},
      {std::numeric_limits<double>::infinity(), std::nullopt},
      {std::numeric_limits<double>::quiet_NaN(), std::nullopt},
      {yaml::Null{}, std::nullopt},
      {yaml::Timestamp{"2026-01-01"}, std::nullopt},
      {yaml::BigInteger{"99999999999999999999"}, std::nullopt},
  };
  const std::vector<std::pair<std::string, std::optional<std::int64_t>>> texts = {
      {"8", 8},        {" 8 ", 8},      {"\t8\n", 8},  {"8.0", 8},  {"8.00", 8},  {"+8", 8},
      {"-8", -8},      {"1_000", 1000}, {"08", 8},     {"-0", 0},   {"0_0", 0},   {"1_0.0", 10},
      {"00_8.000", 8}, {"8.", {}},      {"8.5", {}},   {"_1", {}},  {"1__0", {}}, {"1_", {}},
      {"0x8", {}},     {"1e3", {}},     {"", {}},      {" ", {}},   {"- 8", {}},  {"+-8", {}},
      {"8.0_0", {}},   {".0", {}},      {"8.0.0", {}}, {"-_8", {}}, {"8 .0", {}}, {"x", {}}};
  for (const auto& [text, value] : texts) cases.push_back({text, value});
  return cases;
}

TEST(LaxInteger, TakesWhatPydanticTakes) {
  for (const IntegerCase& tested : integer_cases()) {
    EXPECT_EQ(lax_integer(tested.scalar), tested.value) << describe(tested.scalar);
  }
}

TEST(LaxBoolean, TakesWhatPydanticTakes) {
  for (const char* text : {"yes", "YES", "Y", "t", "on", "1", "True"}) {
    EXPECT_EQ(lax_boolean(std::string(text)), true) << text;
  }
  for (const char* text : {"no", "N", "f", "off", "0", "FALSE"}) {
    EXPECT_EQ(lax_boolean(std::string(text)), false) << text;
  }
  for (const char* text : {"", " yes", "2", "truee", "ye"}) {
    EXPECT_EQ(lax_boolean(std::string(text)), std::nullopt) << text;
  }
  EXPECT_EQ(lax_boolean(std::int64_t{1}), true);
  EXPECT_EQ(lax_boolean(std::int64_t{2}), std::nullopt);
  EXPECT_EQ(lax_boolean(0.0), false);
  EXPECT_EQ(lax_boolean(0.5), std::nullopt);
  EXPECT_EQ(lax_boolean(yaml::Null{}), std::nullopt);
}

TEST(LaxDecimal, TakesNumbersAndTheirTexts) {
  EXPECT_EQ(lax_decimal(0.8), (Decimal{8, 1}));
  EXPECT_EQ(lax_decimal(std::int64_t{1}), (Decimal{1, 0}));
  EXPECT_EQ(lax_decimal(std::string(" 0.80 ")), (Decimal{8, 1}));
  EXPECT_EQ(lax_decimal(true), std::nullopt);
  EXPECT_EQ(lax_decimal(yaml::Null{}), std::nullopt);
}

TEST(LiteralBoolean, ComparesByEqualityOnly) {
  EXPECT_EQ(literal_boolean(std::int64_t{0}), false);
  EXPECT_EQ(literal_boolean(1.0), true);
  EXPECT_EQ(literal_boolean(std::string("true")), std::nullopt);
}

TEST(PythonStr, ShowsValuesAsPythonDoes) {
  EXPECT_EQ(python_str(8.0), "8.0");
  EXPECT_EQ(python_str(0.1), "0.1");
  EXPECT_EQ(python_str(1e16), "1e+16");
  EXPECT_EQ(python_str(1e-5), "1e-05");
  EXPECT_EQ(python_str(0.0), "0.0");
  EXPECT_EQ(python_str(true), "True");
  EXPECT_EQ(python_str(yaml::Null{}), "None");
  EXPECT_EQ(python_str(std::int64_t{-3}), "-3");
}

TEST(Describe, CutsLongTextsBetweenCharacters) {
  std::string text(59, 'a');
  text += "\u00E9b";
  EXPECT_EQ(describe(Scalar(text)), "the string '" + std::string(59, 'a') + "...'");
}

TEST(NearestName, FindsWhatWasMeant) {
  constexpr std::array<std::string_view, 4> kNames = {"conc-list", "conc-start", "tp", "ep"};
  EXPECT_EQ(nearest_name("conc-lst", kNames), "conc-list");
  EXPECT_EQ(nearest_name("cocn-list", kNames), "conc-list");
  EXPECT_EQ(nearest_name("conc_start", kNames), "conc-start");
  EXPECT_EQ(nearest_name("tpp", kNames), "tp");
  EXPECT_EQ(nearest_name("precision", kNames), "");
  EXPECT_EQ(nearest_name(std::string(10'000, 'c'), kNames), "");
}

TEST(KeyPattern, OfTheChangelogKnowsOnlyTheStar) {
  EXPECT_TRUE(matches_changelog_key("a-*-vllm", "a-b-c-vllm"));
  EXPECT_TRUE(matches_changelog_key("a*", "a"));
  EXPECT_TRUE(matches_changelog_key("*b*d*", "abcd"));
  EXPECT_FALSE(matches_changelog_key("a*c", "abcd"));
  EXPECT_FALSE(matches_changelog_key("a?c", "abc"));
  EXPECT_TRUE(matches_changelog_key("a?c", "a?c"));
  EXPECT_FALSE(matches_changelog_key("", "a"));
}

TEST(KeyPattern, OfTheCommandLineIsFnmatch) {
  EXPECT_TRUE(matches_glob("a?c", "abc"));
  EXPECT_TRUE(matches_glob("fp[48]-*", "fp4-x"));
  EXPECT_FALSE(matches_glob("fp[48]-*", "fp6-x"));
  EXPECT_TRUE(matches_glob("fp[!48]", "fp6"));
  EXPECT_TRUE(matches_glob("[a-c]x", "bx"));
  EXPECT_TRUE(matches_glob("[]]", "]"));
  EXPECT_TRUE(matches_glob("[a", "[a"));
  EXPECT_FALSE(matches_glob("a", "ab"));
}

TEST(KeyPattern, ManyStarsStayFast) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "*a";
  EXPECT_FALSE(matches_glob(pattern + "b", std::string(2000, 'a')));
}

TEST(Setting, KnowsNameValueAndPlaces) {
  SpaceFiles files;
  files.add_master(multi_node(
      "      - conc-list: [4]\n        decode: " + kWorker +
      "\n        prefill:\n"
      "          { num-worker: 1, tp: 8, ep: 1, dp-attn: false, additional-settings: [\n"
      "            \"CONFIG_FILE=a/b=c.yaml\", PLAIN=1, 'NO_VALUE', \"TAB=\\t\", PLAIN=2 ] }\n"));
  const Worker& worker = *files.space.masters[0].entries[0].scenarios[0].rows[0].prefill;
  const std::vector<Setting>& settings = *worker.additional_settings;
  ASSERT_EQ(settings.size(), 5u);
  EXPECT_EQ(settings[0].name, "CONFIG_FILE");
  EXPECT_EQ(settings[0].value, "a/b=c.yaml");
  EXPECT_EQ(settings[0].span.bytes(), "CONFIG_FILE=a/b=c.yaml");
  EXPECT_EQ(settings[0].name_span.bytes(), "CONFIG_FILE");
  EXPECT_EQ(settings[0].value_span.bytes(), "a/b=c.yaml");
  EXPECT_EQ(settings[2].value, std::nullopt);
  EXPECT_FALSE(settings[2].value_span.valid());
  EXPECT_EQ(settings[3].value, "\t");
  EXPECT_EQ(settings[3].value_span.bytes(), "\"TAB=\\t\"");
  ASSERT_NE(worker.setting("PLAIN"), nullptr);
  EXPECT_EQ(worker.setting("PLAIN")->value, "2");
  EXPECT_EQ(worker.setting("OTHER"), nullptr);
}

}  // namespace
}  // namespace recipelint::space
