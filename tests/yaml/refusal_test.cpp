#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/yaml/parsed.h"

namespace recipelint::yaml {
namespace {

struct Case {
  std::string bytes;
  std::string place;
  std::string blamed;
  /// A part of the message.
  std::string cause;
};

void expect_refusals(const std::vector<Case>& cases) {
  for (const Case& refused : cases) {
    const Parsed parsed(refused.bytes);
    ASSERT_FALSE(parsed.ok()) << refused.bytes;
    EXPECT_EQ(parsed.error().substr(0, refused.place.size() + 2), refused.place + ": ")
        << refused.bytes << parsed.error();
    EXPECT_EQ(parsed.blamed(), refused.blamed) << refused.bytes << parsed.error();
    EXPECT_NE(parsed.error().find(refused.cause), std::string::npos) << parsed.error();
  }
}

TEST(Refusal, SyntaxErrorsNameTheirCauseAndPlace) {
  expect_refusals({
      {"a: b: c\n", "1:5", ":", "quote"},
      {"a:\n    b: 1\n  c: 2\n", "3:3", "c", "indentation"},
      {"a: 1\n- b\n", "2:1", "-", "mapping above"},
      {"- a\nb: 1\n", "2:1", "b", "nothing above"},
      {"a: [1, 2\nb: 3\n", "2:2", ":", "'[' in line 1"},
      {"a: {b: 1\n", "1:4", "{", "never closed"},
      {"a: ]\n", "1:4", "]", "closes nothing"},
      {"a: 'b\n", "1:4", "'", "never closed"},
      {"a: @b\n", "1:4", "@", "quoted"},
      {"a: %b\n", "1:4", "%", "quoted"},
      {"a: - b\n", "1:4", "-", "line of its own"},
      {"a: |x\n  b\n", "1:5", "x", "line after"},
      {"a: |0\n  b\n", "1:6", "\n", "zero"},
      {"a: \"C:\\pt\"\n", "1:7", "\\p", "escape"},
      {"a: \"\\x4\"\n", "1:9", "\n", "hex"},
      {"a: \"\\ud83d\"\n", "1:11", "\"", "unicode"},
      {"a: 'x\n---\n'\n", "2:1", "-", "marker"},
      {"a: &x &y b\n", "1:7", "&", "anchors"},
  });
}

TEST(Refusal, TabsAreNoSpaces) {
  expect_refusals({
      {"a:\n\tb: 1\n", "2:1", "\t", "indentation"},
      {"a:\n  \tb: 1\n", "2:3", "\t", "indentation"},
      {"a:\tb\n", "1:3", "\t", "between two parts"},
      {"a: b\t# c\n", "1:5", "\t", "between two parts"},
      {"\t\n", "1:1", "\t", "indentation"},
      {"a: [\n\t1]\n", "2:1", "\t", "indentation"},
  });
}

TEST(Refusal, ValuesThatSafeLoadCannotMake) {
  expect_refusals({
      {"a: =\n", "1:4", "=", "'='"},
      {"a: <<\n", "1:4", "<<", "'<<'"},
      {"<<\n", "1:1", "<<", "'<<'"},
      {"- 2020-13-01\n", "1:3", "2020-13-01", "date"},
      {"- 2021-02-29\n", "1:3", "2021-02-29", "date"},
      {"- 2020-01-01T24:00:00Z\n", "1:3", "2020-01-01T24:00:00Z", "date"},
      {"- 0x_\n", "1:3", "0x_", "integer"},
      {"a: !foo b\n", "1:4", "!foo", "'!foo'"},
      {"a: !!python/object/apply:os.system [x]\n", "1:4", "!!python/object/apply:os.system",
       "python"},
      {"a: !!int x\n", "1:10", "x", "integer"},
      {"a: !!bool y\n", "1:11", "y", "boolean"},
      {"a: !!float\n", "1:11", "", "float"},
      {"a: !!seq b\n", "1:4", "!!seq", "collections"},
      {"a: !!str [b]\n", "1:4", "!!str", "sequence"},
      {"a: !!map [b]\n", "1:4", "!!map", "sequence"},
      {"!!omap [{a: 1, b: 2}]\n", "1:9", "{a: 1, b: 2}", "one entry"},
  });
}

TEST(Refusal, KeysThatPythonCannotHash) {
  expect_refusals({
      {"? [a]\n: b\n", "1:3", "[a]", "hash"},
      {"? {a: 1}\n: b\n", "1:3", "{a: 1}", "hash"},
      {"a: &x [1]\n*x : b\n", "2:1", "*x", "hash"},
  });
}

TEST(Refusal, Merges) {
  expect_refusals({
      {"a: {<<: 1}\n", "1:9", "1", "mapping"},
      {"<<:\n", "1:4", "", "mapping"},
      {"<<: [{a: 1}, b]\n", "1:14", "b", "mapping"},
  });
}

TEST(Refusal, AnchorsAndAliases) {
  expect_refusals({
      {"a: *x\n", "1:4", "*", "not defined"},
      {"a: &x 1\nb: &x 2\n", "2:4", "&x", "second time"},
      {"a: &x [*x]\n", "1:8", "*x", "endless"},
      {"a: &\u00E9 1\n", "1:4", "&", "letters"},
  });
}

TEST(Refusal, MoreThanOneDocument) {
  expect_refusals({
      {"a: 1\n---\nb: 2\n", "2:1", "---", "second document"},
      {"---\n---\n", "2:1", "---", "second document"},
      {"a\n...\nb\n", "3:1", "b", "nothing above"},
      {"%YAML 1.1\na: 1\n", "2:1", "a", "'---'"},
  });
}

TEST(Refusal, CharactersThatAreNotAllowed) {
  expect_refusals({
      {"a: \xFF\n", "1:4", "\xFF", "UTF-8"},
      {"a: \x01\n", "1:4", "\x01", "U+0001"},
      {std::string("a: \0\n", 5), "1:4", std::string("\0", 1), "U+0000"},
      {"a: \x7F\n", "1:4", "\x7F", "U+007F"},
      {"a: b\rc: d\n", "1:5", "\r", "carriage return"},
      {"# \u2028a: b\n", "1:3", "\u2028", "line break"},
  });
}

TEST(Refusal, ShapesThatOnlyTheScannerOfYamlCppTakes) {
  expect_refusals({
      {"[a, , b]\n", "1:5", ",", "value or key"},
      {"{: a}\n", "1:2", ":", "key"},
      {": a\n", "1:1", ":", "key"},
      {"c:\n[]\n", "2:1", "[", ""},
      {"[a, :b]\n", "1:5", ":", ""},
      {"a: |#c\n  b\n", "1:5", "#", "line after"},
      {"!,x y\n", "1:1", "!", "tag"},
      {"!!int\u00E9 7\n", "1:1", "!", "tag"},
  });
}

TEST(Refusal, Limits) {
  EXPECT_EQ(Parsed("[[[1]]]", {.depth = 2}).error(),
            "1:3: Collections are nested more than 2 deep.");
  EXPECT_TRUE(Parsed("[[1]]", {.depth = 2}).ok());
  EXPECT_EQ(Parsed("[&x [1], [*x]]", {.depth = 2}).error(),
            "1:11: Collections are nested more than 2 deep.");
  EXPECT_TRUE(Parsed("[a, b]", {.nodes = 3}).ok());
  EXPECT_FALSE(Parsed("[a, b, c]", {.nodes = 3}).ok());
  EXPECT_EQ(Parsed("- 12345\n", {.scalar_bytes = 4}).error(),
            "1:3: A scalar has more than 4 bytes.");
  EXPECT_EQ(Parsed("a: bcd\n", {.file_bytes = 4}).error(), "1:5: The file has more than 4 bytes.");
}

TEST(Refusal, AliasesThatMultiplyAreCountedAsExpanded) {
  std::string bytes = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string alias = "*a" + std::to_string(i - 1);
    bytes += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + alias;
    for (int j = 1; j < 10; ++j) bytes += ", " + alias;
    bytes += "]\n";
  }
  EXPECT_EQ(Parsed(bytes).error().substr(0, 42), "7:20: The document has more than 4000000 n");
}

TEST(Refusal, DeepNestingEndsBeforeTheStackDoes) {
  EXPECT_NE(load(std::string(20000, '[')).find("nested"), std::string::npos);
  EXPECT_NE(load(std::string(40000, '-')
                     .replace(1, 39999,
                              [] {
                                std::string dashes;
                                for (int i = 0; i < 20000; ++i) dashes += " -";
                                return dashes;
                              }()))
                .find("nested"),
            std::string::npos);
}

}  // namespace
}  // namespace recipelint::yaml
