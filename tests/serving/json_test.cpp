#include "analyzer/serving/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace recipelint::serving {
namespace {

/// A word of known and, for texts that begin with '$', unknown pieces.
shell::Value value_of(const std::vector<std::string>& pieces) {
  shell::Value value;
  for (const auto& piece : pieces) {
    value.append(piece.starts_with('$') ? shell::Value::unknown(piece.substr(1))
                                        : shell::Value::of(piece));
  }
  return value;
}

class JsonTest : public ::testing::Test {
 protected:
  JsonResult parse(const std::vector<std::string>& pieces,
                   HumanNumbers human_numbers = HumanNumbers::kRefused) {
    const auto word = words_.add(value_of(pieces), 0);
    return parse_json(words_, words_.whole(word), human_numbers);
  }

  Words words_;
};

TEST_F(JsonTest, ReadsValuesWithTheirPlaces) {
  const auto result = parse({R"({"a": [1, -2.5e1, "x\u00e9\n"], "b": {"c": null, "d": true}})"});
  ASSERT_TRUE(result.value);
  const Json& json = *result.value;
  EXPECT_EQ(json.find("a")->items[0].integer, 1);
  EXPECT_EQ(json.find("a")->items[1].number, -25);
  EXPECT_EQ(json.find("a")->items[2].text, "x\xC3\xA9\n");
  EXPECT_TRUE(json.find("b")->find("c")->is(Json::Kind::kNull));
  EXPECT_TRUE(json.find("b")->find("d")->boolean);
  EXPECT_EQ(json.find("c"), nullptr);
  EXPECT_EQ(words_.text(json.members[1].key_place), "\"b\"");
  EXPECT_EQ(words_.text(json.find("b")->place), R"({"c": null, "d": true})");
  EXPECT_EQ(words_.text(json.find("a")->items[1].place), "-2.5e1");
}

TEST_F(JsonTest, TheLastOfEqualKeysCounts) {
  EXPECT_EQ(parse({R"({"a":1,"a":2})"}).value->find("a")->integer, 2);
}

TEST_F(JsonTest, SaysWhereItStopsBeingJson) {
  const std::vector<std::tuple<std::string, std::string, std::size_t>> cases = {
      {"", "the value is missing", 0},
      {"{\"a\":1", "',' or '}' is missing", 6},
      {"{\"a\":1,}", "a key in double quotes is missing", 7},
      {"{'a':1}", "keys stand in double quotes", 1},
      {"{a:1}", "a key in double quotes is missing", 1},
      {"{\"a\" 1}", "':' is missing", 5},
      {"{\"a\":True}", "'True' is no value; strings stand in double quotes", 5},
      {"{\"a\":}", "the value is missing", 5},
      {"'{\"a\":1}'", "a single quote is no part of JSON", 0},
      {"[1,2", "',' or ']' is missing", 4},
      {"[1,]", "the value is missing", 3},
      {"{\"a\":1} x", "something follows the end of the value", 8},
      {"\"a", "'\"' is missing", 2},
      {"\"\\x\"", "this escape does not exist", 1},
      {"01", "'01' is no value; strings stand in double quotes", 0},
      {"1.", "'1.' is no value; strings stand in double quotes", 0},
      {"80m", "'80m' is no value; strings stand in double quotes", 0},
  };
  for (const auto& [text, message, offset] : cases) {
    const auto result = parse({text});
    ASSERT_FALSE(result.value) << text;
    EXPECT_EQ(result.error.message, message) << text;
    EXPECT_EQ(result.error.offset, offset) << text;
  }
}

TEST_F(JsonTest, ReadsNumbersAsPeopleWriteThem) {
  const auto json = parse({R"({"a":80m,"b":2K,"c":"2K"})"}, HumanNumbers::kRead).value;
  ASSERT_TRUE(json);
  EXPECT_EQ(json->find("a")->integer, 80'000'000);
  EXPECT_EQ(json->find("b")->integer, 2048);
  EXPECT_EQ(json->find("c")->text, "2K");
}

TEST_F(JsonTest, AHoleMakesOnlyItsValueUnknown) {
  const auto json =
      parse({R"({"a":)", "$N", R"(,"b":"x-)", "$M", R"(","c":3,"d":[4,)", "$L", "]}"}).value;
  ASSERT_TRUE(json);
  EXPECT_FALSE(json->find("a")->known());
  EXPECT_FALSE(json->find("b")->known());
  EXPECT_EQ(json->find("c")->integer, 3);
  EXPECT_EQ(json->find("d")->items[0].integer, 4);
  EXPECT_TRUE(json->find("d")->open);
  EXPECT_FALSE(json->open);
  EXPECT_EQ(words_.cause(json->find("b")->place), "M");
}

TEST_F(JsonTest, AHoleBetweenMembersLeavesTheObjectOpen) {
  for (const auto& pieces : std::vector<std::vector<std::string>>{
           {R"({"a":1)", "$X", "}"}, {"{", "$X", R"("a":1})"}, {R"({"a":1,)", "$X", "}"}}) {
    const auto json = parse(pieces).value;
    ASSERT_TRUE(json) << pieces[0];
    EXPECT_TRUE(json->open || !json->find("a")->known()) << pieces[0];
  }
}

TEST_F(JsonTest, RefusesDeepNesting) {
  EXPECT_EQ(parse({std::string(100'000, '[')}).error.message, "it is nested too deeply");
}

TEST_F(JsonTest, KeepsHugeNumbersAsFloats) {
  const auto json = parse({"[1e999, 123456789012345678901234567890, NaN, -Infinity]"}).value;
  ASSERT_TRUE(json);
  EXPECT_TRUE(std::isinf(json->items[0].number));
  EXPECT_NEAR(json->items[1].number, 1.2345678901234568e29, 1e14);
  EXPECT_TRUE(std::isnan(json->items[2].number));
  EXPECT_EQ(json->items[3].number, -HUGE_VAL);
}

TEST(HumanNumbersTest, FollowVllm) {
  const std::vector<std::pair<std::string, std::int64_t>> cases = {
      {"1k", 1000},    {"1K", 1024}, {"25.6k", 25600}, {"2M", 2 << 20},    {" 8192 ", 8192},
      {"1_000", 1000}, {"-1", -1},   {"+5", 5},        {"1g", 1000000000}, {"1T", 1ll << 40},
  };
  for (const auto& [text, number] : cases) EXPECT_EQ(parse_human_int(text), number) << text;
  for (const char* text : {"25.6K", "k", "", "1kk", "1.k", ".5k", "1.2.3k", "-1k", "1e3", "12x",
                           "99999999999T", "1__0", "_1", "1 2"}) {
    EXPECT_EQ(parse_human_int(text), std::nullopt) << text;
  }
}

TEST(PythonNumbersTest, FollowPython) {
  EXPECT_EQ(parse_python_float("0.9"), 0.9);
  EXPECT_EQ(parse_python_float(" 1e3 "), 1000);
  EXPECT_EQ(parse_python_float("1_0.5"), 10.5);
  EXPECT_EQ(parse_python_float("-1e999"), -HUGE_VAL);
  EXPECT_EQ(parse_python_float("1e-999"), 0);
  EXPECT_EQ(parse_python_float("0,9"), std::nullopt);
  EXPECT_EQ(parse_python_float(""), std::nullopt);
  EXPECT_EQ(parse_python_int("9223372036854775808"), std::nullopt);
  EXPECT_EQ(parse_python_int("0x10"), std::nullopt);
}

}  // namespace
}  // namespace recipelint::serving
