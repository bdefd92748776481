#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "analyzer/findings/collect.h"
#include "analyzer/report/report.h"
#include "analyzer/text/source_file.h"
#include "tests/support/sample_report.h"

namespace recipelint::report {
namespace {

using nlohmann::json;
using testing::find_span;
using text::SourceFile;

json sarif(const Report& report) {
  std::ostringstream out;
  write_sarif(report, out);
  json document = json::parse(out.str(), nullptr, false);
  EXPECT_FALSE(document.is_discarded()) << out.str();
  return document;
}

json run_of(const Report& report) {
  return sarif(report)["runs"][0];
}

// By value, so that a loop over one of them keeps it alive.
json results_of(const Report& report) {
  return run_of(report)["results"];
}

json rules_of(const Report& report) {
  return run_of(report)["tool"]["driver"]["rules"];
}

json only_result(findings::Finding finding) {
  Report report;
  findings::Collector collector;
  collector.report(std::move(finding));
  report.findings = collector.take();
  return results_of(report)[0];
}

findings::Finding finding_at(text::Span span) {
  findings::Finding finding;
  finding.rule = "RL1";
  finding.message = "It is wrong.";
  finding.primary = span;
  return finding;
}

/// Calls `visit` with every object below `value` that is called `name`.
template <typename Visit>
void for_each_named(const json& value, const std::string& name, const Visit& visit) {
  if (!value.is_structured()) return;
  for (const auto& [key, child] : value.items()) {
    if (value.is_object() && key == name) visit(child);
    for_each_named(child, name, visit);
  }
}

TEST(Sarif, ListsAllRulesAndPointsAtThem) {
  const testing::SampleReport sample;
  const json run = run_of(sample.report());
  const json& rules = run["tool"]["driver"]["rules"];
  EXPECT_EQ(rules.size(), sample.report().rules.size());
  for (const json& result : run["results"]) {
    const auto index = result["ruleIndex"].get<std::size_t>();
    ASSERT_LT(index, rules.size());
    EXPECT_EQ(rules[index]["id"], result["ruleId"]);
  }
}

TEST(Sarif, DescribesRulesWithinTheLimitsOfGitHub) {
  const testing::SampleReport sample;
  for (const json& rule : rules_of(sample.report())) {
    for (const char* key : {"shortDescription", "fullDescription"}) {
      const auto text = rule[key]["text"].get<std::string>();
      EXPECT_FALSE(text.empty());
      EXPECT_LE(text.size(), 1024u);
    }
    EXPECT_FALSE(rule["help"]["text"].get<std::string>().empty());
    EXPECT_EQ(rule["help"]["text"], rule["help"]["markdown"]);
    EXPECT_LE(rule["properties"]["tags"].size(), 10u);
    EXPECT_THAT(rule["properties"]["precision"],
                ::testing::AnyOf("very-high", "high", "medium", "low"));
    EXPECT_THAT(rule["properties"]["problem.severity"],
                ::testing::AnyOf("error", "warning", "recommendation"));
    EXPECT_FALSE(rule["properties"].contains("security-severity"));
  }
}

TEST(Sarif, GivesEveryResultOneLocationInOneLineAndItsFingerprints) {
  const testing::SampleReport sample;
  for (const json& result : results_of(sample.report())) {
    ASSERT_EQ(result["locations"].size(), 1u);
    const json& region = result["locations"][0]["physicalLocation"]["region"];
    EXPECT_EQ(region.value("endLine", region["startLine"].get<int>()), region["startLine"]);
    EXPECT_TRUE(result["partialFingerprints"].contains("recipelint/v1"));
    EXPECT_EQ(result["kind"], "fail");
  }
}

TEST(Sarif, HasConsistentRegions) {
  const testing::SampleReport sample;
  const json document = sarif(sample.report());
  int regions = 0;
  const auto check = [&regions](const json& region) {
    ++regions;
    const int line = region["startLine"];
    const int end_line = region.value("endLine", line);
    const int column = region.value("startColumn", 1);
    EXPECT_GE(line, 1);
    EXPECT_GE(column, 1);
    EXPECT_GE(end_line, line);
    if (end_line == line && region.contains("endColumn")) {
      EXPECT_GE(region["endColumn"].get<int>(), column);
    }
  };
  for (const char* name : {"region", "contextRegion", "deletedRegion"}) {
    for_each_named(document, name, check);
  }
  EXPECT_GT(regions, 20);
}

TEST(Sarif, ContextIsLargerThanTheRegionAndContainsIt) {
  const testing::SampleReport sample;
  int contexts = 0;
  for_each_named(sarif(sample.report()), "physicalLocation", [&contexts](const json& location) {
    if (!location.contains("contextRegion")) return;
    ++contexts;
    const json& region = location["region"];
    const json& context = location["contextRegion"];
    EXPECT_LE(context["startLine"], region["startLine"]);
    EXPECT_GE(context["endLine"], region["endLine"]);
    EXPECT_GT(context["endLine"], context["startLine"]);
    const auto text = context["snippet"]["text"].get<std::string>();
    EXPECT_NE(text.find(region["snippet"]["text"].get<std::string>()), std::string::npos);
  });
  EXPECT_GE(contexts, 4);
}

TEST(Sarif, LinksEveryRelatedLocationFromTheMessage) {
  const testing::SampleReport sample;
  for (const json& result : results_of(sample.report())) {
    const auto text = result["message"]["text"].get<std::string>();
    const auto markdown = result["message"]["markdown"].get<std::string>();
    int id = 0;
    for (const json& related : result.value("relatedLocations", json::array())) {
      EXPECT_EQ(related["id"], ++id);
      const std::string link = "](" + std::to_string(id) + ")";
      EXPECT_NE(text.find(link), std::string::npos) << text;
      EXPECT_NE(markdown.find(link), std::string::npos) << markdown;
    }
  }
}

TEST(Sarif, IsAsciiAndEveryMessageEndsWithAPeriod) {
  const testing::SampleReport sample;
  std::ostringstream out;
  write_sarif(sample.report(), out);
  EXPECT_TRUE(
      std::ranges::all_of(out.str(), [](char c) { return c == '\n' || (c >= ' ' && c < 0x7F); }));
  for_each_named(json::parse(out.str()), "message", [](const json& message) {
    if (!message.contains("markdown")) return;
    EXPECT_TRUE(message["text"].get<std::string>().ends_with('.'));
  });
}

TEST(Sarif, CountsColumnsInUtf16UnitsWithoutAByteOrderMark) {
  const SourceFile file("f", "\xEF\xBB\xBF\U0001F600\u00E9x y\n");
  const json result = only_result(finding_at(find_span(file, "x")));
  const json& region = result["locations"][0]["physicalLocation"]["region"];
  EXPECT_EQ(region["startColumn"], 4);
  EXPECT_EQ(region["endColumn"], 5);
  EXPECT_EQ(region["snippet"]["text"], "x");
}

TEST(Sarif, FixesKeepTheLineBreakThatTheyDelete) {
  const SourceFile file("f", "a\nb\nc\n");
  findings::Finding finding = finding_at(find_span(file, "b"));
  finding.fixes = {{find_span(file, "b\n"), "", "Delete the line."}};
  const json result = only_result(finding);
  const json expected = {{"startLine", 2}, {"startColumn", 1}, {"endLine", 3}, {"endColumn", 1}};
  EXPECT_EQ(result["fixes"][0]["artifactChanges"][0]["replacements"][0]["deletedRegion"], expected);
}

TEST(Sarif, LeavesOutAFixThatIsNotText) {
  const SourceFile file("f", "a\n");
  findings::Finding finding = finding_at(find_span(file, "a"));
  finding.fixes = {{find_span(file, "a"), "\xFF", "Bytes."}};
  EXPECT_FALSE(only_result(finding).contains("fixes"));
}

TEST(Sarif, LeavesOutHugeSnippets) {
  const SourceFile file("f", "a\n" + std::string(100000, 'x') + "\nb\n");
  const json location = only_result(finding_at(file.line(2)))["locations"][0]["physicalLocation"];
  EXPECT_EQ(location["region"]["endColumn"], 100001);
  EXPECT_FALSE(location["region"].contains("snippet"));
  EXPECT_FALSE(location.contains("contextRegion"));
}

TEST(Sarif, OptionalPartsAreThereOnlyIfTheyAreKnown) {
  const testing::SampleReport sample;
  Report report = sample.report();
  EXPECT_EQ(run_of(report)["automationDetails"]["id"], "recipelint/nightly/");
  EXPECT_TRUE(run_of(report).contains("versionControlProvenance"));
  EXPECT_EQ(run_of(report)["tool"]["driver"]["rules"][1]["helpUri"],
            "https://example.org/rules/RL3001");
  report.category = "";
  report.version_control.reset();
  report.rule_page_base = "";
  report.home_page = "";
  EXPECT_EQ(run_of(report)["automationDetails"]["id"], "recipelint/");
  EXPECT_FALSE(run_of(report).contains("versionControlProvenance"));
  EXPECT_FALSE(run_of(report)["tool"]["driver"]["rules"][1].contains("helpUri"));
  EXPECT_FALSE(run_of(report)["tool"]["driver"].contains("informationUri"));
}

TEST(Sarif, ACleanRunHasAnEmptyListOfResults) {
  const json run = run_of(testing::clean_report());
  EXPECT_EQ(run["results"], json::array());
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], true);
}

TEST(Sarif, NotificationsPointAtTheirDescriptors) {
  const testing::SampleReport sample;
  const json run = run_of(sample.report());
  const json& invocation = run["invocations"][0];
  EXPECT_EQ(invocation["executionSuccessful"], false);
  EXPECT_EQ(invocation["toolExecutionNotifications"].size(), 3u);
  for (const json& notification : invocation["toolExecutionNotifications"]) {
    const auto index = notification["descriptor"]["index"].get<std::size_t>();
    EXPECT_EQ(run["tool"]["driver"]["notifications"][index]["id"],
              notification["descriptor"]["id"]);
  }
}

TEST(Sarif, ARuleThatIsNotDescribedHasNoIndex) {
  const SourceFile file("f", "a\n");
  EXPECT_FALSE(only_result(finding_at(find_span(file, "a"))).contains("ruleIndex"));
}

}  // namespace
}  // namespace recipelint::report
