// runners.yaml, ci-priority.yaml and perf-changelog.yaml, and what shows only when files meet.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/space/space_files.h"

namespace recipelint::space {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct FileCase {
  std::string name;
  std::string text;
  std::vector<std::string> reports;
};

void PrintTo(const FileCase& value, std::ostream* out) {
  *out << value.name;
}
std::string case_name(const ::testing::TestParamInfo<FileCase>& info) {
  return info.param.name;
}

// ---------------------------------------------------------------- runners

const std::string kRunners =
    "labels:\n"
    "  lab:\n"
    "  - lab_0\n"
    "  - lab_1\n"
    "hardware:\n"
    "  lab:\n"
    "    available-cpu-dram-mib: 1_000\n"
    "    gpus-per-node: 8\n";

TEST(RunnersFile, GivesLabelsNodesAndHardware) {
  SpaceFiles files;
  files.add_runners(kRunners);
  EXPECT_THAT(files.reports(), IsEmpty());
  const Runners& runners = *files.space.runners;
  const RunnerLabel* label = runners.find_label("lab");
  ASSERT_NE(label, nullptr);
  ASSERT_EQ(label->nodes.size(), 2u);
  EXPECT_EQ(label->nodes[1].name, "lab_1");
  EXPECT_EQ(label->nodes[1].span.bytes(), "lab_1");
  const RunnerHardware* hardware = runners.find_hardware("lab");
  ASSERT_NE(hardware, nullptr);
  EXPECT_EQ(hardware->available_cpu_dram_mib.value, 1000);
  EXPECT_EQ(hardware->gpus_per_node.value, 8);
  EXPECT_EQ(runners.find_label("other"), nullptr);
  EXPECT_EQ(runners.find_hardware("other"), nullptr);
}

TEST(RunnersFile, OfTheOlderLayoutIsReadWithOneNote) {
  SpaceFiles files;
  files.add_runners("h1:\n- 'h1_0'\n- 'h1_1'\nh2:\n- 'h2_0'\n");
  EXPECT_THAT(files.reports(),
              ElementsAre("1: note[RL9001]: The file follows an older layout: labels at the top, "
                          "without 'labels' and 'hardware'. It is read as such."));
  EXPECT_EQ(files.space.runners->generation, Generation::kOlder);
  EXPECT_NE(files.space.runners->find_label("h2"), nullptr);
}

class RunnersProblem : public ::testing::TestWithParam<FileCase> {};

TEST_P(RunnersProblem, IsReported) {
  SpaceFiles files;
  files.add_runners(GetParam().text);
  EXPECT_EQ(files.reports(), GetParam().reports);
}

INSTANTIATE_TEST_SUITE_P(
    Table, RunnersProblem,
    ::testing::Values(
        FileCase{"Root",
                 "- a\n",
                 {"1: error[RL9001]: The runner configuration must be a mapping, not a list."}},
        FileCase{"NoLabels",
                 "hardware: {}\n",
                 {"1: error[RL9001]: 'labels' is required in the runner configuration."}},
        FileCase{"LabelsAreNoMapping",
                 "labels: [a]\n",
                 {"1: error[RL9001]: 'labels' must be a mapping, not a list."}},
        FileCase{"LabelIsNoList",
                 "labels:\n  a: b\n",
                 {"2: error[RL9001]: Runner label 'a' must be a list of runners, not the string "
                  "'b'."}},
        FileCase{"LabelIsEmpty",
                 "labels:\n  a: []\n",
                 {"2: error[RL9001]: Runner label 'a' has no runner."}},
        FileCase{"RunnerIsNoString",
                 "labels:\n  a: [b, 3]\n",
                 {"2: error[RL9001]: Runner label 'a' must hold only strings, not '3'."}},
        FileCase{"LabelIsNoString",
                 "labels:\n  7: [b]\n",
                 {"2: error[RL9001]: A runner label must be a string, not '7'."}},
        FileCase{"UnknownSection",
                 "labels:\n  a: [b]\nhardwar: {}\n",
                 {"3: error[RL9001]: 'hardwar' is not a field of the runner configuration. Did you "
                  "mean 'hardware'?"}},
        FileCase{
            "HardwareFields",
            "labels:\n  a: [b]\nhardware:\n  a: { gpus_per_node: 8, nodes: 3 }\n",
            {"4: error[RL9001]: 'available-cpu-dram-mib' is required in the hardware of 'a'.",
             "4: error[RL9001]: 'gpus_per_node' must be spelled 'gpus-per-node' in the hardware "
             "of 'a'. The validator accepts both, but the generator reads only 'gpus-per-node' "
             "and ignores this value.",
             "4: error[RL9001]: 'nodes' is not a field of the hardware of 'a'."}},
        FileCase{"HardwareNotPositive",
                 "labels:\n  a: [b]\nhardware:\n  a:\n    available-cpu-dram-mib: 0\n"
                 "    gpus-per-node: -8\n",
                 {"5: error[RL9001]: 'available-cpu-dram-mib' must be greater than 0, not 0.",
                  "6: error[RL9001]: 'gpus-per-node' must be greater than 0, not -8."}},
        FileCase{"RepeatedLabel",
                 "labels:\n  a: [b]\n  a: [c]\n",
                 {"3: error[RL9002]: The key 'a' is repeated. The last value replaces the ones "
                  "before it without a word."}}),
    case_name);

// ---------------------------------------------------------------- priorities

const std::string kPriority =
    "version: 1\n"
    "base-score: 1.0\n"
    "adjustments:\n"
    "  event: { push: 2.0 }\n"
    "  agentic: 1\n"
    "  framework-prefix: { vllm: 0.25 }\n"
    "labels:\n"
    "  skip-queue: { name: s }\n"
    "  patchwork: { names: [p], score: 0.0 }\n";

TEST(CiPriority, GivesExactScores) {
  SpaceFiles files;
  files.add_priority(kPriority);
  EXPECT_THAT(files.reports(), IsEmpty());
  const CiPriority& priority = *files.space.ci_priority;
  EXPECT_EQ(priority.base_score.value, (Decimal{1, 0}));
  EXPECT_EQ(priority.agentic.value, (Decimal{1, 0}));
  ASSERT_EQ(priority.framework_prefix.size(), 1u);
  EXPECT_EQ(priority.framework_prefix[0].name, "vllm");
  EXPECT_EQ(priority.framework_prefix[0].score.value, (Decimal{25, 2}));
}

class PriorityProblem : public ::testing::TestWithParam<FileCase> {};

TEST_P(PriorityProblem, IsReported) {
  SpaceFiles files;
  files.add_priority(GetParam().text);
  EXPECT_EQ(files.reports(), GetParam().reports);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

INSTANTIATE_TEST_SUITE_P(
    Table, PriorityProblem,
    ::testing::Values(
        FileCase{"Root",
                 "[]\n",
                 {"1: error[RL9001]: The priority policy must be a mapping, not a list."}},
        FileCase{"Version",
                 replaced(kPriority, "version: 1", "version: 2"),
                 {"1: error[RL9001]: 'version' must be 1, not '2'."}},
        FileCase{"NoBaseScore",
                 replaced(kPriority, "base-score: 1.0\n", ""),
                 {"1: error[RL9001]: 'base-score' is required in the priority policy."}},
        FileCase{"ScoreIsNoNumber",
                 replaced(kPriority, "push: 2.0", "push: high"),
                 {"4: error[RL9001]: An adjustment in 'event' must be a number, not the string "
                  "'high'."}},
        FileCase{"UnknownAdjustment",
                 replaced(kPriority, "agentic: 1", "agentc: 1"),
                 {"5: error[RL9001]: 'agentc' is not a field of 'adjustments'. Did you mean "
                  "'agentic'?"}},
        FileCase{"NoPatchworkScore",
                 replaced(kPriority, ", score: 0.0", ""),
                 {"9: error[RL9001]: 'score' is required in 'patchwork'."}}),
    case_name);

// ---------------------------------------------------------------- changelog

const std::string kEntry =
    "- config-keys:\n"
    "    - key\n"
    "  description:\n"
    "    - \"why\"\n"
    "  pr-link: https://github.com/example/recipes/pull/1\n";

TEST(Changelog, GivesItsEntries) {
  SpaceFiles files;
  files.add_changelog(kEntry + "\n" + kEntry +
                      "  scenario-type: [agentic-coding]\n"
                      "  evals-only: true\n");
  EXPECT_THAT(files.reports(), IsEmpty());
  ASSERT_EQ(files.space.changelog->entries.size(), 2u);
  const ChangelogEntry& entry = files.space.changelog->entries[1];
  EXPECT_EQ(entry.config_keys[0].value, "key");
  EXPECT_EQ(entry.evals_only.value, true);
  EXPECT_THAT(entry.scenario_types, ElementsAre(ScenarioKind::kAgenticCoding));
}

class ChangelogProblem : public ::testing::TestWithParam<FileCase> {};

TEST_P(ChangelogProblem, IsReported) {
  SpaceFiles files;
  files.add_changelog(GetParam().text);
  EXPECT_EQ(files.reports(), GetParam().reports);
}

INSTANTIATE_TEST_SUITE_P(
    Table, ChangelogProblem,
    ::testing::Values(
        FileCase{"Root",
                 "a: 1\n",
                 {"1: error[RL9005]: The changelog must be a list of entries, not a mapping."}},
        FileCase{
            "EntryIsNoMapping",
            "- a\n",
            {"1: error[RL9005]: The changelog has 0 lines that start with '- config-keys:', but "
             "1 entries; each entry must start with that line.",
             "1: error[RL9005]: An entry of the changelog must be a mapping, not the string "
             "'a'."}},
        FileCase{"NoFinalNewline",
                 kEntry.substr(0, kEntry.size() - 1),
                 {"5: error[RL9005]: The changelog must end with a newline."}},
        FileCase{"CarriageReturn",
                 replaced(kEntry, "key\n", "key\r\n"),
                 {"2: error[RL9005]: The changelog must not contain a carriage return."}},
        FileCase{"Tab",
                 replaced(kEntry, "why", "w\thy"),
                 {"4: error[RL9005]: The changelog must not contain a tab."}},
        FileCase{"UnknownField",
                 kEntry + "  eval-only: true\n",
                 {"6: error[RL9005]: 'eval-only' is not a field of a changelog entry. Did you mean "
                  "'evals-only'?"}},
        FileCase{"EmptyLists",
                 "- config-keys: []\n  description: []\n  pr-link: x\n  scenario-type: []\n",
                 {"1: error[RL9005]: 'config-keys' must not be empty.",
                  "2: error[RL9005]: 'description' must not be empty.",
                  "4: error[RL9005]: 'scenario-type' must not be empty."}},
        FileCase{"DescriptionIsNoList",
                 replaced(kEntry, "description:\n    - \"why\"", "description: why"),
                 {"3: error[RL9005]: 'description' must be a list, not the string 'why'."}},
        FileCase{"KeyIsNoString",
                 replaced(kEntry, "- key", "- 5"),
                 {"2: error[RL9005]: An item of 'config-keys' must be a string, not '5'."}},
        FileCase{"MissingLink",
                 replaced(kEntry, "  pr-link: https://github.com/example/recipes/pull/1\n", ""),
                 {"1: error[RL9005]: 'pr-link' is required in a changelog entry."}},
        FileCase{
            "UnknownScenario",
            kEntry + "  scenario-type: [fixed]\n",
            {"6: error[RL9005]: 'scenario-type' must hold 'fixed-seq-len' or 'agentic-coding', "
             "not the string 'fixed'."}},
        FileCase{"PrefillEp",
                 kEntry + "  eval-min-prefill-ep: 0\n",
                 {"6: error[RL9005]: 'eval-min-prefill-ep' must be at least 1, not 0."}},
        FileCase{"AppendOnlyWithEvals",
                 kEntry + "  append-only: true\n  all-evals: true\n",  // C1
                 {"7: error[RL9005]: 'all-evals' cannot be combined with 'append-only'."}},
        FileCase{
            "AppendOnlyWithoutEvals", kEntry + "  append-only: true\n  all-evals: false\n", {}},
        FileCase{
            "EntryThatStartsOtherwise",  // C2
            kEntry + "- pr-link: x\n  config-keys: [a]\n  description: [b]\n",
            {"1: error[RL9005]: The changelog has 1 lines that start with '- config-keys:', but "
             "2 entries; each entry must start with that line."}},
        FileCase{
            "RepeatedKey",
            kEntry + "  pr-link: y\n",
            {"6: error[RL9002]: The key 'pr-link' is repeated. The last value replaces the ones "
             "before it without a word."}}),
    case_name);

// ---------------------------------------------------------------- together

std::string entry_named(const std::string& key) {
  std::string text = single_node("      - { tp: 8, conc-list: [4] }\n");
  return text.replace(0, 3, key);
}

std::vector<std::string> reports_together(SpaceFiles& files) {
  check_together(files.space, files.problems);
  return files.reports();
}

TEST(Together, AKeyMayStandInOneFileOnly) {
  SpaceFiles files;
  files.add_master(entry_named("key"), "configs/a-master.yaml");
  files.add_master(entry_named("key"), "configs/b-master.yaml");
  EXPECT_THAT(
      reports_together(files),
      ElementsAre("1: error[RL9001]: Entry 'key' is already in 'configs/a-master.yaml'; the "
                  "generator refuses a key in two files."));
  EXPECT_EQ(files.problems[0].span.file->path(), "configs/b-master.yaml");
}

TEST(Together, ARunnerMustBeALabel) {
  SpaceFiles files;
  files.add_master(entry_named("key") + entry_head("other", "false", "lba") +
                   "  scenarios: { fixed-seq-len: [ { isl: 1, osl: 1, search-space: [] } ] }\n" +
                   entry_head("third", "false", "lab") +
                   "  scenarios: { fixed-seq-len: [ { isl: 1, osl: 1, search-space: [] } ] }\n");
  files.add_runners("labels: { lab: [lab_0] }\n");
  EXPECT_THAT(
      reports_together(files),
      ElementsAre(
          "7: error[RL5003]: Runner 'cluster:lab' is not a label of 'configs/runners.yaml', "
          "so no machine runs the jobs of this entry.",
          "21: error[RL5003]: Runner 'lba' is not a label of 'configs/runners.yaml', so no "
          "machine runs the jobs of this entry. Did you mean 'lab'?"));
}

TEST(Together, AnUnknownRunnerIsOneProblemHoweverManyEntriesNameIt) {
  SpaceFiles files;
  const std::string scenarios =
      "  scenarios: { fixed-seq-len: [ { isl: 1, osl: 1, search-space: [] } ] }\n";
  files.add_master(entry_head("zeta", "false", "lba") + scenarios +
                   entry_head("other", "false", "lab") + scenarios +
                   entry_head("alpha", "false", "lba") + scenarios);
  files.add_runners("labels: { lab: [lab_0] }\n");
  EXPECT_THAT(reports_together(files),
              ElementsAre("7: error[RL5003]: Runner 'lba' is not a label of "
                          "'configs/runners.yaml', so no machine runs the jobs of 2 entries. Did "
                          "you mean 'lab'?"));
  const Problem& problem = files.problems[0];
  EXPECT_THAT(problem.entries, ElementsAre("alpha", "zeta"));
  ASSERT_EQ(problem.related.size(), 1u);
  EXPECT_EQ(problem.related[0].label, "entry 'alpha' too");
  EXPECT_EQ(problem.related[0].span.bytes(), "lba");
  EXPECT_GT(problem.related[0].span.begin, problem.span.begin);
  EXPECT_EQ(problem.identity, "/runner/lba");
}

TEST(Together, TheClusterOfThatNameIsSuggested) {
  SpaceFiles files;
  files.add_master(entry_head("key", "false", "lab-east") +
                   "  scenarios: { fixed-seq-len: [ { isl: 1, osl: 1, search-space: [] } ] }\n");
  files.add_runners("labels: { lab-west: [lab_0], cluster:lab-east: [lab_1] }\n");
  check_together(files.space, files.problems);
  ASSERT_EQ(files.problems.size(), 1u);
  EXPECT_THAT(files.problems[0].remedies, ElementsAre("cluster:lab-east"));
}

TEST(Together, ASingleNodeRowMustFitANode) {  // H5
  SpaceFiles files;
  files.add_master(
      single_node("      - { tp: 8, conc-list: [4] }\n"
                  "      - { tp: 8, pp: 2, conc-list: [4] }\n"));
  files.add_runners(
      "labels: { cluster:lab: [lab_0] }\n"
      "hardware: { cluster:lab: { available-cpu-dram-mib: 1000, gpus-per-node: 8 } }\n");
  EXPECT_THAT(
      reports_together(files),
      ElementsAre("15: error[RL9004]: The row needs 16 GPUs (tp * pp * pcp-size), but a node "
                  "of 'cluster:lab' has 8."));
}

std::string changelog_entry(const std::string& key, const std::string& link) {
  return "- config-keys: [\"" + key + "\"]\n  description: [d]\n  pr-link: " + link + "\n";
}

TEST(Together, OnlyNewChangelogEntriesMustNameExistingKeys) {  // C5
  SpaceFiles files;
  files.add_master(entry_named("key-a"));
  files.add_changelog(changelog_entry("gone", "https://example.com/1") +
                      changelog_entry("key-b*", "XXX") + changelog_entry("key-*", "XXX") +
                      changelog_entry("key-b", "https://example.com/2"));
  EXPECT_THAT(reports_together(files),
              ElementsAre("4: error[RL9005]: 'key-b*' matches no key of the master configurations.",
                          "10: error[RL9005]: 'key-b' matches no key of the master configurations. "
                          "Did you mean 'key-a'?"));
}

TEST(Together, AnyChangelogEntryCanBeJudgedAlone) {
  SpaceFiles files;
  files.add_master(entry_named("key"));
  files.add_changelog(changelog_entry("gone", "x") + changelog_entry("key", "x"));
  check_changelog_keys(files.space.changelog->entries[0], files.space, files.problems);
  check_changelog_keys(files.space.changelog->entries[1], files.space, files.problems);
  EXPECT_EQ(files.problems.size(), 1u);
}

// ---------------------------------------------------------------- older layouts

TEST(OlderLayout, SeqLenConfigsAreReadWithOneNote) {
  SpaceFiles files;
  files.add_master(
      "key:\n  image: i\n  model: m\n  model-prefix: p\n  runner: r\n  precision: fp8\n"
      "  framework: vllm\n  seq-len-configs:\n  - isl: 8192\n    osl: 1024\n    search-space:\n"
      "    - { tp: 8, conc-start: 4, conc-end: 8 }\n");
  EXPECT_THAT(files.reports(),
              ElementsAre("8: note[RL9001]: The file follows an older layout of the search space "
                          "('seq-len-configs' instead of 'scenarios'). It is read as such, and "
                          "constraints that came later are not checked."));
  const Entry& entry = files.space.masters[0].entries[0];
  ASSERT_EQ(entry.scenarios.size(), 1u);
  EXPECT_EQ(entry.scenarios[0].rows.size(), 1u);
  EXPECT_EQ(entry.scenarios[0].isl.value, 8192);
}

TEST(OlderLayout, OfTheFolderIsReadWithOneNote) {
  SpaceFiles files;
  files.add_master(entry_head("key", "true") +
                       "  disagg: true\n  scenarios:\n    agentic-coding:\n    - duration: 1800\n"
                       "      search-space:\n"
                       "      - { tp: 8, offloading: cpu, conc-list: [4] }\n",
                   ".github/configs/lab-master.yaml");
  ASSERT_EQ(files.problems.size(), 2u);
  EXPECT_EQ(files.problems[0].severity, Severity::kNote);
  EXPECT_EQ(files.problems[1].rule, kTopologyRowRule);  // still no launch for tp under multinode
}

TEST(OlderLayout, BackendsWereBareNames) {
  SpaceFiles files;
  files.add_master(entry_head("key", "false", "lab") +
                       "  scenarios:\n    agentic-coding:\n    - search-space:\n"
                       "      - { tp: 8, kv-offloading: dram, kv-offload-backend: mooncake, "
                       "conc-list: [4] }\n",
                   ".github/configs/lab-master.yaml");
  EXPECT_EQ(files.problems.size(), 1u);
  const Row& row = files.space.masters[0].entries[0].scenarios[0].rows[0];
  ASSERT_TRUE(row.kv_offload_backend);
  EXPECT_EQ(row.kv_offload_backend->name.value, "mooncake");
}

TEST(OlderLayout, ManyDisaggregatedEntriesWithoutTransferAreOne) {
  std::string text;
  for (const char* key : {"a", "b", "c"}) {
    text += entry_head(key, "true") +
            "  disagg: true\n  scenarios: { fixed-seq-len: [ { isl: 1, osl: 1, search-space: [ { " +
            kWorkers + ", conc-list: [4] } ] } ] }\n";
  }
  SpaceFiles files;
  files.add_master(text);
  ASSERT_EQ(files.problems.size(), 1u);
  EXPECT_EQ(files.problems[0].severity, Severity::kNote);
  EXPECT_EQ(files.space.masters[0].generation, Generation::kOlder);
}

// ---------------------------------------------------------------- hostile sizes

TEST(Limits, ProblemsOfAFileAreBounded) {
  std::string rows;
  for (int i = 0; i < 3000; ++i) rows += "      - {}\n";
  SpaceFiles files;
  files.add_master(single_node(rows));
  EXPECT_EQ(files.problems.size(), 2001u);
  const auto overflow = std::ranges::count(files.problems, "overflow", &Problem::identity);
  EXPECT_EQ(overflow, 1);
}

TEST(Limits, RowsOfAFileAreBounded) {
  std::string text = single_node("");
  text.replace(text.rfind('\n'), 1, " [");
  for (int i = 0; i < 50'010; ++i) text += "{tp: 1, conc-list: [1]},";
  text += "]\n";
  SpaceFiles files;
  files.add_master(text);
  EXPECT_THAT(files.reports(),
              ElementsAre("13: note[RL1003]: The file has more than 50000 entries, items and rows; "
                          "those from here on are not read."));
  EXPECT_EQ(files.space.masters[0].entries[0].scenarios[0].rows.size(), 49'998u);
}

}  // namespace
}  // namespace recipelint::space
