#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "analyzer/report/report.h"
#include "analyzer/report/snippet.h"
#include "analyzer/report/visible.h"
#include "analyzer/text/source_file.h"
#include "tests/support/sample_report.h"

namespace recipelint::report {
namespace {

using testing::find_span;
using text::SourceFile;

std::string text(const Report& report, TextOptions options = {}) {
  std::ostringstream out;
  write_text(report, options, out);
  return out.str();
}

std::vector<std::string> lines(const std::string& document) {
  std::vector<std::string> out;
  std::istringstream in(document);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

std::string snippet(std::vector<Annotation> annotations, std::size_t width = 60) {
  const Painter painter(Color::kNever);
  return render_snippet(std::move(annotations), {painter, 1, width});
}

Annotation primary(text::Span span) {
  return {span, "", '^', Style::kError};
}
Annotation related(text::Span span, std::string label) {
  return {span, std::move(label)};
}

TEST(Snippet, PutsTheLastLabelBesideItsMarkAndTheOthersBelow) {
  const SourceFile file("f", "first second third\n");
  EXPECT_EQ(snippet({related(find_span(file, "first"), "one"), primary(find_span(file, "second")),
                     related(find_span(file, "third"), "three")}),
            "1 | first second third\n"
            "  | ----- ^^^^^^ ----- three\n"
            "  | |\n"
            "  | one\n");
}

TEST(Snippet, ConnectsLabelsFromRightToLeft) {
  const SourceFile file("f", "a b c\n");
  EXPECT_EQ(snippet({related(find_span(file, "a"), "one"), related(find_span(file, "b"), "two"),
                     primary(find_span(file, "c"))}),
            "1 | a b c\n"
            "  | - - ^\n"
            "  | | |\n"
            "  | | two\n"
            "  | one\n");
}

TEST(Snippet, CaretsWinWhereMarksOverlap) {
  const SourceFile file("f", "NAME=value\n");
  EXPECT_EQ(
      snippet({primary(find_span(file, "value")), related(find_span(file, "NAME=value"), "all")}),
      "1 | NAME=value\n"
      "  | -----^^^^^\n"
      "  | |\n"
      "  | all\n");
}

TEST(Snippet, ShowsASingleLineBetweenTwoButNotMore) {
  const SourceFile file("f", "a\nb\nc\nd\ne\nf\n");
  EXPECT_EQ(snippet({primary(find_span(file, "c")), related(find_span(file, "a"), ""),
                     related(find_span(file, "f"), "")}),
            "1 | a\n"
            "  | -\n"
            "2 | b\n"
            "3 | c\n"
            "  | ^\n"
            "...\n"
            "6 | f\n"
            "  | -\n");
}

TEST(Snippet, AlignsMarksUnderTabsAndWideCharacters) {
  const SourceFile file("f", "\t\u6A21e\u0301\x1B=x\n");
  EXPECT_EQ(snippet({primary(find_span(file, "x"))}),
            "1 |     \u6A21e\u0301<1B>=x\n"
            "  |             ^\n");
}

TEST(Snippet, MarksAnEmptyPlaceWithOneCaret) {
  const SourceFile file("f", "ab\n\n");
  EXPECT_EQ(snippet({primary(file.span(2, 2))}),
            "1 | ab\n"
            "  |   ^\n");
  EXPECT_EQ(snippet({primary(file.span(3, 3))}),
            "2 |\n"
            "  | ^\n");
}

TEST(Snippet, SaysHowFarAPlaceOfSeveralLinesReaches) {
  const SourceFile file("f", "a: |\r\n  b\r\n  c\r\n");
  EXPECT_EQ(snippet({related(file.whole(), "block")}),
            "1 | a: |\n"
            "  | ---- block (up to line 3)\n");
}

TEST(Snippet, ShowsTheNeighbourhoodOfAPlaceInALongLine) {
  const SourceFile file("f", std::string(500, 'a') + "HERE" + std::string(500, 'b') + "\n");
  EXPECT_EQ(snippet({primary(find_span(file, "HERE"))}, 34),
            "1 | ...aaaaaaaaaaHERE"
            "bbbbbbbbbb...\n"
            "  |              ^^^^\n");
}

TEST(Snippet, FillsTheLineAtBothEndsOfALongLine) {
  const SourceFile file("f", "HEAD" + std::string(500, 'a') + "TAIL\n");
  EXPECT_EQ(snippet({primary(find_span(file, "HEAD")), related(find_span(file, "TAIL"), "")}, 34),
            "1 | HEADaaaaaaaaaaaaaaaaaaaa...\n"
            "  | ^^^^\n"
            "1 | ...aaaaaaaaaaaaaaaaaaaaTAIL\n"
            "  |                        ----\n");
}

TEST(Snippet, CutsAMarkThatIsWiderThanTheLine) {
  const SourceFile file("f", std::string(500, 'a') + "\n");
  EXPECT_EQ(snippet({primary(file.line(1))}, 34), "1 | " + std::string(24, 'a') +
                                                      "...\n"
                                                      "  | " +
                                                      std::string(24, '^') + "\n");
}

TEST(Snippet, WrapsALongLabelAndMovesItIntoTheLine) {
  const SourceFile file("f", std::string(24, ' ') + "x\n");
  EXPECT_EQ(snippet({related(find_span(file, "x"), "some words that are too long here")}, 34),
            "1 | " + std::string(24, ' ') +
                "x\n"
                "  | " +
                std::string(24, ' ') +
                "-\n"
                "  | " +
                std::string(24, ' ') +
                "|\n"
                "  | some words that are too long\n"
                "  | here\n");
}

TEST(Text, FitsTheWidthUnlessAWordDoesNot) {
  const testing::SampleReport sample;
  for (const std::size_t width : {60u, 80u, 100u, 200u}) {
    std::vector<std::string> all = lines(text(sample.report(), {width}));
    all.pop_back();  // the summary is one line, for programs that look for it
    for (const std::string& line : all) {
      if (line.find(' ', line.find_first_not_of(" =:.0123456789")) == std::string::npos) continue;
      const bool is_location = line.find("-->") < 6 || line.find(":::") < 6;
      if (is_location) continue;
      EXPECT_LE(columns_of(line), width) << line;
    }
  }
}

TEST(Text, LetsNothingOfTheInputActOnATerminalOrARunner) {
  const testing::SampleReport sample;
  const std::string plain = text(sample.report());
  EXPECT_EQ(plain.find('\x1B'), std::string::npos);
  std::string colored = text(sample.report(), {100, Color::kAlways});
  colored = std::regex_replace(colored, std::regex("\x1B\\[[0-9;]*m"), "");
  colored = std::regex_replace(colored, std::regex("\x1B\\]8;;[a-zA-Z0-9:/.]*\x1B\\\\"), "");
  EXPECT_EQ(colored, plain) << "only styles and links of our own may differ";
  for (const std::string& line : lines(plain)) {
    EXPECT_FALSE(std::regex_search(line, std::regex("^ *::[^:]"))) << line;
    EXPECT_EQ(line.find("##[e"), std::string::npos) << line;
    for (const char c : line) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20) << line;
  }
}

TEST(Text, LinksRuleIdsOnlyWithColourAndAnAddress) {
  const testing::SampleReport sample;
  Report report = sample.report();
  EXPECT_NE(text(report, {100, Color::kAlways}).find("\x1B]8;;https://example.org/rules/RL3001"),
            std::string::npos);
  EXPECT_EQ(text(report).find("https://example.org/rules/"), std::string::npos);
  report.rule_page_base = "";
  EXPECT_EQ(text(report, {100, Color::kAlways}).find("\x1B]8"), std::string::npos);
}

std::string cells_line(std::size_t cells, std::size_t shown) {
  Report report;
  report.findings.resize(1);
  for (std::size_t i = 1; i <= cells; ++i) {
    report.findings[0].cells.push_back("c" + std::to_string(i));
  }
  for (const std::string& line : lines(text(report, {100, Color::kNever, shown}))) {
    if (line.find("= cells:") != std::string::npos) return line;
  }
  return "";
}

TEST(Text, ShortensLongListsOfCells) {
  EXPECT_EQ(cells_line(0, 2), "");
  EXPECT_EQ(cells_line(3, 2), "  = cells: c1, c2, c3") << "the count would not be shorter";
  EXPECT_EQ(cells_line(4, 2), "  = cells: c1, c2 and 2 more");
  EXPECT_EQ(cells_line(1500, 1), "  = cells: c1 and 1,499 more");
}

struct SummaryCase {
  std::vector<findings::Level> levels;
  Summary summary;
  const char* line;
};

TEST(Text, EndsWithASummary) {
  using enum findings::Level;
  const SummaryCase cases[] = {
      {{}, {0, 0, 0, 0, 0, {}}, "no findings in 0 files (0 cells)"},
      {{kError}, {1, 1, 1, 0, 0, {}}, "1 error in 1 file (1 cell)"},
      {{kError, kError, kWarning, kWarning, kWarning, kNote},
       {5, 1172, 1169, 3, 0, {}},
       "2 errors, 3 warnings, 1 note in 5 files (1,172 cells, 3 partly analysed)"},
      {{kNote},
       {1000, 1234567, 0, 0, 2, {}},
       "1 note in 1,000 files (1,234,567 cells, 2 findings suppressed)"},
  };
  for (const SummaryCase& test : cases) {
    Report report;
    report.summary = test.summary;
    for (const findings::Level level : test.levels) {
      report.findings.emplace_back().level = level;
    }
    EXPECT_EQ(lines(text(report)).back(), test.line);
  }
}

TEST(Text, CountsWhatItDoesNotListOfTheUnevaluated) {
  Report report;
  for (int i = 0; i < 11; ++i) {
    report.summary.unevaluated.push_back({"RL1", "cause " + std::to_string(i), 1});
  }
  const std::string document = text(report);
  EXPECT_NE(document.find("cause 7\n"), std::string::npos);
  EXPECT_EQ(document.find("cause 8\n"), std::string::npos);
  EXPECT_NE(document.find("and 3 more"), std::string::npos);
}

TEST(Text, PlacesFarApartInOneFileGetSnippetsOfTheirOwn) {
  const SourceFile file("f", "a\n\n\n\n\n\n\n\nb\nc\n");
  Report report;
  findings::Finding& finding = report.findings.emplace_back();
  finding.primary = find_span(file, "a");
  finding.related = {{find_span(file, "b"), "near"}};
  EXPECT_EQ(text(report).find(":::"), std::string::npos);
  finding.related = {{find_span(file, "c"), "far"}};
  EXPECT_NE(text(report).find("::: f:10:1"), std::string::npos);
}

TEST(Text, NamesPlacesBeyondTheFirstSnippetsAndCountsTheRest) {
  std::string bytes = "primary\n";
  for (int i = 0; i < 12; ++i) bytes += std::string(20, '\n') + "place" + std::to_string(i) + ";\n";
  const SourceFile file("f", bytes);
  Report report;
  findings::Finding& finding = report.findings.emplace_back();
  finding.primary = find_span(file, "primary");
  for (int i = 0; i < 12; ++i) {
    finding.related.push_back({find_span(file, "place" + std::to_string(i) + ";"), "the same"});
  }
  const std::string document = text(report, {.snippets_shown = 3, .places_named = 4});
  EXPECT_NE(document.find("| place1;"), std::string::npos);    // the third snippet
  EXPECT_EQ(document.find("| place2;"), std::string::npos);    // named only
  EXPECT_NE(document.find("::: f:127:1"), std::string::npos);  // place5, the last that is named
  EXPECT_EQ(document.find("::: f:148:1"), std::string::npos);
  EXPECT_NE(document.find("::: and 6 more places"), std::string::npos);
}

TEST(Text, LeavesTheSummaryOutIfAsked) {
  EXPECT_EQ(text(Report(), {.summary = false}), "");
}

}  // namespace
}  // namespace recipelint::report
