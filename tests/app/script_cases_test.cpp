#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
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

std::string header_line(const std::string& script, int number) {
  std::ifstream in(script);
  std::string line;
  for (int i = 0; i < number; ++i) std::getline(in, line);
  return line;
}

/// The second line of a script gives its image and GPU, the third one its cell and environment.
std::vector<std::string> arguments_for(const std::string& command, const std::string& script) {
  std::vector<std::string> arguments = {command, script, "--root", folder(), "--format"};
  arguments.emplace_back(command == "check" ? "unix" : "json");
  std::istringstream words(header_line(script, 2));
  for (std::string word; words >> word;) {
    const bool is_for_both = word.starts_with("image=") || word.starts_with("gpu=");
    const bool is_for_check = command == "check" && word.starts_with("as-of=");
    if (is_for_both || is_for_check) arguments.push_back("--" + word);
  }
  add_run(header_line(script, 3), arguments);
  return arguments;
}

/// What the second line of a script expects: "expect=RL2001 warning line=9", where "a-or-b" leaves
/// both open, and "unevaluated" means that nothing is reported; or "expect=silent RL2002 ...".
struct Verdict {
  std::string rule;
  std::vector<std::string> levels;  // empty: silent
  std::string line;
};

std::vector<std::string> alternatives(const std::string& text) {
  constexpr std::string_view kOr = "-or-";
  std::vector<std::string> result;
  std::size_t begin = 0;
  for (auto at = text.find(kOr); at != std::string::npos; at = text.find(kOr, begin)) {
    result.push_back(text.substr(begin, at - begin));
    begin = at + kOr.size();
  }
  result.push_back(text.substr(begin));
  return result;
}

Verdict verdict_of(const std::string& script) {
  const std::string header = header_line(script, 2);
  std::istringstream words(header.substr(header.find("expect=") + std::string("expect=").size()));
  Verdict verdict;
  std::string first;
  words >> first;
  if (first == "silent") {
    words >> verdict.rule;
    return verdict;
  }
  verdict.rule = first;
  std::string levels;
  words >> levels >> verdict.line;
  verdict.levels = alternatives(levels);
  verdict.line = verdict.line.substr(verdict.line.find('=') + 1);
  return verdict;
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
  const testing::CommandResult run = testing::run_command(arguments_for("argv", script));
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

/// "file:line:column: level[RULE]: message" of the rule.
std::vector<std::string> findings_of(const std::string& rule, const std::string& output) {
  std::vector<std::string> findings;
  std::istringstream in(output);
  for (std::string line; std::getline(in, line);) {
    if (line.find("[" + rule + "]: ") != std::string::npos) findings.push_back(line);
  }
  return findings;
}

TEST_P(ScriptCase, IsJudgedAsItsHeaderSays) {
  const std::string name = GetParam()["script"].get<std::string>();
  const std::string script = folder() + "/" + name;
  const Verdict verdict = verdict_of(script);
  const testing::CommandResult run = testing::run_command(arguments_for("check", script));
  ASSERT_LE(run.code, 1) << run.err;
  const std::vector<std::string> findings = findings_of(verdict.rule, run.out);
  if (verdict.levels.empty()) {
    EXPECT_THAT(findings, ::testing::IsEmpty());
    return;
  }
  const auto& levels = verdict.levels;
  const bool may_be_open = std::find(levels.begin(), levels.end(), "unevaluated") != levels.end();
  if (may_be_open && findings.empty()) return;
  std::vector<::testing::Matcher<std::string>> wanted;
  for (const std::string& level : levels) {
    wanted.push_back(::testing::AllOf(
        ::testing::StartsWith(name + ":" + verdict.line + ":"),
        ::testing::HasSubstr(": " + level + "[" + verdict.rule + "]: ")));
  }
  EXPECT_THAT(findings, ::testing::Contains(::testing::AnyOfArray(wanted))) << run.out;
}

INSTANTIATE_TEST_SUITE_P(Fixtures, ScriptCase, ::testing::ValuesIn(cases()), [](const auto& param) {
  return "Script" + param.param["script"].template get<std::string>().substr(0, 3);
});

}  // namespace
}  // namespace recipelint
