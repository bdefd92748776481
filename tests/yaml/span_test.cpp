#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/yaml/parsed.h"

namespace recipelint::yaml {
namespace {

/// The spans of all nodes below `node`, itself first, in the order of the file.
void collect_spans(Node node, std::vector<std::string>& spans) {
  spans.emplace_back(node.span().bytes());
  if (node.is_sequence()) {
    for (std::size_t i = 0; i < node.size(); ++i) collect_spans(node.item(i), spans);
  }
  for (const Node::Entry& entry : node.written_entries()) {
    collect_spans(entry.key, spans);
    collect_spans(entry.value, spans);
  }
}

std::vector<std::string> spans(const std::string& bytes) {
  const Parsed parsed(bytes);
  std::vector<std::string> result;
  if (!parsed.ok()) return {parsed.error()};
  collect_spans(parsed.root(), result);
  return result;
}

using Spans = std::vector<std::string>;

TEST(Span, ScalarsOfEveryStyle) {
  EXPECT_EQ(spans("a b  # c\n"), (Spans{"a b"}));
  EXPECT_EQ(spans("a\n  b \n"), (Spans{"a\n  b"}));
  EXPECT_EQ(spans("'it''s' # c\n"), (Spans{"'it''s'"}));
  EXPECT_EQ(spans("\"a\\\"\n b\"\n"), (Spans{"\"a\\\"\n b\""}));
  EXPECT_EQ(spans("|\n  a\n  b\n\n"), (Spans{"|\n  a\n  b"}));
  EXPECT_EQ(spans("- |+\n  a\n\n- b\n"), (Spans{"- |+\n  a\n\n- b", "|+\n  a\n", "b"}));
  EXPECT_EQ(spans("- >-  # c\n- b\n"), (Spans{"- >-  # c\n- b", ">-", "b"}));
}

TEST(Span, FlowCollectionsIncludeTheirBrackets) {
  EXPECT_EQ(spans("a: [ 1, ']', # ]\n  {b: c} , ] # d\n"),
            (Spans{"a: [ 1, ']', # ]\n  {b: c} , ]", "a", "[ 1, ']', # ]\n  {b: c} , ]", "1", "']'",
                   "{b: c}", "b", "c"}));
  EXPECT_EQ(spans("[a: 1, ? b : c]"),
            (Spans{"[a: 1, ? b : c]", "a: 1", "a", "1", "? b : c", "b", "c"}));
}

TEST(Span, BlockCollectionsEndWithTheirLastChild) {
  EXPECT_EQ(spans("# x\na:\n  - b\n  - c: d # y\n\n# z\ne: f\n"),
            (Spans{"a:\n  - b\n  - c: d # y\n\n# z\ne: f", "a", "- b\n  - c: d", "b", "c: d", "c",
                   "d", "e", "f"}));
}

TEST(Span, AnchorsAndTagsDoNotBelongToTheirNode) {
  EXPECT_EQ(spans("a: &x !!str b\nc: &y\n  d: *x\n"),
            (Spans{"a: &x !!str b\nc: &y\n  d: *x", "a", "b", "c", "d: *x", "d", "*x"}));
  EXPECT_EQ(spans("- &x [1]\n"), (Spans{"- &x [1]", "[1]", "1"}));
}

TEST(Span, MissingNodesAreEmptyWhereTheyWouldStand) {
  const Parsed parsed("a:   # c\nb: &x\nd: [? , e: ]\n");
  ASSERT_TRUE(parsed.ok()) << parsed.error();
  const Node root = parsed.root();
  EXPECT_EQ(root.find("a").span(), parsed.file().span(2, 2));
  EXPECT_EQ(root.find("b").span(), parsed.file().span(14, 14));
  const Node list = root.find("d");
  EXPECT_EQ(list.item(0).entries()[0].key.span(), parsed.file().span(20, 20));
  EXPECT_EQ(list.item(1).entries()[0].value.span(), parsed.file().span(25, 25));
}

TEST(Span, CarriageReturnsBelongToLineBreaks) {
  EXPECT_EQ(spans("a: b\r\nc: |\r\n  x\r\nd:\r\n  - 'e'\r\n"),
            (Spans{"a: b\r\nc: |\r\n  x\r\nd:\r\n  - 'e'", "a", "b", "c", "|\r\n  x", "d", "- 'e'",
                   "'e'"}));
}

TEST(Span, OffsetsCountTheByteOrderMark) {
  const Parsed parsed(
      "\xEF\xBB\xBF"
      "a: b\n");
  ASSERT_TRUE(parsed.ok()) << parsed.error();
  EXPECT_EQ(parsed.root().find_key("a").span(), parsed.file().span(3, 4));
  EXPECT_EQ(parsed.root().find("a").span(), parsed.file().span(6, 7));
}

TEST(Span, OffsetsCountBytesOfUtf8) {
  const Parsed parsed("\u00E9\u00E9: \U0001F600 x\n\u20AC: [\u00E9, 1]\n");
  ASSERT_TRUE(parsed.ok()) << parsed.error();
  EXPECT_EQ(parsed.root().find("\u00E9\u00E9").span(), parsed.file().span(6, 12));
  EXPECT_EQ(parsed.root().find("\u20AC").item(1).span().bytes(), "1");
}

}  // namespace
}  // namespace recipelint::yaml
