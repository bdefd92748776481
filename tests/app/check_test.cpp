#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "analyzer/app/command_line.h"
#include "tests/support/command.h"
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
using ::testing::StartsWith;
using testing::TemporaryFolder;

constexpr std::string_view kRunners = "labels:\n  h200:\n  - h200-example_00\n";

std::string entry(const std::string& key, const std::string& image) {
  return key + ":\n  image: " + image +
         "\n  model: example-org/Example\n  model-prefix: example\n  precision: fp8\n"
         "  framework: vllm\n  runner: h200\n  multinode: false\n  scenarios:\n"
         "    fixed-seq-len:\n    - isl: 8192\n      osl: 1024\n      search-space:\n"
         "      - { tp: 8, conc-start: 4, conc-end: 64 }\n";
}

std::string demo() {
  return testing::source_dir() + "/fixtures/demo";
}

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// A repository with one master configuration that names `image`.
struct Repository {
  explicit Repository(const std::string& image) {
    folder.write("configs/runners.yaml", kRunners);
    master = folder.write("configs/x-master.yaml", entry("example-vllm", image));
  }
  std::string root() const { return folder.path().string(); }

  TemporaryFolder folder;
  std::string master;
};

CommandResult check_images(const std::string& path, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {"check", path,       "--format",
                                        "unix",  "--select", "images,reading"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_command(arguments);
}

TEST(Check, ExitCodeFollowsTheFindingsAndTheThreshold) {
  const Repository clean("vllm/vllm-openai:v0.27.1");
  EXPECT_EQ(check_images(clean.root()).code, 0);
  const Repository mutable_tag("vllm/vllm-openai:nightly");
  EXPECT_EQ(check_images(mutable_tag.root()).code, 1);
  EXPECT_EQ(check_images(mutable_tag.root(), {"--fail-on", "error"}).code, 0);
  EXPECT_EQ(check_images(mutable_tag.root(), {"--fail-on", "never"}).code, 0);
  const Repository expiring("lmsysorg/sglang:nightly-dev-20260818-1a2b3c4d");
  EXPECT_EQ(check_images(expiring.root()).code, 0);
  EXPECT_EQ(check_images(expiring.root(), {"--fail-on", "note"}).code, 1);
  EXPECT_EQ(check_images(expiring.root(), {"--as-of", "2026-11-01"}).code, 1);
}

TEST(Check, ExitCodeIsTheSameForEveryFormat) {
  for (const char* format : {"text", "unix", "json", "sarif", "github", "gitlab", "junit"}) {
    EXPECT_EQ(run_command({"check", demo(), "--format", format}).code, 1) << format;
  }
}

TEST(Check, IsTheDefaultCommand) {
  EXPECT_EQ(run_command({demo()}).out, run_command({"check", demo()}).out);
}

TEST(Check, RepeatsItselfToTheByte) {
  for (const char* format : {"text", "json", "sarif"}) {
    const auto first = run_command({"check", demo(), "--format", format, "-j", "1"});
    const auto second = run_command({"check", demo(), "--format", format, "-j", "2"});
    EXPECT_EQ(first.out, second.out) << format;
    EXPECT_THAT(first.out, Not(IsEmpty()));
  }
}

TEST(Check, WritesSeveralDocumentsAtOnce) {
  const TemporaryFolder folder;
  const auto result =
      run_command({"check", demo(), "--format", "sarif=" + (folder / "out.sarif"), "--format",
                   "json=" + (folder / "out.json"), "--format", "unix"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, HasSubstr("warning[RL3001]"));
  const auto sarif = nlohmann::json::parse(text_of(folder / "out.sarif"));
  EXPECT_EQ(sarif["version"], "2.1.0");
  const auto json = nlohmann::json::parse(text_of(folder / "out.json"));
  EXPECT_EQ(json["schema"], "recipelint/1");
  EXPECT_EQ(json["findings"].size(), sarif["runs"][0]["results"].size());
  EXPECT_EQ(json["summary"]["errors"].get<int>() + json["summary"]["warnings"].get<int>() +
                json["summary"]["notes"].get<int>(),
            static_cast<int>(json["findings"].size()));
}

TEST(Check, SelectsAndIgnoresByIdNameAndGroup) {
  const auto all = run_command({"check", demo(), "--format", "unix"}).out;
  EXPECT_THAT(all, AllOf(HasSubstr("RL3001"), HasSubstr("RL9001")));
  const auto by_group =
      run_command({"check", demo(), "--format", "unix", "--select", "images"}).out;
  EXPECT_THAT(by_group, AllOf(HasSubstr("RL3001"), Not(HasSubstr("RL9001"))));
  const auto by_name =
      run_command({"check", demo(), "--format", "unix", "--ignore", "mutable-image-tag,9xxx"}).out;
  EXPECT_THAT(by_name,
              AllOf(Not(HasSubstr("RL3001")), Not(HasSubstr("RL9001")), HasSubstr("RL5003")));
}

TEST(Check, KeysNarrowTheFindings) {
  const auto result = run_command({"check", demo(), "--format", "unix", "--keys", "*-sglang"});
  EXPECT_THAT(result.out, AllOf(HasSubstr("RL5003"), Not(HasSubstr("RL3001"))));
}

// ------------------------------------------------------------------------------- wrong usage: 2

struct WrongUsage {
  std::vector<std::string> arguments;
  std::string message;
};

TEST(Check, WrongUsageIsOneLineThatSaysWhatToDo) {
  const TemporaryFolder empty;
  const std::vector<WrongUsage> cases = {
      {{"check", demo(), "--format", "yaml"}, "unknown format 'yaml'; choose one of: text, unix"},
      {{"check", demo(), "--format", "json", "--format", "sarif"},
       "only one --format can go to standard output"},
      {{"check", demo(), "--format", "json="}, "names no file"},
      {{"check", demo(), "--select", "mutable-image-tags"}, "did you mean 'mutable-image-tag'?"},
      {{"check", demo(), "--ignore", "RL0000"}, "no rule or group is called 'RL0000'"},
      {{"check", demo(), "--as-of", "2026-02-30"}, "is no day; write YYYY-MM-DD"},
      {{"check", demo(), "--fail-on", "info"}, "--fail-on"},
      {{"check", "--root", empty.path().string()},
       "found no search space, recipe or launch script"},
      {{"check", "--root", demo(), "/"}, "lies outside the root"},
      {{"check", "--no-such-option"}, "see recipelint --help"},
      {{"check", demo() + "/no/such/file.sh"}, "no command or path is called"},
      {{"chekc", demo()}, "no command or path is called 'chekc'"},
      {{"explain", "RL0000"}, "no rule or group is called 'RL0000'"},
      {{"explain", "images"}, "is a group; name one rule"},
      {{"facts", "weather"}, "topics: engines, flags"},
  };
  for (const WrongUsage& wrong : cases) {
    const auto result = run_command(wrong.arguments);
    EXPECT_EQ(result.code, 2) << wrong.message;
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, AllOf(StartsWith("recipelint: "), HasSubstr(wrong.message)));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
}

TEST(Check, AnOutputFileThatCannotBeWrittenIsWrongUsageAndLeavesNothing) {
  const TemporaryFolder folder;
  const auto result = run_command({"check", demo(), "--format", "json=" + (folder / "no/such/x")});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("cannot write"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

// ------------------------------------------------------------------- input that cannot be read: 3

TEST(Check, AMissingPathIsReportedAndTheOthersAreAnalysed) {
  const Repository repository("vllm/vllm-openai:nightly");
  const auto result =
      run_command({"check", repository.master, repository.root() + "/configs/gone.yaml", "--format",
                   "unix", "--select", "images"});
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.out, AllOf(HasSubstr("configs/gone.yaml"), HasSubstr("no such file"),
                                HasSubstr("RL3001")));
}

TEST(Check, ABrokenFileIsAFindingAndTheOthersAreAnalysed) {
  const Repository repository("vllm/vllm-openai:nightly");
  repository.folder.write("configs/y-master.yaml",
                          entry("other-vllm", "vllm/vllm-openai:v0.27.1") + "broken: [1,\n");
  const auto result = check_images(repository.root());
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.out, AllOf(HasSubstr("configs/y-master.yaml:15:9: error[RL1002]"),
                                HasSubstr("configs/x-master.yaml:2:27: warning[RL3001]")));
}

TEST(Check, BinaryGarbageGivenByNameIsAFinding) {
  const Repository repository("vllm/vllm-openai:v0.27.1");
  const std::string garbage =
      repository.folder.write("configs/z.yaml", std::string("\x7f"
                                                            "ELF\x02\x00\xff\xfe",
                                                            8));
  const auto result = check_images(garbage);
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.out, HasSubstr("configs/z.yaml:1:1: error[RL1002]"));
}

TEST(Check, AMasterThatIsTooLargeIsReportedAndNotPassedOver) {
  const Repository repository("vllm/vllm-openai:v0.27.1");
  const std::string large = repository.folder.write("configs/y-master.yaml", "");
  std::filesystem::resize_file(large, 200u << 20u);  // sparse
  const auto result = check_images(repository.root());
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.out, HasSubstr("configs/y-master.yaml"));
}

TEST(Check, AFullDeviceIsNoSuccess) {
  std::ofstream full("/dev/full");
  if (!full) GTEST_SKIP() << "there is no /dev/full";
  std::istringstream in;
  std::ostringstream err;
  const std::vector<std::string> arguments = {"rules"};
  EXPECT_EQ(app::run(arguments, {in, full, err}), 2);
  EXPECT_THAT(err.str(), HasSubstr("cannot write to standard output"));
}

TEST(Check, ANamedPipeIsNotOpened) {
  const Repository repository("vllm/vllm-openai:v0.27.1");
  const std::string pipe = repository.folder / "configs/pipe.yaml";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(check_images(repository.root()).code, 0);
}

TEST(Check, ALinkOutOfTheRootIsNotFollowed) {
  const TemporaryFolder outside;
  outside.write("secret-master.yaml", entry("secret-vllm", "vllm/vllm-openai:nightly"));
  const Repository repository("vllm/vllm-openai:v0.27.1");
  std::filesystem::create_symlink(outside / "secret-master.yaml",
                                  repository.folder / "configs/y-master.yaml");
  const auto result = check_images(repository.root());
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.out, AllOf(HasSubstr("configs/y-master.yaml"),
                                HasSubstr("it is a symbolic link that leads out of the root"),
                                Not(HasSubstr("secret"))));
}

// --------------------------------------------------------------------------- files given by name

TEST(Check, AFileGivenByNameShowsOnlyWhatItTakesPartIn) {
  const Repository repository("vllm/vllm-openai:nightly");
  const std::string other = repository.folder.write("configs/y-master.yaml",
                                                    entry("other-vllm", "lmsysorg/sglang:latest"));
  const auto result = check_images(other);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("configs/y-master.yaml"), Not(HasSubstr("configs/x-master.yaml"))));
}

TEST(Check, AFileThatTakesPartInNoCellIsFine) {
  const Repository repository("vllm/vllm-openai:nightly");
  const std::string notes = repository.folder.write("docs/notes.md", "# Notes\n");
  const auto result = check_images(notes, {"--root", repository.root()});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, HasSubstr("'docs/notes.md' takes part in no cell"));
}

// ------------------------------------------------------------------------------- other commands

TEST(Commands, VersionAndHelpGoToStandardOutput) {
  EXPECT_THAT(run_command({"--version"}).out, StartsWith("recipelint "));
  EXPECT_THAT(run_command({"--help"}).out, HasSubstr("check"));
  EXPECT_EQ(run_command({"check", "--help"}).code, 0);
}

TEST(Commands, ExplainPrintsThePageByIdOrName) {
  const auto by_id = run_command({"explain", "RL3001"});
  EXPECT_EQ(by_id.code, 0);
  EXPECT_THAT(by_id.out, StartsWith("# RL3001 mutable-image-tag\n"));
  EXPECT_EQ(run_command({"explain", "mutable-image-tag"}).out, by_id.out);
}

TEST(Commands, RulesListsTheCatalog) {
  EXPECT_THAT(run_command({"rules"}).out, HasSubstr("RL3001  warning  mutable-image-tag"));
  const auto rules = nlohmann::json::parse(run_command({"rules", "--format", "json"}).out);
  EXPECT_EQ(rules[0]["id"], "RL1001");
  EXPECT_EQ(rules[0]["group"], "reading");
}

TEST(Commands, FactsSayWhatIsBelievedWithSourceAndDate) {
  EXPECT_THAT(run_command({"facts", "images"}).out,
              AllOf(HasSubstr("vllm/vllm-openai"), HasSubstr("source:")));
  EXPECT_THAT(run_command({"facts", "images", "vllm/vllm-openai:v0.27.1"}).out,
              AllOf(HasSubstr("class: release"), HasSubstr("engine version: 0.27.1")));
}

TEST(Commands, CellsAndArgvTakeFilesAsPaths) {
  const std::string script = demo() + "/benchmarks/single_node/fixed_seq_len/llama70b_fp8_h200.sh";
  for (const char* command : {"cells", "argv"}) {
    const auto result = run_command({command, script, "--format", "json"});
    EXPECT_THAT(result.out, AllOf(HasSubstr("llama70b-fp8-h200-vllm"), Not(HasSubstr("dsv4-"))));
  }
}

TEST(Commands, CellsPrintsOneObjectForEachRow) {
  const auto result = run_command({"cells", demo(), "--format", "json", "--keys", "*-sglang"});
  EXPECT_EQ(result.code, 0);
  std::istringstream lines(result.out);
  std::vector<int> concurrencies;
  for (std::string line; std::getline(lines, line);) {
    concurrencies.push_back(nlohmann::json::parse(line)["conc"].get<int>());
  }
  EXPECT_THAT(concurrencies, ::testing::ElementsAre(4, 8, 16, 32, 64));
}

}  // namespace
}  // namespace recipelint
