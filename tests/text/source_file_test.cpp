#include "analyzer/text/source_file.h"

#include <gtest/gtest.h>

#include "analyzer/text/utf8.h"

namespace recipelint::text {
namespace {

TEST(SourceFile, CountsLinesWithoutAPhantomLastOne) {
  EXPECT_EQ(SourceFile("f", "").line_count(), 1u);
  EXPECT_EQ(SourceFile("f", "a").line_count(), 1u);
  EXPECT_EQ(SourceFile("f", "a\n").line_count(), 1u);
  EXPECT_EQ(SourceFile("f", "a\nb").line_count(), 2u);
  EXPECT_EQ(SourceFile("f", "\n\n").line_count(), 2u);
}

TEST(SourceFile, LineExcludesItsBreak) {
  const SourceFile file("f", "one\r\ntwo\nthree");
  EXPECT_EQ(file.line(1).bytes(), "one");
  EXPECT_EQ(file.line(2).bytes(), "two");
  EXPECT_EQ(file.line(3).bytes(), "three");
  EXPECT_EQ(file.line(99).bytes(), "three");
}

TEST(SourceFile, PositionsCountInTheUnitAskedFor) {
  // U+00E9 takes 2 bytes and 1 UTF-16 unit, U+1F600 takes 4 bytes and 2 units.
  const SourceFile file("f", "x\n\u00E9\U0001F600z");
  const auto z = static_cast<std::uint32_t>(file.bytes().find('z'));
  EXPECT_EQ(file.position(z, ColumnUnit::kByte), (Position{2, 7}));
  EXPECT_EQ(file.position(z, ColumnUnit::kCharacter), (Position{2, 3}));
  EXPECT_EQ(file.position(z, ColumnUnit::kUtf16), (Position{2, 4}));
}

TEST(SourceFile, ByteOrderMarkTakesNoColumnButKeepsOffsets) {
  const SourceFile file("f", "\xEF\xBB\xBFkey: 1\n");
  EXPECT_EQ(file.bom_size(), 3u);
  EXPECT_EQ(file.content(), "key: 1\n");
  EXPECT_EQ(file.position(3), (Position{1, 1}));
  EXPECT_EQ(file.position(0), (Position{1, 1}));
  EXPECT_EQ(file.line(1).bytes(), "key: 1");
  EXPECT_EQ(file.span(3, 6).bytes(), "key");
}

TEST(SourceFile, PositionsBehindTheEndAreClamped) {
  const SourceFile file("f", "ab\n");
  EXPECT_EQ(file.position(2), (Position{1, 3}));
  EXPECT_EQ(file.position(100), (Position{1, 4}));
}

TEST(SourceFile, MalformedBytesCountAsOneCharacterEach) {
  const SourceFile file("f", "\xC3(\xFF)z");
  EXPECT_EQ(file.position(4, ColumnUnit::kCharacter), (Position{1, 5}));
  EXPECT_EQ(to_valid_utf8(file.bytes()), "\uFFFD(\uFFFD)z");
}

TEST(Utf8, RefusesOverlongFormsSurrogatesAndValuesAboveTheRange) {
  EXPECT_FALSE(decode_utf8("\xC0\x80").valid);
  EXPECT_FALSE(decode_utf8("\xE0\x80\x80").valid);
  EXPECT_FALSE(decode_utf8("\xED\xA0\x80").valid);
  EXPECT_FALSE(decode_utf8("\xF4\x90\x80\x80").valid);
  EXPECT_FALSE(decode_utf8("\xE2\x82").valid);
  EXPECT_TRUE(decode_utf8("\xE2\x82\xAC").valid);
}

TEST(Utf8, EncodesWhatItDecodes) {
  for (const char32_t code_point : {U'\x24', U'\xE9', U'\u20AC', U'\U0001F600'}) {
    std::string encoded;
    append_utf8(encoded, code_point);
    const Utf8Character decoded = decode_utf8(encoded);
    EXPECT_EQ(decoded.code_point, code_point);
    EXPECT_EQ(decoded.size, encoded.size());
  }
}

TEST(Span, OrdersByPathThenPlace) {
  const SourceFile a("a", "0123");
  const SourceFile b("b", "0123");
  EXPECT_TRUE(compare(a.span(3, 4), b.span(0, 1)) < 0);
  EXPECT_TRUE(compare(a.span(0, 1), a.span(0, 2)) < 0);
  EXPECT_TRUE(compare(Span{}, a.span(0, 1)) < 0);
  EXPECT_TRUE(compare(a.span(1, 2), a.span(1, 2)) == 0);
}

}  // namespace
}  // namespace recipelint::text
