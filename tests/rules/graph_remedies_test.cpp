// A remedy is a promise: whoever follows it must not see the finding again. What the cells load is
// mended first; a note on what the configuration could admit beyond that may stay.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/command.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"

namespace recipelint {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::vector<json> findings(const std::string& root, const std::string& level = "") {
  const auto result = testing::run_command({"check", root, "--root", root, "--select", "RL2001",
                                            "--format", "json", "--fail-on", "never"});
  const json report = json::parse(result.out);
  std::vector<json> found;
  for (const json& finding : report["findings"]) {
    // That ranks wait for each other is another defect.
    const bool about_graphs =
        finding["message"].get<std::string>().find("CUDA graph") != std::string::npos;
    const bool as_severe = level.empty() || level == "note" || finding["level"] != "note";
    if (about_graphs && as_severe) found.push_back(finding);
  }
  return found;
}

/// "Use '--x 1 2'." -> "--x 1 2"; empty for a remedy that is no option.
std::string option_of(const std::string& remedy) {
  const std::string begin = "Use '--";
  if (!remedy.starts_with(begin)) return {};
  return remedy.substr(5, remedy.rfind('\'') - 5);
}

/// "Write 'a: 1' in the configuration of the engine." -> "a: 1"; empty for another remedy.
std::string line_of(const std::string& remedy) {
  const std::string begin = "Write '";
  if (!remedy.starts_with(begin)) return {};
  return remedy.substr(begin.size(), remedy.rfind('\'') - begin.size());
}

std::string content_of(const fs::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The here-document of these scripts, and the settings of these recipes, hold one mapping with the
/// graphs in it: the line takes their place.
void replace_graphs(const fs::path& file, const std::string& line) {
  std::stringstream text(content_of(file));
  std::string content;
  std::size_t indent = std::string::npos;  // of the old settings
  for (std::string each; std::getline(text, each);) {
    const std::size_t column = each.find_first_not_of(' ');
    if (indent != std::string::npos && column > indent) continue;
    indent = std::string::npos;
    if (each.find("cuda_graph_config:") == column && !each.ends_with("null")) {
      indent = column;
      each = std::string(column, ' ') + line;
    }
    content += each + "\n";
  }
  std::ofstream(file) << content;
}

/// The launch is the last command of these scripts, so options can be added at the end.
void add_option(const fs::path& script, const std::string& option) {
  std::string content = content_of(script);
  while (content.ends_with('\n')) content.pop_back();
  std::ofstream(script) << content << " " << option << "\n";
}

class GraphRemedies : public ::testing::TestWithParam<std::string> {};

TEST_P(GraphRemedies, MakeTheFindingDisappear) {
  const fs::path fixture =
      fs::path(testing::source_dir()) / "fixtures" / "rules" / "RL2001" / GetParam();
  const auto before = findings(fixture.string());
  ASSERT_EQ(before.size(), 1u);
  const json& finding = before.front();
  std::size_t applied = 0;
  for (const std::string remedy : finding["remedies"]) {
    const std::string option = option_of(remedy);
    const std::string line = line_of(remedy);
    if (option.empty() && line.empty()) continue;
    const testing::TemporaryFolder copy;
    fs::copy(fixture, copy.path(), fs::copy_options::recursive);
    const fs::path file = copy.path() / finding["file"].get<std::string>();
    if (line.empty()) {
      add_option(file, option);
    } else {
      replace_graphs(file, line);
    }
    EXPECT_THAT(findings(copy.path().string(), finding["level"]), ::testing::IsEmpty()) << remedy;
    ++applied;
  }
  EXPECT_GT(applied, 0u);
}

INSTANTIATE_TEST_SUITE_P(Fixtures, GraphRemedies,
                         ::testing::Values("bad", "bad_atom", "bad_capacity_only",
                                           "bad_recipe_trtllm", "bad_sglang", "bad_trtllm",
                                           "bad_maximum_off_the_ladder", "bad_every_batch_eager"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace recipelint
