#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <regex>
#include <sstream>

#include "analyzer/findings/collect.h"
#include "analyzer/report/report.h"
#include "analyzer/text/source_file.h"
#include "analyzer/text/utf8.h"
#include "tests/support/sample_report.h"
#include "tests/support/xml.h"

namespace recipelint::report {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using text::SourceFile;

std::string written(std::string_view format, const Report& report) {
  std::ostringstream out;
  find_format(format)->write(report, {}, out);
  return out.str();
}

std::vector<std::string> keys(const ordered_json& object) {
  std::vector<std::string> out;
  for (const auto& [key, value] : object.items()) out.push_back(key);
  return out;
}

TEST(JsonReport, HasTheKeysOfTheSchemaInTheirOrder) {
  const testing::SampleReport sample;
  Report report = sample.report();
  report.notifications.clear();
  const auto document = ordered_json::parse(written("json", report));
  EXPECT_THAT(keys(document),
              ::testing::ElementsAre("schema", "version", "root", "summary", "findings"));
  EXPECT_EQ(document["schema"], "recipelint/1");
  EXPECT_THAT(keys(document["summary"]),
              ::testing::ElementsAre("files", "cells", "cells_evaluated", "cells_partial", "errors",
                                     "warnings", "notes", "suppressed", "unevaluated"));
  EXPECT_THAT(keys(document["summary"]["unevaluated"][0]),
              ::testing::ElementsAre("rule", "cause", "cells"));
  for (const auto& finding : document["findings"]) {
    EXPECT_THAT(keys(finding),
                ::testing::ElementsAre("rule", "name", "level", "message", "file", "line", "column",
                                       "end_line", "end_column", "cells", "related", "remedies",
                                       "facts", "fingerprint"));
    for (const auto& related : finding["related"]) {
      EXPECT_THAT(keys(related), ::testing::ElementsAre("label", "file", "line", "column"));
    }
  }
}

TEST(JsonReport, HasOneLineForEveryFinding) {
  const testing::SampleReport sample;
  std::istringstream in(written("json", sample.report()));
  std::size_t findings = 0;
  for (std::string line; std::getline(in, line);) findings += line.starts_with("{\"rule\"") ? 1 : 0;
  EXPECT_EQ(findings, sample.report().findings.size());
}

TEST(JsonReport, TellsWhatCouldNotBeRead) {
  const testing::SampleReport sample;
  const json document = json::parse(written("json", sample.report()));
  EXPECT_EQ(document["notifications"].size(), 3u);
  EXPECT_EQ(document["notifications"][2]["kind"], "unreadable-input");
  EXPECT_EQ(document["notifications"][2]["line"], nullptr);
}

TEST(UnixReport, EveryLineMatchesTheProblemMatcherPattern) {
  const testing::SampleReport sample;
  std::istringstream in(written("unix", sample.report()));
  const std::regex pattern("^(.+):([0-9]+):([0-9]+): (error|warning|note)\\[([^\\]]+)\\]: (.+)$");
  std::size_t count = 0;
  for (std::string line; std::getline(in, line); ++count) {
    EXPECT_TRUE(std::regex_match(line, pattern)) << line;
  }
  EXPECT_EQ(count, sample.report().findings.size() + sample.report().notifications.size());
}

TEST(UnixReport, APathCannotBeAWorkflowCommand) {
  const SourceFile file("::error file=x::y", "a\n");
  Report report;
  report.findings.emplace_back().primary = file.span(0, 1);
  EXPECT_TRUE(written("unix", report).starts_with("<3A>:error"));
}

TEST(GithubReport, EveryLineIsOneCommandOfOurs) {
  const testing::SampleReport sample;
  std::istringstream in(written("github", sample.report()));
  const std::regex pattern("::(error|warning|notice) [^:]*::.*");
  std::size_t count = 0;
  for (std::string line; std::getline(in, line); ++count) {
    EXPECT_TRUE(std::regex_match(line, pattern)) << line;
  }
  EXPECT_EQ(count, sample.report().findings.size() + sample.report().notifications.size());
}

TEST(GitlabReport, HasTheDemandedKeysAndUniqueFingerprints) {
  const testing::SampleReport sample;
  std::vector<std::string> fingerprints;
  for (const json& issue : json::parse(written("gitlab", sample.report()))) {
    for (const char* key : {"description", "check_name", "fingerprint", "severity"}) {
      EXPECT_FALSE(issue.at(key).get<std::string>().empty());
    }
    EXPECT_THAT(issue["severity"], ::testing::AnyOf("info", "major", "critical"));
    EXPECT_GE(issue["location"]["lines"]["begin"], 1);
    fingerprints.push_back(issue["fingerprint"]);
  }
  EXPECT_EQ(fingerprints.size(), 10u);
  std::ranges::sort(fingerprints);
  EXPECT_EQ(std::ranges::adjacent_find(fingerprints), fingerprints.end());
}

TEST(JunitReport, IsWellFormedAndItsTotalsAreRight) {
  const testing::SampleReport sample;
  const std::string document = written("junit", sample.report());
  EXPECT_EQ(testing::xml_error(document), "");
  const auto count = [&document](const std::string& start) {
    std::size_t found = 0;
    for (auto at = document.find(start); at != std::string::npos;
         at = document.find(start, at + 1)) {
      ++found;
    }
    return std::to_string(found);
  };
  EXPECT_NE(document.find("tests=\"" + count("<testcase ") + "\" failures=\"" + count("<failure ") +
                          "\" errors=\"" + count("<error ") + "\" skipped=\"" + count("<skipped ") +
                          "\""),
            std::string::npos);
}

/// Reports about arbitrary bytes, and texts made of them.
class ArbitraryReport {
 public:
  explicit ArbitraryReport(unsigned seed) : random_(seed) {
    for (int i = 0; i < 2; ++i) {
      // One call a statement: the order of evaluation within one differs between compilers.
      std::string path = text();
      std::string bytes = text();
      bytes += text();
      bytes += text();
      files_.push_back(std::make_unique<SourceFile>(std::move(path), std::move(bytes)));
    }
    findings::Collector collector;
    for (int i = 0; i < 3; ++i) collector.report(finding());
    report_.findings = collector.take();
    report_.notifications = {
        {findings::NotificationKind::kLimit, findings::Level::kNote, text(), text(), span()}};
    report_.root = text();
    report_.summary.unevaluated = {{"RL1", text(), 1}};
  }

  const Report& report() const { return report_; }

 private:
  std::size_t below(std::size_t end) { return random_() % end; }

  std::string text() {
    static constexpr const char* kParts[] = {
        "a",      " ",        "\n",     "\r\n",    "\t",        "\x1B[",
        "\x9B",   "\xE2\x82", "\u6A21", "e\u0301", "::error::", "##[error]",
        "](1)",   "<!--",     "]]>",    "{0}",     "%",         "\xEF\xBB\xBF",
        "\u202E", "&",        "\"",     "\\"};
    std::string out;
    for (std::size_t count = below(40); count > 0; --count) {
      const std::size_t part = below(std::size(kParts) + 1);
      if (part == std::size(kParts)) {
        out.push_back(static_cast<char>(below(256)));
      } else {
        out += kParts[part];
      }
    }
    return out;
  }

  text::Span span() {
    if (below(5) == 0) return {};
    const SourceFile& file = *files_[below(files_.size())];
    const auto size = static_cast<std::uint32_t>(file.bytes().size());
    const auto begin = static_cast<std::uint32_t>(below(size + 1));
    return file.span(begin, begin + static_cast<std::uint32_t>(below(size - begin + 1)));
  }

  findings::Finding finding() {
    findings::Finding finding;
    finding.rule = "RL1";
    finding.message = text();
    finding.primary = span();
    for (std::size_t i = below(4); i > 0; --i) finding.related.push_back({span(), text()});
    for (std::size_t i = below(3); i > 0; --i) finding.flow.push_back({span(), text()});
    finding.fixes.push_back({span(), text(), text()});
    finding.cells = {text(), text()};
    finding.remedies = {text()};
    finding.facts = {text()};
    return finding;
  }

  std::mt19937 random_;
  std::vector<std::unique_ptr<SourceFile>> files_;
  Report report_;
};

void expect_valid_text(const std::string& document) {
  EXPECT_EQ(text::to_valid_utf8(document), document);
  for (const char c : document) {
    ASSERT_TRUE(c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F)) << document;
  }
  std::istringstream in(document);
  const std::regex command("^( |\u00A0|\u3000)*::[^:]");
  for (std::string line; std::getline(in, line);) {
    EXPECT_EQ(line.find("##[error]"), std::string::npos) << line;
    if (line.starts_with("::")) continue;  // a command of our own, which other tests look at
    EXPECT_FALSE(std::regex_search(line, command)) << line;
  }
}

TEST(AllFormats, AreValidForArbitraryInput) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const ArbitraryReport arbitrary(seed);
    for (const char* format : {"text", "unix", "github", "junit"}) {
      expect_valid_text(written(format, arbitrary.report()));
    }
    for (const char* format : {"json", "sarif", "gitlab"}) {
      EXPECT_TRUE(json::accept(written(format, arbitrary.report()))) << format << " " << seed;
    }
    EXPECT_EQ(testing::xml_error(written("junit", arbitrary.report())), "") << seed;
  }
}

}  // namespace
}  // namespace recipelint::report
