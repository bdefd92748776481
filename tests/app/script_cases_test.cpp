#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "analyzer/layout/bare_script.h"
#include "tests/support/command.h"
#include "tests/support/paths.h"

namespace recipelint {
namespace {

using nlohmann::json;

std::string folder() {
  return testing::source_dir() + "/fixtures/scripts";
}

/// Scripts after public bug reports, each with what bash makes of it: {"script", "argv", "files"}.
std::vector<json> cases() {
  std::ifstream in(folder() + "/argv.jsonl");
  std::vector<json> result;
  for (std::string line; std::getline(in, line);) result.push_back(json::parse(line));
  return result;
}

void add_run(const std::string& header, std::vector<std::string>& arguments) {
  std::istringstream words(header);
  bool in_environment = false;
  for (std::string word; words >> word;) {
    in_environment = in_environment || word == "env:";
    const std::string name = word.substr(0, word.find('='));
    if (name == word) continue;
    const auto& fields = layout::kGivenFields;
    if (in_environment) {
      arguments.insert(arguments.end(), {"--set", word});
    } else if (std::find(fields.begin(), fields.end(), name) != fields.end()) {
      arguments.insert(arguments.end(), {"--cell", word});
    }
  }
}

/// The second line of a script gives its image and GPU, the third one its cell and environment.
std::vector<std::string> arguments_for(const std::string& script) {
  std::vector<std::string> arguments = {"argv", script, "--root", folder(), "--format", "json"};
  std::ifstream in(script);
  std::string line;
  std::getline(in, line);
  std::getline(in, line);
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    if (word.starts_with("image=") || word.starts_with("gpu=")) arguments.push_back("--" + word);
  }
  std::getline(in, line);
  add_run(line, arguments);
  return arguments;
}

std::vector<std::string> words_of(const json& launch) {
  std::vector<std::string> words;
  for (const json& word : launch["argv"]) {
    EXPECT_TRUE(word["known"]) << word;
    words.push_back(word["text"]);
  }
  return words;
}

class ScriptCase : public ::testing::TestWithParam<json> {};

TEST_P(ScriptCase, LaunchesWhatBashLaunches) {
  const json& expected = GetParam();
  const std::string script = folder() + "/" + expected["script"].get<std::string>();
  const testing::CommandResult run = testing::run_command(arguments_for(script));
  ASSERT_EQ(run.code, 0) << run.err;
  const json cell = json::parse(run.out);
  EXPECT_EQ(cell["status"], "complete") << cell["reasons"];
  ASSERT_EQ(cell["launches"].size(), expected["argv"].size());
  for (std::size_t i = 0; i < expected["argv"].size(); ++i) {
    const json& launch = cell["launches"][i];
    const auto wanted = expected["argv"][i].get<std::vector<std::string>>();
    std::vector<std::string> words = words_of(launch);
    // Wrappers such as mpirun are gone when the engine starts.
    ASSERT_GE(words.size(), wanted.size());
    words.erase(words.begin(), words.end() - static_cast<std::ptrdiff_t>(wanted.size()));
    EXPECT_EQ(words, wanted);
    EXPECT_TRUE(launch["certain"]);
    for (const auto& [path, content] : expected["files"].items()) {
      EXPECT_EQ(launch["config_files"].value(path, ""), content.get<std::string>());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, ScriptCase, ::testing::ValuesIn(cases()), [](const auto& param) {
  return "Script" + param.param["script"].template get<std::string>().substr(0, 3);
});

}  // namespace
}  // namespace recipelint
