// docs/rules/ is made from the pages of the rules and the table of all rules: each page with the
// first finding that the rule's `bad` fixture gives, and an index. RECIPELINT_UPDATE_GOLDEN=1
// writes them.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rules/rule.h"
#include "rules/selection.h"
#include "tests/support/command.h"
#include "tests/support/golden.h"
#include "tests/support/paths.h"

namespace recipelint::rules {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kGoodHeading = "## Good\n";

fs::path docs() {
  return fs::path(recipelint::testing::source_dir()) / "docs" / "rules";
}

std::string file_name(const Rule& rule) {
  return std::string(rule.id) + ".md";
}

/// The first finding of the rule's own fixture, as a user sees it.
std::string first_finding(const Rule& rule) {
  const std::string fixture =
      fmt::format("{}/fixtures/rules/{}/bad", recipelint::testing::source_dir(), rule.id);
  std::vector<std::string> arguments = {"check", "--root", fixture, "-q", fixture};
  std::ifstream more(fixture + ".args");
  for (std::string line; std::getline(more, line);) {
    constexpr std::string_view kFolder = "{folder}";
    if (line.starts_with(kFolder)) line.replace(0, kFolder.size(), fixture);
    arguments.push_back(line);
  }
  const std::string all = recipelint::testing::run_command(arguments).out;
  for (std::string_view out = all; !out.empty();) {
    const std::string_view finding = out.substr(0, out.find("\n\n"));
    if (finding.substr(0, finding.find('\n')).find(rule.id) != std::string_view::npos) {
      return std::string(finding) + (finding.ends_with('\n') ? "" : "\n");
    }
    out.remove_prefix(std::min(finding.size() + 2, out.size()));
  }
  ADD_FAILURE() << rule.id << " does not speak up in its bad fixture\n" << all;
  return "";
}

std::string page_of(const Rule& rule) {
  std::string page(rule.page);
  const auto good = page.find(kGoodHeading);
  EXPECT_NE(good, std::string::npos) << rule.id;
  page.insert(good, fmt::format("## What it prints\n\n```text\n{}```\n\n", first_finding(rule)));
  return page;
}

std::string index() {
  std::string text =
      "# Rules\n\n`recipelint explain RULE` prints these pages, `recipelint rules` the list. "
      "Groups and "
      "ids are what `--select` and\n`--ignore` take.\n";
  std::string_view group;
  for (const Rule& rule : catalog()) {
    if (group_of(rule) != group) {
      group = group_of(rule);
      text += fmt::format(
          "\n## {} ({}xxx)\n\n| rule | name | level | what it finds |\n|---|---|---|---|\n", group,
          rule.id.substr(2, 1));
    }
    text += fmt::format("| [{}]({}) | {} | {} | {} |\n", rule.id, file_name(rule), rule.name,
                        findings::to_string(rule.level), rule.summary);
  }
  return text;
}

TEST(RulePages, AreInStepWithTheRules) {
  std::set<std::string> expected = {"README.md"};
  recipelint::testing::expect_golden((docs() / "README.md").string(), index());
  for (const Rule& rule : catalog()) {
    recipelint::testing::expect_golden((docs() / file_name(rule)).string(), page_of(rule));
    expected.insert(file_name(rule));
  }
  std::set<std::string> found;
  for (const auto& file : fs::directory_iterator(docs())) found.insert(file.path().filename());
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace recipelint::rules
