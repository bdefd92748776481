// A rule is four things: an entry in the table, a page, fixtures, and (unless a stage of the
// analysis reports it) a source file. These tests fail when one of them is missing or says
// something else.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "rules/rule.h"
#include "tests/support/paths.h"

namespace recipelint::rules {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

fs::path root() {
  return recipelint::testing::source_dir();
}

// "mutable-image-tag" -> "mutable_image_tag".
std::string file_stem(std::string_view rule_name) {
  std::string stem(rule_name);
  for (char& c : stem) c = c == '-' ? '_' : c;
  return stem;
}

// Stems of the files with an extension in the folders of the groups.
std::set<std::string> stems(const std::string& extension) {
  std::set<std::string> found;
  for (const auto& group : fs::directory_iterator(root() / "rules")) {
    if (!group.is_directory()) continue;
    for (const auto& file : fs::directory_iterator(group.path())) {
      if (file.path().extension() == extension) found.insert(file.path().stem().string());
    }
  }
  return found;
}

TEST(Catalog, IdsAscendAndIdsAndNamesAreWellFormed) {
  std::string_view previous;
  for (const Rule& rule : catalog()) {
    EXPECT_LT(previous, rule.id);
    previous = rule.id;
    EXPECT_THAT(std::string(rule.id), ::testing::MatchesRegex("RL[0-9][0-9][0-9][0-9]"));
    EXPECT_THAT(std::string(rule.name), ::testing::MatchesRegex("[a-z0-9]+(-[a-z0-9]+)*"));
    EXPECT_EQ(find_rule(rule.id), &rule);
    EXPECT_EQ(find_rule(rule.name), &rule);
    EXPECT_LE(rule.summary.size(), 200u) << rule.id;
    EXPECT_TRUE(rule.summary.ends_with('.')) << rule.id;
  }
  EXPECT_EQ(find_rule("no-such-rule"), nullptr);
}

TEST(Catalog, EveryRuleHasItsPageWithAllSections) {
  for (const Rule& rule : catalog()) {
    const std::string page(rule.page);
    EXPECT_THAT(page,
                StartsWith("# " + std::string(rule.id) + " " + std::string(rule.name) + "\n"));
    for (const char* section : {"## What it finds", "## Why it matters", "## Bad", "## Good",
                                "## Options", "## When it stays silent", "## Sources"}) {
      EXPECT_THAT(page, HasSubstr(section)) << rule.id;
    }
  }
}

TEST(Catalog, PagesAndSourcesOnDiskAreExactlyThoseOfTheTable) {
  std::set<std::string> all;
  std::set<std::string> with_source;
  for (const Rule& rule : catalog()) {
    all.insert(file_stem(rule.name));
    if (rule.run != nullptr) with_source.insert(file_stem(rule.name));
  }
  EXPECT_EQ(stems(".md"), all);
  EXPECT_EQ(stems(".cpp"), with_source);
}

TEST(Catalog, EveryRuleHasABadAndAGoodFixture) {
  std::vector<std::string> missing;
  for (const Rule& rule : catalog()) {
    const fs::path folder = root() / "fixtures" / "rules" / std::string(rule.id);
    for (const char* kind : {"bad", "good"}) {
      if (!fs::is_directory(folder / kind)) missing.push_back((folder / kind).string());
    }
  }
  EXPECT_THAT(missing, IsEmpty());
}

TEST(Catalog, EveryFixtureFolderBelongsToARule) {
  for (const auto& folder : fs::directory_iterator(root() / "fixtures" / "rules")) {
    EXPECT_NE(find_rule(folder.path().filename().string()), nullptr) << folder.path();
  }
}

}  // namespace
}  // namespace recipelint::rules
