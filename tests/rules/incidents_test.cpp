// tests/incidents/<family>.yaml says for real findings of reviewers, by their number, which fixture
// has the shape of it and which rule speaks up, or has to stay silent. One entry:
//
//   - incident: F044
//     source: https://github.com/...   # where it was found
//     rule: RL4001
//     fixture: bad-hard-coded          # a folder of fixtures/rules/RL4001
//     line: 12                         # of a finding of the rule there
//     file: configs/x-master.yaml      # only if findings of several files share that line
//     repaired: good-hard-coded        # the same after the repair: the rule is silent
//   - incident: F070
//     source: https://github.com/...
//     rule: RL4001
//     fixture: trap-both-conventions
//     silent: why nothing is wrong
//   - incident: F001
//     source: https://github.com/...
//     uncovered: why no rule says this

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/support/paths.h"

namespace recipelint {
namespace {

namespace fs = std::filesystem;

fs::path root() {
  return testing::source_dir();
}

struct Incident {
  std::string family;
  std::map<std::string, std::string> fields;

  bool has(const std::string& field) const { return fields.contains(field); }
  std::string text(const std::string& field) const {
    const auto found = fields.find(field);
    return found == fields.end() ? std::string() : found->second;
  }
  std::string name() const { return family + " " + text("incident"); }
};

std::vector<Incident> read_incidents() {
  std::vector<fs::path> files;
  for (const auto& file : fs::directory_iterator(root() / "tests" / "incidents")) {
    if (file.path().extension() == ".yaml") files.push_back(file.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Incident> incidents;
  for (const fs::path& file : files) {
    for (const YAML::Node& entry : YAML::LoadFile(file.string())) {
      Incident incident{file.stem().string(), {}};
      for (const auto& field : entry) {
        incident.fields[field.first.as<std::string>()] = field.second.as<std::string>();
      }
      incidents.push_back(std::move(incident));
    }
  }
  return incidents;
}

// What a rule says about one of its fixtures: the complete output, without the lines of others.
// That the folder gives exactly this is what fixtures_test.cpp checks.
std::vector<std::string> findings_of(const std::string& rule, const std::string& fixture) {
  std::vector<std::string> findings;
  std::ifstream in(root() / "fixtures" / "rules" / rule / (fixture + ".expected"));
  EXPECT_TRUE(in) << "no expected output of " << rule << "/" << fixture;
  for (std::string line; std::getline(in, line);) {
    if (line.find("[" + rule + "]") != std::string::npos) findings.push_back(line);
  }
  return findings;
}

bool speaks_of(const std::string& finding, const std::string& file, const std::string& line) {
  if (!file.empty() && !finding.starts_with(file + ":")) return false;
  const std::size_t colon = finding.find(':');
  return finding.compare(colon + 1, line.size() + 1, line + ":") == 0;
}

void expect_kind(const Incident& incident) {
  const std::set<std::string> known = {"incident", "source", "rule",     "fixture",  "line",
                                       "file",     "silent", "repaired", "uncovered"};
  for (const auto& [field, value] : incident.fields) {
    EXPECT_TRUE(known.contains(field)) << incident.name() << ": " << field;
    EXPECT_FALSE(value.empty()) << incident.name() << ": " << field;
  }
  EXPECT_TRUE(incident.has("incident")) << incident.family;
  EXPECT_TRUE(incident.has("source")) << incident.name();
  const int kinds = static_cast<int>(incident.has("line")) +
                    static_cast<int>(incident.has("silent")) +
                    static_cast<int>(incident.has("uncovered"));
  EXPECT_EQ(kinds, 1) << incident.name() << ": one of 'line', 'silent' and 'uncovered'";
  EXPECT_EQ(incident.has("fixture"), !incident.has("uncovered")) << incident.name();
  EXPECT_EQ(incident.has("rule"), !incident.has("uncovered")) << incident.name();
  EXPECT_EQ(incident.has("repaired"), incident.has("line")) << incident.name();
}

TEST(Incidents, EachHasAllThatItsKindNeedsAndStandsOnce) {
  const std::vector<Incident> incidents = read_incidents();
  ASSERT_FALSE(incidents.empty());
  std::set<std::string> numbers;
  for (const Incident& incident : incidents) {
    expect_kind(incident);
    EXPECT_TRUE(numbers.insert(incident.text("incident")).second) << incident.name();
  }
}

TEST(Incidents, FixturesHaveTheShapesAndTheRulesSpeakUpAtTheRightLine) {
  for (const Incident& incident : read_incidents()) {
    if (incident.has("uncovered")) continue;
    SCOPED_TRACE(incident.name());
    const std::string rule = incident.text("rule");
    const std::string fixture = incident.text("fixture");
    EXPECT_TRUE(fs::is_directory(root() / "fixtures" / "rules" / rule / fixture)) << fixture;
    const std::vector<std::string> findings = findings_of(rule, fixture);
    if (incident.has("silent")) {
      EXPECT_EQ(findings, std::vector<std::string>());
      continue;
    }
    EXPECT_TRUE(std::any_of(findings.begin(), findings.end(),
                            [&](const std::string& finding) {
                              return speaks_of(finding, incident.text("file"),
                                               incident.text("line"));
                            }))
        << "no finding at line " << incident.text("line");
    const std::string repaired = incident.text("repaired");
    EXPECT_TRUE(fs::is_directory(root() / "fixtures" / "rules" / rule / repaired)) << repaired;
    EXPECT_EQ(findings_of(rule, repaired), std::vector<std::string>());
  }
}

}  // namespace
}  // namespace recipelint
