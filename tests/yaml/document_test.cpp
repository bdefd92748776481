#include "analyzer/yaml/document.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/yaml/parsed.h"

namespace recipelint::yaml {
namespace {

using Cases = std::vector<std::pair<std::string, std::string>>;

void expect_values(const Cases& cases) {
  for (const auto& [bytes, value] : cases) EXPECT_EQ(load(bytes), value) << bytes;
}

TEST(Document, ReadsCollectionsOfBothStyles) {
  expect_values({
      {"a:\n  - 1\n  - {b: two}\n", "{'a': [1, {'b': 'two'}]}"},
      {"a:\n- 1\n-\n  - 2\nb: []\n", "{'a': [1, [2]], 'b': []}"},
      {"- - a\n  - b\n- c: d\n  e: f\n", "[['a', 'b'], {'c': 'd', 'e': 'f'}]"},
      {"? a\n: b\n? c\n", "{'a': 'b', 'c': null}"},
      {"[a, b: c, ? d : e, {f, g: h},]", "['a', {'b': 'c'}, {'d': 'e'}, {'f': null, 'g': 'h'}]"},
      {"{\"a\":1, b: [\n  2 ], # c\n  'd':\n   e}", "{'a': 1, 'b': [2], 'd': 'e'}"},
      {"a:\n\nb:\n- \n- ~\nc: {d: , e: }\n",
       "{'a': null, 'b': [null, null], 'c': {'d': null, 'e': null}}"},
      {"a:\nnull: 1\n", "{'a': null, null: 1}"},
      {"a: !!str\n'': 1\n", "{'a': '', '': 1}"},
  });
}

TEST(Document, ReadsFilesOfOneNodeOrNone) {
  expect_values({{"", "null"},
                 {"# only a comment\n", "null"},
                 {"---\n", "null"},
                 {"--- # c\n...\n", "null"},
                 {"7", "7"},
                 {">", "''"},
                 {"\xEF\xBB\xBF", "null"}});
}

TEST(Document, DocumentMarkersAndDirectivesMayStandAroundTheDocument) {
  expect_values({{"%YAML 1.1\n---\na: 1\n...\n# end\n", "{'a': 1}"},
                 {"--- text\n", "'text'"},
                 {"%TAG !y! tag:yaml.org,2002:\n--- !y!str 5\n", "'5'"}});
}

TEST(Document, FoldsPlainScalarsOverLines) {
  expect_values({{"a: one\n  two\n\n\n  three\nb: 1\n", "{'a': 'one two\n\nthree', 'b': 1}"},
                 {"a: b#c # d\n", "{'a': 'b#c'}"},
                 {"a: b:c http://x:1\n", "{'a': 'b:c http://x:1'}"},
                 {"[a\n b, c d]", "['a b', 'c d']"},
                 {"a: 1\n  2\n", "{'a': '1 2'}"}});
}

TEST(Document, DecodesQuotedScalars) {
  expect_values({
      {"'it''s'", "'it's'"},
      {"'a\n\n  b'", "'a\nb'"},
      {"\"a \\\n   b\\tc\\x41\\u00e9\\U0001F600\\/\"", "'a b\tcA\u00E9\U0001F600/'"},
      {"\"a  \n  b\\ \n c\"", "'a b  c'"},
      {"\"\\N\\_\\L\\P\\e\"", "'\u0085\u00A0\u2028\u2029\x1B'"},
      {"\"a\\\r\n  b\r\n\r\n c\"", "'ab\nc'"},
      {"{\"a # b\": ']}'}", "{'a # b': ']}'}"},
  });
}

TEST(Document, DecodesBlockScalars) {
  expect_values({
      {"a: |\n  x\n   y\n\n  z\n\n\nb: 1\n", "{'a': 'x\n y\n\nz\n', 'b': 1}"},
      {"a: |-\n  x\n\nb: 1\n", "{'a': 'x', 'b': 1}"},
      {"a: |+\n  x\n\nb: 1\n", "{'a': 'x\n\n', 'b': 1}"},
      {"a: >\n  x\n  y\n\n  z\n   w\n  v\n", "{'a': 'x y\nz\n w\nv\n'}"},
      {"a: |1 # c\n   x\n", "{'a': '  x\n'}"},
      {"a: >2-\n    x\n", "{'a': '  x'}"},
      {"- |\n  a: # b\n  \t'c\n- >\n\n", "['a: # b\n\t'c\n', '']"},
      {"a: |\r\n  x\r\n  y\r\n", "{'a': 'x\ny\n'}"},
      {"|\n  x", "'x'"},
      {"- >-\n  x\n  ", "['x']"},
  });
}

TEST(Document, TagsSetTheType) {
  expect_values({
      {"[!!str 5, !!int '5', !!float 1, !!float 1e3, !!bool 'yes', !!null x, ! '7']",
       "['5', 5, float 1.000000, float 1000.000000, true, null, 7]"},
      {"!!seq [!!map {}]", "[{}]"},
      {"!!set {a, b}", "{'a': null, 'b': null}"},
      {"!!omap [a: 1, b: 2]", "[{'a': 1}, {'b': 2}]"},
      {"!!timestamp 2020-1-2", "date 2020-1-2"},
      {"!!binary aGk=", "'aGk='"},
      {"!<tag:yaml.org,2002:int> '0x10'", "16"},
  });
}

TEST(Document, AliasesGiveTheValueOfTheirAnchor) {
  const Parsed parsed("a: &x [1, &y two]\nb: *x\n*y : *y\n");
  ASSERT_TRUE(parsed.ok()) << parsed.error();
  EXPECT_EQ(describe(parsed.root()), "{'a': [1, 'two'], 'b': [1, 'two'], 'two': 'two'}");
  const Node alias = parsed.root().find("b");
  EXPECT_EQ(alias.span().bytes(), "*x");
  EXPECT_EQ(alias.item(1).span().bytes(), "two");
  EXPECT_EQ(parsed.root().find_key("two").span().bytes(), "*y");
}

TEST(Document, KeysMeanWhatPythonMakesOfThem) {
  expect_values(
      {{"yes: 1\n'yes': 2\n", "{true: 1, 'yes': 2}"},
       {"1: a\n01: b\n", "{1: 'b'}"},
       {"1: a\n1.0: b\nyes: c\n0x1: d\n", "{1: 'd'}"},
       {"~: a\nnull: b\n", "{null: 'b'}"},
       {".nan: a\n.NaN: b\n", "{float nan: 'a', float nan: 'b'}"},
       {"99999999999999999999: a\n99999999999999999999: b\n", "{99999999999999999999: 'b'}"},
       {"=: a\n'<<': b\n", "{'=': 'a', '<<': 'b'}"}});
}

TEST(Document, OfEqualKeysThePlaceOfTheFirstAndTheValueOfTheLastStay) {
  const Parsed parsed("a: 1\nb: {c: 1, c: 2}\na: 3\nd: 4\na: 5\n");
  ASSERT_TRUE(parsed.ok()) << parsed.error();
  EXPECT_EQ(describe(parsed.root()), "{'a': 5, 'b': {'c': 2}, 'd': 4}");
  EXPECT_EQ(parsed.root().written_entries().size(), 5u);
  const auto duplicates = parsed.document().duplicate_keys();
  ASSERT_EQ(duplicates.size(), 3u);
  EXPECT_EQ(duplicates[0].repeated.span().begin, 15u);
  EXPECT_EQ(parsed.file().position(duplicates[1].repeated.span().begin), (text::Position{3, 1}));
  EXPECT_EQ(parsed.file().position(duplicates[2].repeated.span().begin), (text::Position{5, 1}));
  EXPECT_EQ(duplicates[2].first.span().begin, 0u);
}

TEST(Document, FindsDuplicatesInLargeMappings) {
  std::string bytes;
  for (int i = 0; i < 1000; ++i) bytes += "k" + std::to_string(i) + ": " + std::to_string(i) + "\n";
  const Parsed parsed(bytes + "k500: x\n");
  ASSERT_TRUE(parsed.ok()) << parsed.error();
  EXPECT_EQ(parsed.root().size(), 1000u);
  EXPECT_EQ(parsed.root().find("k500").as_string(), "x");
  ASSERT_EQ(parsed.document().duplicate_keys().size(), 1u);
  EXPECT_EQ(parsed.document().duplicate_keys()[0].first.as_string(), "k500");
}

TEST(Document, MergesWithThePrecedenceOfPyYaml) {
  const std::string bases = "x: &x {a: 1, b: 2}\ny: &y {b: 3, c: 4}\n";
  const std::string start = "{'x': {'a': 1, 'b': 2}, 'y': {'b': 3, 'c': 4}, 'm': ";
  expect_values({
      {bases + "m: {b: 9, <<: *x}", start + "{'a': 1, 'b': 9}}"},
      {bases + "m: {<<: [*x, *y]}", start + "{'b': 2, 'c': 4, 'a': 1}}"},
      {bases + "m: {<<: *x, <<: *y}", start + "{'a': 1, 'b': 3, 'c': 4}}"},
      {bases + "m:\n  d: 0\n  <<: {<<: *y, c: 5}\n", start + "{'b': 3, 'c': 5, 'd': 0}}"},
      {bases + "m: {<<: []}", start + "{}}"},
  });
}

TEST(Document, MergedKeysAreNoDuplicates) {
  const Parsed parsed("x: &x {a: 1}\nm:\n  <<: *x\n  <<: *x\n  a: 2\n");
  ASSERT_TRUE(parsed.ok()) << parsed.error();
  EXPECT_TRUE(parsed.document().duplicate_keys().empty());
  EXPECT_EQ(parsed.root().find("m").written_entries().size(), 3u);
  EXPECT_EQ(parsed.root().find("m").entries().size(), 1u);
}

TEST(Node, AnEmptyHandleAnswersEverything) {
  const Node none;
  EXPECT_FALSE(none);
  EXPECT_FALSE(none.is_scalar() || none.is_sequence() || none.is_mapping() || none.is_null());
  EXPECT_EQ(none.find("a").find("b").item(3).text(), "");
  EXPECT_EQ(none.size(), 0u);
  EXPECT_TRUE(none.entries().empty() && none.written_entries().empty());
  EXPECT_FALSE(none.span().valid());
  EXPECT_FALSE(none.as_string() || none.as_int() || none.as_bool());
}

TEST(Node, ShorthandsAnswerOnlyForTheirType) {
  const Parsed parsed("[1, yes, a, 99999999999999999999, 1.5, ~, [b]]");
  const Node root = parsed.root();
  EXPECT_EQ(root.item(0).as_int(), 1);
  EXPECT_FALSE(root.item(0).as_string() || root.item(0).as_bool());
  EXPECT_EQ(root.item(1).as_bool(), true);
  EXPECT_EQ(root.item(2).as_string(), "a");
  EXPECT_FALSE(root.item(3).as_int());
  EXPECT_FALSE(root.item(4).as_int());
  EXPECT_TRUE(root.item(5).is_null());
  EXPECT_FALSE(root.item(6).as_string());
  EXPECT_FALSE(root.item(7));
  EXPECT_FALSE(root.find("a"));
}

TEST(Node, FindsOnlyTextKeys) {
  const Parsed parsed("1: a\n'1': b\nyes: c\n");
  EXPECT_EQ(parsed.root().find("1").as_string(), "b");
  EXPECT_FALSE(parsed.root().find("yes"));
}

}  // namespace
}  // namespace recipelint::yaml
