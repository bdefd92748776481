#include "analyzer/report/escape.h"

#include <gtest/gtest.h>

#include "analyzer/report/markdown_page.h"
#include "tests/support/xml.h"

namespace recipelint::report {
namespace {

TEST(PathToUri, EncodesEverythingThatIsNotUnreserved) {
  EXPECT_EQ(path_to_uri("a/b-c_d.e~f/1"), "a/b-c_d.e~f/1");
  EXPECT_EQ(path_to_uri("a b:%?#[]\\"), "a%20b%3A%25%3F%23%5B%5D%5C");
  EXPECT_EQ(path_to_uri("\u00E9\xFF\x1B"), "%C3%A9%FF%1B");
}

TEST(MarkdownText, LeavesNothingThatMarkdownOrHtmlReads) {
  EXPECT_EQ(markdown_text("[a](http://b) <i> & `c` *d* _e_"),
            "\\[a\\]\\(http\\://b\\) &lt;i&gt; &amp; \\`c\\` \\*d\\* \\_e\\_");
  EXPECT_EQ(markdown_text("1. x"), "1\\. x");
  EXPECT_EQ(markdown_text("- x | ~~y~~ $z$ ![i] www.w"),
            "\\- x \\| \\~\\~y\\~\\~ \\$z\\$ \\!\\[i\\] www\\.w");
  EXPECT_EQ(markdown_text("a\n# b\x1B"), "a&lt;0A&gt;\\# b&lt;1B&gt;");
}

TEST(SarifText, NeutralizesPlaceholdersAndLinksOnly) {
  EXPECT_EQ(sarif_text("sizes [1, 2] of {a}"), "sizes [1, 2] of {a}");
  EXPECT_EQ(sarif_text("{0} {12}{x} {} {1"), "{{0}} {{12}}{x} {} {1");
  EXPECT_EQ(sarif_text("[a](1)"), "\\[a\\](1)");
  EXPECT_EQ(sarif_text("\\[a](1)"), "\\\\\\[a\\](1)");
  EXPECT_EQ(sarif_link_text("a[0]\\"), "a\\[0\\]\\\\");
}

TEST(GitHubEscapes, DifferForPropertiesAndMessages) {
  EXPECT_EQ(github_property("a:b,c%d\r\ne"), "a%3Ab%2Cc%25d%0D%0Ae");
  EXPECT_EQ(github_message("a:b,c%d\r\ne"), "a:b,c%25d%0D%0Ae");
  EXPECT_EQ(github_message("\x1B[1m%"), "<1B>[1m%25");
  EXPECT_EQ(github_message(""), "");
}

TEST(XmlText, HoldsNothingThatXmlCannot) {
  EXPECT_EQ(xml_text("<a b=\"c\">&'"), "&lt;a b=&quot;c&quot;&gt;&amp;&apos;");
  EXPECT_EQ(xml_text("\x1B\n\uFFFE\uFFFF\xFF"),
            "&lt;1B&gt;&lt;0A&gt;&lt;U+FFFE&gt;&lt;U+FFFF&gt;\uFFFD");
}

TEST(XmlChecker, FindsWhatIsWrong) {
  const std::string start = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  EXPECT_EQ(testing::xml_error(start + "<a b=\"&lt;\"><c/>t</a>\n"), "");
  for (const char* body :
       {"", "<a>", "<a></b>", "<a/><b/>", "<a b=\"<\"/>", "<a b=\"1\" b=\"2\"/>", "<a>&x;</a>",
        "<a>\x1B</a>", "<a>\xFF</a>", "<a>\uFFFF</a>", "text", "<a b/>"}) {
    EXPECT_NE(testing::xml_error(start + body), "") << body;
  }
  EXPECT_NE(testing::xml_error("<a/>"), "");
}

TEST(FirstParagraph, SkipsWhatIsNotProse) {
  EXPECT_EQ(first_paragraph(
                "# Title\r\n\r\n| a | b |\n\n```sh\nserve\n```\n\nOne\n  two.\n\nThree.\n", 100),
            "One two.");
  EXPECT_EQ(first_paragraph("Text\n```\ncode\n```\n", 100), "Text");
  EXPECT_EQ(first_paragraph("Text\n# Heading", 100), "Text");
  EXPECT_EQ(first_paragraph("# Only\n```\nopen code", 100), "");
  EXPECT_EQ(first_paragraph("", 100), "");
}

TEST(FirstParagraph, IsCutAtTheEndOfAWord) {
  EXPECT_EQ(first_paragraph("one two three four", 12), "one two...");
  EXPECT_EQ(first_paragraph("one two three", 13), "one two three");
  EXPECT_EQ(first_paragraph("abcdefghijklmnop", 10), "...");
}

TEST(BelowHeading, IsTheWholePageWithoutTheHeading) {
  EXPECT_EQ(below_heading("# A\n\n## B\r\n\ntext\n", "## B"), "\ntext\n");
  EXPECT_EQ(below_heading("# A\n## Bc\n", "## B"), "# A\n## Bc\n");
  EXPECT_EQ(below_heading("## B", "## B"), "");
  EXPECT_EQ(below_heading("", "## B"), "");
}

}  // namespace
}  // namespace recipelint::report
