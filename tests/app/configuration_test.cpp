#include "analyzer/app/configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/command.h"
#include "tests/support/golden.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"

namespace recipelint {
namespace {

using ::testing::AllOf;
using testing::CommandResult;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::run_command;
using testing::TemporaryFolder;

constexpr std::string_view kMaster =
    "example-fp8-h200-vllm:\n"
    "  image: vllm/vllm-openai:nightly\n"
    "  model: example-org/Example\n"
    "  model-prefix: example\n"
    "  precision: fp8\n"
    "  framework: vllm\n"
    "  runner: h200\n"
    "  multinode: false\n"
    "  scenarios:\n"
    "    fixed-seq-len:\n"
    "    - isl: 8192\n"
    "      osl: 1024\n"
    "      search-space:\n"
    "      - { tp: 8, conc-start: 4, conc-end: 64 }\n";

struct Repository {
  explicit Repository(std::string_view configuration) {
    folder.write("configs/runners.yaml", "labels:\n  h200:\n  - h200-example_00\n");
    folder.write("configs/x-master.yaml", kMaster);
    folder.write(".recipelint.yaml", configuration);
  }
  CommandResult check(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {
        "check", folder.path().string(), "--format", "unix", "--select", "images"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_command(arguments);
  }

  TemporaryFolder folder;
};

TEST(Configuration, SetsTheLevelOfARule) {
  EXPECT_THAT(Repository("").check().out, HasSubstr("warning[RL3001]"));
  EXPECT_THAT(Repository("rules: {RL3001: {level: error}}\n").check().out,
              HasSubstr("error[RL3001]"));
  const CommandResult off = Repository("rules: {mutable-image-tag: {level: off}}\n").check();
  EXPECT_EQ(off.code, 0);
  EXPECT_THAT(off.out, IsEmpty());
}

TEST(Configuration, DoesNotRaiseWhatARuleReportsBelowItsLevel) {
  app::Configuration configuration;
  configuration.levels["RL3001"] = findings::Level::kError;
  findings::Finding finding;
  finding.rule = "RL3001";
  finding.level = findings::Level::kNote;
  EXPECT_EQ(configuration.level_of(finding), findings::Level::kNote);
  finding.level = findings::Level::kWarning;
  EXPECT_EQ(configuration.level_of(finding), findings::Level::kError);
  configuration.levels["RL3001"] = findings::Level::kNote;
  EXPECT_EQ(configuration.level_of(finding), findings::Level::kNote);
}

TEST(Configuration, TheLevelOfARuleIsThatOfItsDescription) {
  const Repository repository("rules: {RL3001: {level: error}}\n");
  const auto sarif = nlohmann::json::parse(
      run_command({"check", repository.folder.path().string(), "--format", "sarif"}).out);
  const auto& rules = sarif["runs"][0]["tool"]["driver"]["rules"];
  const auto rule = std::find_if(rules.begin(), rules.end(),
                                 [](const auto& each) { return each["id"] == "RL3001"; });
  ASSERT_NE(rule, rules.end());
  EXPECT_EQ((*rule)["defaultConfiguration"]["level"], "error");
}

TEST(Configuration, CanDemandDigests) {
  const Repository repository("rules: {RL3001: {immutable: digest}}\n");
  repository.folder.write("configs/x-master.yaml",
                          std::string(kMaster).replace(kMaster.find("nightly"), 7, "v0.27.1"));
  EXPECT_THAT(repository.check().out, HasSubstr("RL3001"));
  EXPECT_THAT(repository.check({"--no-config"}).out, IsEmpty());
}

TEST(Configuration, FailOnGivesWayToTheCommandLine) {
  const Repository repository("fail-on: error\n");
  EXPECT_EQ(repository.check().code, 0);
  EXPECT_EQ(repository.check({"--fail-on", "warning"}).code, 1);
  EXPECT_EQ(repository.check({"--no-config"}).code, 1);
  EXPECT_EQ(Repository("fail-on: never\n").check().code, 0);
}

TEST(Configuration, ExcludesFilesAndFolders) {
  for (const char* glob : {"configs", "configs/x-master.yaml", "conf*/*-master.yaml"}) {
    EXPECT_THAT(Repository("exclude: ['" + std::string(glob) + "']\n").check().out, IsEmpty());
  }
  EXPECT_THAT(Repository("exclude: [config, configs/x]\n").check().out, HasSubstr("RL3001"));
}

TEST(Configuration, OwnFactsWin) {
  const Repository repository("facts: own/facts.yaml\n");
  repository.folder.write("own/facts.yaml", "nonsense: 1\n");
  const CommandResult wrong = repository.check();
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("own/facts.yaml:1:1: the key 'nonsense' is not known here"));
  const CommandResult missing = Repository("facts: gone.yaml\n").check();
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.err, HasSubstr("'gone.yaml'"));
}

TEST(Configuration, AnotherFileCanBeNamed) {
  const Repository repository("nonsense: 1\n");
  const std::string other = repository.folder.write("other.yaml", "fail-on: never\n");
  EXPECT_EQ(repository.check({"--config", other}).code, 0);
  EXPECT_EQ(repository.check().code, 2);
  EXPECT_EQ(repository.check({"--config", other, "--no-config"}).code, 2);
  EXPECT_THAT(repository.check({"--config", repository.folder / "gone.yaml"}).err,
              HasSubstr("gone.yaml"));
}

TEST(Configuration, SaysWhatIsWrongAndWhere) {
  struct Case {
    std::string_view text;
    std::string_view message;
  };
  const Case cases[] = {
      {"fail_on: error\n", ".recipelint.yaml:1:1: unknown key 'fail_on'; did you mean 'fail-on'?"},
      {"x: 1\n", "1:1: unknown key 'x'; known: 'profile', 'rules'"},
      {"\nrules:\n  mutable-imgae-tag: {level: note}\n",
       "3:3: no rule is called 'mutable-imgae-tag'; did you mean 'mutable-image-tag'?"},
      {"rules: {RL3001: {levle: note}}\n", "1:18: unknown key 'levle'; did you mean 'level'?"},
      {"rules: {RL3001: {level: fatal}}\n", "1:25: 'level' is 'error', 'warning'"},
      {"rules: {RL3001: {immutable: tag}}\n", "'immutable' is one of 'version', 'digest'"},
      {"rules: {RL3002: {immutable: digest}}\n", "unknown key 'immutable'"},
      {"rules: {RL3001: off}\n", "write 'RL3001: {level: note}'"},
      {"rules: [RL3001]\n", "1:8: 'rules' maps names to settings"},
      {"facts: ../facts.yaml\n", "1:8: the path '../facts.yaml' leads out of the root"},
      {"baseline: /etc/passwd\n", "1:11: the path '/etc/passwd' leads out of the root"},
      {"exclude: configs\n", "1:10: 'exclude' is a list of paths"},
      {"exclude: [a, ../b]\n", "1:14: the path '../b' leads out of the root"},
      {"fail-on: info\n", "'fail-on' is 'error', 'warning', 'note' or 'never'"},
      {"profile: other\n", "1:10: the profile must be 'inferencex'"},
      {"fail-on: note\nfail-on: error\n", "2:1: the key 'fail-on' is there twice"},
      {"- a\n", "1:1: a mapping is needed here"},
      {"rules: {\n", ".recipelint.yaml:"},
  };
  for (const Case& wrong : cases) {
    const CommandResult result = Repository(wrong.text).check();
    EXPECT_EQ(result.code, 2) << wrong.text;
    EXPECT_THAT(result.err, HasSubstr(wrong.message));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
}

TEST(Configuration, TextsOfPullRequestsAreTextsAndLists) {
  const Repository lists("rules: {RL9006: {headings: Summary}}\n");
  EXPECT_THAT(lists.check().err, HasSubstr("1:28: 'headings' is a list of texts"));
  const Repository text("rules: {RL9006: {title: [a]}}\n");
  EXPECT_THAT(text.check().err, HasSubstr("1:25: 'title' is a text"));
}

TEST(Configuration, ALinkOutOfTheRootIsRefused) {
  const TemporaryFolder outside;
  outside.write("secret.yaml", "secret-key: 1\n");
  const Repository repository("");
  std::filesystem::remove(repository.folder / ".recipelint.yaml");
  std::filesystem::create_symlink(outside / "secret.yaml", repository.folder / ".recipelint.yaml");
  const CommandResult result = repository.check();
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("leads out of the root"), Not(HasSubstr("secret"))));
}

// The schema is written out by hand nowhere: it is what the reader knows.
nlohmann::ordered_json expected_schema() {
  using Json = nlohmann::ordered_json;
  const Json path = {{"type", "string"}, {"minLength", 1}};
  Json rules = Json::object();
  for (const rules::Rule& rule : rules::catalog()) {
    Json properties = {{"level", {{"enum", {"error", "warning", "note", "off", false}}}}};
    for (const app::RuleOption& option : app::rule_options()) {
      if (option.rule != rule.id) continue;
      Json value = {{"enum", option.values}};
      if (option.values.empty()) value = path;
      if (option.is_list) value = {{"type", "array"}, {"items", path}};
      properties[std::string(option.key)] = value;
    }
    const Json setting = {{"type", "object"},
                          {"description", rule.summary},
                          {"properties", properties},
                          {"additionalProperties", false}};
    rules[std::string(rule.id)] = setting;
    rules[std::string(rule.name)] = setting;
  }
  const Json keys = {
      {"profile", {{"enum", Json::array({"inferencex"})}}},
      {"rules", {{"type", "object"}, {"properties", rules}, {"additionalProperties", false}}},
      {"exclude", {{"type", "array"}, {"items", path}}},
      {"facts", path},
      {"baseline", path},
      {"fail-on", {{"enum", {"error", "warning", "note", "never"}}}}};
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
          {"title", "recipelint configuration (.recipelint.yaml)"},
          {"type", "object"},
          {"properties", keys},
          {"additionalProperties", false}};
}

TEST(Configuration, TheSchemaKeepsStepWithTheReader) {
  const auto schema = expected_schema();
  std::vector<std::string> keys;
  for (const auto& [key, value] : schema["properties"].items()) keys.push_back(key);
  EXPECT_THAT(keys, ::testing::ElementsAreArray(app::configuration_keys()));
  testing::expect_golden(testing::source_dir() + "/docs/recipelint.schema.json",
                         schema.dump(2) + "\n");
}

}  // namespace
}  // namespace recipelint
