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
      {"profile: other\n", "1:10: the profile is 'inferencex' or a mapping of its own"},
      {"profile:\n  launcher: []\n", "2:3: unknown key 'launcher'; did you mean 'launchers'?"},
      {"profile:\n  launchers:\n  - launcher: a\n    steps:\n    - script: [x.sh]\n",
       "5:7: unknown key 'script'; did you mean 'scripts'?"},
      {"profile:\n  workflow:\n    node: []\n", "3:5: unknown key 'node'; known: 'single-node'"},
      {"profile:\n  launchers:\n  - launcher: a\n    steps: [{scripts: ['${A']}]\n",
       "4:24: '${' without '}'"},
      {"profile:\n  folders: {launchers: ../ci}\n",
       "2:24: the path '../ci' leads out of the repository"},
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

// Each line doubles a text: 40 of them would make a terabyte of it.
TEST(Configuration, AProfileCannotMakeEndlessTexts) {
  std::string profile = "profile:\n  workflow:\n    single-node:\n    - set: {TEXT: xxxxxxxx}\n";
  for (int i = 0; i < 40; ++i) profile += "    - set: {TEXT: '${TEXT}${TEXT}'}\n";
  profile += "  launchers:\n  - launcher: '*'\n    steps: [{scripts: ['run.sh']}]\n";
  const Repository repository(profile);
  repository.folder.write("run.sh", "vllm serve m --seed \"$TEXT\"\n");
  const CommandResult result = run_command({"argv", repository.folder.path().string()});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("${text that grows beyond a bound}"));
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

// What the values of a profile's keys look like. That each part has just these keys is what the
// reader knows.
nlohmann::ordered_json profile_definitions() {
  using Json = nlohmann::ordered_json;
  const auto list_of = [](const Json& item) { return Json{{"type", "array"}, {"items", item}}; };
  const auto part = [](const char* name) { return Json{{"$ref", std::string("#/$defs/") + name}}; };
  const Json text = {{"type", Json::array({"string", "number", "boolean"})}};
  const Json texts = {{"oneOf", Json::array({text, list_of(text)})}};
  const Json truth = {{"type", "boolean"}};
  const auto variables = [](const Json& value) {
    return Json{{"type", "object"},
                {"propertyNames", {{"pattern", "^[A-Za-z_][A-Za-z0-9_]*$"}}},
                {"additionalProperties", value}};
  };
  const auto one_of = [](const std::vector<std::string>& words) { return Json{{"enum", words}}; };
  const Json properties = {
      {"profile",
       {{"schema", one_of({"recipelint-layout/1"})},
        {"name", text},
        {"extends", one_of({"inferencex"})},
        {"folders", part("folders")},
        {"moved", list_of(part("moved"))},
        {"anchors", Json::object()},
        {"pull-request", part("pull-request")},
        {"retired", list_of(part("retired"))},
        {"workflow", part("workflow")},
        {"launchers", list_of(part("launchers"))}}},
      {"folders",
       {{"launchers", text},
        {"launcher-files", text},
        {"recipes", text},
        {"mounts", texts},
        {"recipe-mounts", texts}}},
      {"moved", {{"from", text}, {"to", text}, {"endings", texts}}},
      {"pull-request",
       {{"stated-in", text},
        {"marker", text},
        {"title", text},
        {"chinese-heading", text},
        {"signoff-phrase", text},
        {"signoff-lines", texts}}},
      {"retired",
       {{"name", text},
        {"scenario-type", texts},
        {"isl", texts},
        {"osl", texts},
        {"model-prefix", texts},
        {"precision", texts},
        {"since", text},
        {"stated-in", text},
        {"marker", text}}},
      {"workflow",
       {{"single-node", list_of(part("steps"))}, {"multi-node", list_of(part("steps"))}}},
      {"launchers", {{"launcher", texts}, {"steps", list_of(part("steps"))}}},
      {"steps",
       {{"when", variables(texts)},
        {"unless", variables(texts)},
        {"set", variables(text)},
        {"local", variables(text)},
        {"importer", one_of({"enroot", "docker", "rewrites"})},
        {"settings", truth},
        {"keep", texts},
        {"first", list_of(part("steps"))},
        {"reject", text},
        {"scripts", list_of(text)},
        {"recipe", part("recipe")}}},
      {"recipe",
       {{"setting", text},
        {"eval-setting", text},
        {"format", one_of({"srt-slurm", "llm-d"})},
        {"gpus-per-node", {{"type", "integer"}, {"minimum", 1}, {"maximum", 1024}}},
        {"containers", list_of(text)},
        {"synthetic-acceptance", truth},
        {"own-file-first", truth},
        {"folder", text},
        {"edits", list_of(part("edits"))},
        {"checkouts", list_of(part("checkouts"))}}},
      {"edits",
       {{"when", variables(texts)},
        {"unless", variables(texts)},
        {"after", text},
        {"add", {{"type", "object"}, {"additionalProperties", text}}},
        {"remove", text}}},
      {"checkouts",
       {{"when", variables(texts)},
        {"unless", variables(texts)},
        {"ref", text},
        {"copy", list_of({{"oneOf", Json::array({text, part("copy")})}})}}},
      {"copy", {{"from", text}, {"to", text}}}};
  Json definitions = Json::object();
  for (const layout::ProfilePart& each : layout::profile_parts()) {
    const std::string name(each.name);
    const Json known = properties.value(name, Json::object());
    std::vector<std::string> keys;
    for (const auto& [key, value] : known.items()) keys.push_back(key);
    EXPECT_THAT(keys, ::testing::ElementsAreArray(each.keys)) << name;
    definitions[name] = {
        {"type", "object"}, {"properties", known}, {"additionalProperties", false}};
  }
  definitions["launchers"]["required"] = {"launcher"};
  definitions["recipe"]["required"] = {"setting"};
  definitions["retired"]["required"] = {"name"};
  return definitions;
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
      {"profile",
       {{"oneOf",
         Json::array({{{"enum", Json::array({"inferencex"})}}, {{"$ref", "#/$defs/profile"}}})}}},
      {"rules", {{"type", "object"}, {"properties", rules}, {"additionalProperties", false}}},
      {"exclude", {{"type", "array"}, {"items", path}}},
      {"facts", path},
      {"baseline", path},
      {"fail-on", {{"enum", {"error", "warning", "note", "never"}}}}};
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
          {"title", "recipelint configuration (.recipelint.yaml)"},
          {"type", "object"},
          {"properties", keys},
          {"additionalProperties", false},
          {"$defs", profile_definitions()}};
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
