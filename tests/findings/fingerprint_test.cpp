#include "analyzer/findings/fingerprint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/text/source_file.h"
#include "tests/support/sample_report.h"

namespace recipelint::findings {
namespace {

using ::testing::ElementsAre;
using testing::find_span;
using text::SourceFile;

std::string repeated(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

struct LineHashCase {
  const char* name;
  std::string bytes;
  std::vector<std::string> hashes;
};

// The first four are the vectors of codeql-action's own tests; the others come from an independent
// implementation that agrees with those.
const LineHashCase kLineHashCases[] = {
    {"Empty", "", {"c129715d7a2bc9a3:1"}},
    {"BlanksDoNotCount",
     " a\nb\n  \t\tc\n d",
     {"271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"}},
    {"CrLf",
     " a\r\nb\r\n  \t\tc\r\n d",
     {"271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"}},
    {"LoneCr",
     " a\rb\r  \t\tc\r d",
     {"271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"}},
    {"MixedLineBreaks",
     "hello; \t\nworld\r\n",
     {"f64340c30348512a:1", "53f9e022cffbf0f1:1", "c129715d7a2bc9a3:1"}},
    {"RepeatedLinesAreCounted",
     repeated("Lorem ipsum dolor sit amet.\n", 10),
     {"a7f2ff13bc495cf2:1", "a7f2ff13bc495cf2:2", "a7f2ff13bc495cf2:3", "a7f2ff13bc495cf2:4",
      "a7f2ff13bc495cf2:5", "a7f2ff13bc495cf2:6", "a7f2ff1481e87703:1", "a9cf91f7bbf1862b:1",
      "55ec222b86bcae53:1", "cc97dc7b1d7d8f7b:1", "c129715d7a2bc9a3:1"}},
    {"LinesLongerThanTheWindow",
     std::string(250, 'x') + "\ny\n",
     {"52b56201ffb58620:1", "c33be7e0cf7c3ca:1", "c129715d7a2bc9a3:1"}},
    {"EmptyLines", "\n\n", {"5b5d4caf73a13177:1", "3c5bef55b72b93c9:1", "c129715d7a2bc9a3:1"}},
    {"BlankBetweenCrAndLf",
     "a\r \nb",
     {"67c066a59e652f5e:1", "cc4c43d77869440f:1", "8ee5a81e681643c1:1"}},
    {"Utf16Units",
     "\U0001F600 x\n\u00E9\n",
     {"37143a37ed5234a5:1", "46b47b20627f8c7a:1", "c129715d7a2bc9a3:1"}},
    {"ByteOrderMarkCounts",
     "\xEF\xBB\xBF"
     "a\nb\n",
     {"8fff498b8a070609:1", "ade70578248be16f:1", "c129715d7a2bc9a3:1"}},
    {"MalformedUtf8",
     std::string("\xE2\x82(\n\xFF\xC0\x80\n\xF0\x9F\x98\n\xED\xA0\x80\n"),
     {"d2264c82e08ebf9b:1", "9b65e6ccb763f5f8:1", "8d5cf74872c8108f:1", "66bb4c1842ee204c:1",
      "c129715d7a2bc9a3:1"}},
};

class LineHashes : public ::testing::TestWithParam<LineHashCase> {};

TEST_P(LineHashes, EqualThoseOfCodeqlAction) {
  EXPECT_EQ(line_hashes(GetParam().bytes), GetParam().hashes);
}

INSTANTIATE_TEST_SUITE_P(Vectors, LineHashes, ::testing::ValuesIn(kLineHashCases),
                         [](const auto& instance) { return instance.param.name; });

TEST(LineHashCache, GivesTheHashOfTheLineASpanBeginsIn) {
  const SourceFile file("f", " a\nb\n  \t\tc\n d");
  LineHashCache cache;
  EXPECT_EQ(cache.at(find_span(file, "c\n d")), "180aee12dab6264:1");
  EXPECT_EQ(cache.at(find_span(file, "d")), "a23a3dc5e078b07b:1");
}

TEST(LineHashCache, HasAHashForEveryPlaceOfAFile) {
  for (const char* bytes : {"", "\n", "a", "a\n", "a\r\n\r\n", "\r", "\xEF\xBB\xBF\n "}) {
    const SourceFile file("f", bytes);
    LineHashCache cache;
    for (std::uint32_t at = 0; at <= file.bytes().size(); ++at) {
      EXPECT_FALSE(cache.at(file.span(at, at)).empty());
    }
  }
}

TEST(StableHash, IsFnv1aWithLengths) {
  EXPECT_EQ(stable_hash({}), "cbf29ce484222325");
  EXPECT_NE(stable_hash({"ab", "c"}), stable_hash({"a", "bc"}));
  EXPECT_NE(stable_hash({"", "a"}), stable_hash({"a", ""}));
}

Finding finding_at(text::Span span, std::string identity = "") {
  Finding finding;
  finding.rule = "RL1";
  finding.primary = span;
  finding.identity = std::move(identity);
  return finding;
}

std::string fingerprint(Finding finding) {
  set_fingerprints({&finding, 1});
  return finding.fingerprint;
}

TEST(Fingerprint, SurvivesLinesAboveIndentationAContinuationAndOtherCells) {
  const SourceFile before("f", "serve \\\n  --a 1\n");
  const SourceFile after("f", "# new\nserve \\\r\n\t--a   1 \\\r\n  --b\n");
  Finding with_cells = finding_at(find_span(after, "--a"));
  with_cells.cells = {"x", "y"};
  with_cells.message = "Reworded.";
  EXPECT_EQ(fingerprint(finding_at(find_span(before, "--a"))), fingerprint(with_cells));
}

TEST(Fingerprint, DependsOnRulePathLineAndIdentity) {
  const SourceFile file("f", "a\nb\n");
  const SourceFile other("g", "a\n");
  const std::string base = fingerprint(finding_at(find_span(file, "a"), "x"));
  EXPECT_NE(base, fingerprint(finding_at(find_span(file, "b"), "x")));
  EXPECT_NE(base, fingerprint(finding_at(find_span(other, "a"), "x")));
  EXPECT_NE(base, fingerprint(finding_at(find_span(file, "a"), "y")));
  Finding other_rule = finding_at(find_span(file, "a"), "x");
  other_rule.rule = "RL2";
  EXPECT_NE(base, fingerprint(other_rule));
  EXPECT_NE(base, fingerprint(finding_at({}, "x")));
}

TEST(Fingerprint, CountsEqualOnes) {
  const SourceFile file("f", "a\na\nb\n");
  std::vector<Finding> findings = {finding_at(find_span(file, "a", 1)),
                                   finding_at(find_span(file, "b")),
                                   finding_at(find_span(file, "a", 2))};
  set_fingerprints(findings);
  const std::string hash = findings[0].fingerprint.substr(0, 16);
  EXPECT_EQ(findings[0].fingerprint, hash + ":1");
  EXPECT_EQ(findings[2].fingerprint, hash + ":2");
  EXPECT_TRUE(findings[1].fingerprint.ends_with(":1"));
}

/// Baselines are stored with these: they must never change.
TEST(Fingerprint, IsFixed) {
  const SourceFile file("a/b.sh", "  --flag \\\n");
  EXPECT_EQ(fingerprint(finding_at(find_span(file, "--flag"), "id")), "77b75db6104d989f:1");
}

}  // namespace
}  // namespace recipelint::findings
