#include "analyzer/findings/collect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "analyzer/findings/notification.h"
#include "analyzer/text/source_file.h"
#include "tests/support/sample_report.h"

namespace recipelint::findings {
namespace {

using ::testing::ElementsAre;
using testing::find_span;
using ::testing::IsEmpty;
using text::SourceFile;

Finding make(std::string rule, text::Span primary, std::string message, std::string identity = "") {
  Finding finding;
  finding.rule = std::move(rule);
  finding.primary = primary;
  finding.message = std::move(message);
  finding.identity = std::move(identity);
  return finding;
}

std::vector<Finding> collected(std::vector<Finding> findings) {
  Collector collector;
  for (Finding& finding : findings) collector.report(std::move(finding));
  return collector.take();
}

std::vector<std::string> messages(const std::vector<Finding>& findings) {
  std::vector<std::string> out;
  for (const Finding& finding : findings) out.push_back(finding.message);
  return out;
}

TEST(Collector, OrdersByPathPlaceRuleAndMessage) {
  const SourceFile a("a", "0123456789");
  const SourceFile b("b", "0123456789");
  EXPECT_THAT(messages(collected({make("RL1", b.span(0, 1), "7"), make("RL2", a.span(5, 6), "5"),
                                  make("RL1", a.span(5, 6), "4"), make("RL1", a.span(5, 6), "3"),
                                  make("RL9", a.span(0, 2), "2"), make("RL9", a.span(0, 1), "1"),
                                  make("RL9", {}, "0"), make("RL2", a.span(5, 7), "6")})),
              ElementsAre("0", "1", "2", "3", "4", "5", "6", "7"));
}

TEST(Collector, AddsWhatAnotherOneHas) {
  Finding mine = make("RL1", {}, "m");
  mine.cells = {"b"};
  Finding theirs = mine;
  theirs.cells = {"a"};
  Collector one;
  one.report(mine);
  one.report_unevaluated({"RL2", "cause", "cell"});
  Collector other;
  other.report(theirs);
  other.report(make("RL3", {}, "n"));
  other.report_unevaluated({"RL1", "cause", "cell"});
  other.report_unevaluated({"RL2", "cause", "cell"});
  one.add(std::move(other));

  const auto findings = one.take();
  EXPECT_THAT(messages(findings), ElementsAre("m", "n"));
  EXPECT_THAT(findings.front().cells, ElementsAre("a", "b"));
  EXPECT_EQ(one.take_unevaluated().size(), 2U);
}

TEST(Collector, SortsCellsAndDropsRepeatedOnes) {
  Finding finding = make("RL1", {}, "m");
  finding.cells = {"b", "a", "b", "a"};
  EXPECT_THAT(collected({finding}).front().cells, ElementsAre("a", "b"));
}

TEST(Collector, UnitesFindingsOfOneDefect) {
  const SourceFile file("f", "0123456789");
  Finding first = make("RL1", file.span(0, 1), "64 do not fit.", "flag");
  first.cells = {"conc64"};
  first.related = {{file.span(2, 3), "here"}, {file.span(4, 5), "row of 64"}};
  first.remedies = {"use 64"};
  first.facts = {"fact"};
  Finding second = make("RL1", file.span(0, 1), "128 do not fit.", "flag");
  second.level = Level::kError;
  second.cells = {"conc128", "conc64"};
  second.related = {{file.span(2, 3), "here"}, {file.span(6, 7), "row of 128"}};
  second.remedies = {"use 128"};
  second.facts = {"fact"};
  second.fixes = {{file.span(0, 1), "128", "Write 128."}};

  const std::vector<Finding> merged = collected({first, second});
  ASSERT_EQ(merged.size(), 1u);
  EXPECT_EQ(merged[0].level, Level::kError);
  EXPECT_EQ(merged[0].message, "128 do not fit.") << "the message of the most severe one";
  EXPECT_THAT(merged[0].cells, ElementsAre("conc128", "conc64"));
  EXPECT_THAT(merged[0].remedies, ElementsAre("use 128", "use 64"));
  EXPECT_THAT(merged[0].facts, ElementsAre("fact"));
  EXPECT_EQ(merged[0].fixes.size(), 1u);
  ASSERT_EQ(merged[0].related.size(), 3u);
  EXPECT_EQ(merged[0].related[0].label, "here");
  EXPECT_EQ(merged[0].related[1].label, "row of 128");
  EXPECT_EQ(merged[0].related[2].label, "row of 64");
}

TEST(Collector, KeepsDefectsApartThatDifferInRulePlaceOrIdentity) {
  const SourceFile file("f", "0123456789");
  const SourceFile other("g", "0123456789");
  const Finding base = make("RL1", file.span(0, 1), "m", "id");
  for (const Finding& different :
       {make("RL2", file.span(0, 1), "m", "id"), make("RL1", file.span(0, 2), "m", "id"),
        make("RL1", other.span(0, 1), "m", "id"), make("RL1", file.span(0, 1), "m", "di"),
        make("RL1", file.span(0, 1), "m")}) {
    EXPECT_EQ(collected({base, different}).size(), 2u);
  }
}

TEST(Collector, WithoutAnIdentityTheMessageTellsDefectsApart) {
  const SourceFile file("f", "0123456789");
  const Finding one = make("RL1", file.span(0, 1), "one");
  EXPECT_EQ(collected({one, make("RL1", file.span(0, 1), "two")}).size(), 2u);
  EXPECT_EQ(collected({one, one}).size(), 1u);
}

TEST(Collector, DoesNotDependOnTheOrderOfArrival) {
  const SourceFile file("f", "0123456789");
  std::vector<Finding> findings;
  for (int i = 0; i < 5; ++i) {
    Finding finding = make("RL1", file.span(0, 1), "same", "id");
    finding.cells = {std::to_string(i % 2)};
    finding.remedies = {std::to_string(i % 3)};
    finding.related = {{file.span(2, 3 + static_cast<std::uint32_t>(i)), std::to_string(i)}};
    findings.push_back(finding);
  }
  std::vector<int> order = {0, 1, 2, 3, 4};
  const auto labels = [&] {
    Collector collector;
    for (const int index : order) collector.report(findings[static_cast<std::size_t>(index)]);
    std::string out;
    for (const Finding& finding : collector.take()) {
      for (const Related& related : finding.related) out += related.label;
      for (const std::string& remedy : finding.remedies) out += remedy;
    }
    return out;
  };
  const std::string expected = labels();
  while (std::next_permutation(order.begin(), order.end())) ASSERT_EQ(labels(), expected);
}

TEST(Collector, IsEmptyAfterTaking) {
  Collector collector;
  collector.report(make("RL1", {}, "m"));
  EXPECT_EQ(collector.take().size(), 1u);
  EXPECT_THAT(collector.take(), IsEmpty());
}

TEST(Collector, SetsFingerprints) {
  EXPECT_FALSE(collected({make("RL1", {}, "m")}).front().fingerprint.empty());
}

TEST(CountLevels, CountsEach) {
  std::vector<Finding> findings(6);
  findings[0].level = Level::kError;
  findings[1].level = findings[2].level = Level::kNote;
  EXPECT_EQ(count_levels(findings), (LevelCounts{1, 3, 2}));
}

TEST(Notifications, AreSortedAndUnique) {
  const SourceFile file("b", "01");
  std::vector<Notification> notifications = {
      {NotificationKind::kLimit, Level::kNote, "2", "b", file.span(1, 2)},
      {NotificationKind::kLimit, Level::kNote, "1", "b", file.span(0, 1)},
      {NotificationKind::kUnreadable, Level::kError, "0", "a", {}},
      {NotificationKind::kLimit, Level::kNote, "1", "b", file.span(0, 1)},
  };
  normalize(notifications);
  std::vector<std::string> order;
  for (const Notification& notification : notifications) order.push_back(notification.message);
  EXPECT_THAT(order, ElementsAre("0", "1", "2"));
}

TEST(Level, HasTheNamesOfTheCommandLine) {
  EXPECT_EQ(to_string(Level::kError), "error");
  EXPECT_EQ(to_string(Level::kWarning), "warning");
  EXPECT_EQ(to_string(Level::kNote), "note");
}

TEST(Collector, GivesEachUnevaluatedCellOnceInOneOrder) {
  Collector collector;
  collector.report_unevaluated({"RL2001", "the GPU is unknown", "b"});
  collector.report_unevaluated({"RL2001", "the GPU is unknown", "a"});
  collector.report_unevaluated({"RL2001", "the GPU is unknown", "b"});
  const std::vector<Unevaluated> expected = {{"RL2001", "the GPU is unknown", "a"},
                                             {"RL2001", "the GPU is unknown", "b"}};
  EXPECT_EQ(collector.take_unevaluated(), expected);
  EXPECT_TRUE(collector.take_unevaluated().empty());
}

}  // namespace
}  // namespace recipelint::findings
