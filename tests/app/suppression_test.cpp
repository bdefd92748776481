// Ignore comments, the baseline, and the other ways to keep a finding out of a report.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/support/command.h"
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

std::string entry(const std::string& key, const std::string& image_line) {
  return key + ":\n  image: " + image_line +
         "\n  model: example-org/Example\n  model-prefix: example\n  precision: fp8\n"
         "  framework: vllm\n  runner: h200\n  multinode: false\n  scenarios:\n"
         "    fixed-seq-len:\n    - isl: 8192\n      osl: 1024\n      search-space:\n"
         "      - { tp: 8, conc-start: 4, conc-end: 64 }\n";
}

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

struct Repository {
  explicit Repository(const std::string& master) {
    folder.write("configs/runners.yaml", "labels:\n  h200:\n  - h200-example_00\n");
    write(master);
  }
  void write(const std::string& master) const { folder.write("configs/x-master.yaml", master); }
  std::string root() const { return folder.path().string(); }
  CommandResult check(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"check", root()};
    if (more.empty() || more.front() != "--format") {
      arguments.insert(arguments.end(), {"--format", "unix"});
    }
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_command(arguments);
  }

  TemporaryFolder folder;
};

const std::string kNightly = "vllm/vllm-openai:nightly";
const std::string kIgnored =
    entry("a-vllm", kNightly + "  # recipelint: ignore[RL3001] tests the nightly build");

// ---------------------------------------------------------------------------------- the comments

TEST(Ignore, SuppressesInItsLineAndIsCounted) {
  const Repository repository(kIgnored);
  EXPECT_THAT(repository.check().out, Not(HasSubstr("RL3001")));
  EXPECT_THAT(repository.check({"--no-ignores"}).out, HasSubstr("RL3001"));
  const auto json = nlohmann::json::parse(repository.check({"--format", "json"}).out);
  EXPECT_EQ(json["summary"]["suppressed"], 1);
  EXPECT_FALSE(json.contains("suppressed"));
  EXPECT_THAT(run_command({"check", repository.root()}).out, HasSubstr("1 finding suppressed"));
}

TEST(Ignore, TakesNamesInAnyCaseAndTheLineAbove) {
  for (const char* rule : {"mutable-image-tag", "rl3001", "RL3002, RL3001"}) {
    const Repository repository(
        entry("a-vllm", kNightly)
            .replace(8, 0, "  # recipelint: ignore[" + std::string(rule) + "] why\n"));
    EXPECT_THAT(repository.check().out, Not(HasSubstr("RL3001"))) << rule;
  }
}

TEST(Ignore, OfTheFileSuppressesEverywhere) {
  const Repository repository("# recipelint: ignore-file[RL3001] why\n" +
                              entry("a-vllm", kNightly) + entry("b-vllm", "vllm/vllm-openai"));
  EXPECT_THAT(repository.check().out, Not(HasSubstr("RL3001")));
}

TEST(Ignore, OfAnotherRuleOrLineSuppressesNothing) {
  const Repository other_rule(entry("a-vllm", kNightly + " # recipelint: ignore[RL3002] why"));
  EXPECT_THAT(other_rule.check().out, AllOf(HasSubstr("RL3001"), HasSubstr("note[RL1004]")));
  const Repository other_line("# recipelint: ignore[RL3001] why\n" + entry("a-vllm", kNightly));
  EXPECT_THAT(other_line.check().out, AllOf(HasSubstr("RL3001"), HasSubstr("note[RL1004]")));
}

TEST(Ignore, OfARuleThatWasNotAskedForIsNotCalledUnused) {
  const Repository repository(
      entry("a-vllm", "vllm/vllm-openai:v0.27.1 # recipelint: ignore[RL3001] why"));
  EXPECT_THAT(repository.check().out, HasSubstr("x-master.yaml:2:56: note[RL1004]"));
  EXPECT_THAT(repository.check({"--select", "reading"}).out, Not(HasSubstr("RL1004")));
  EXPECT_THAT(repository.check({"--no-ignores"}).out, Not(HasSubstr("RL1004")));
}

TEST(Ignore, OfAnUnknownRuleNamesTheNearest) {
  const Repository repository(
      entry("a-vllm", kNightly + " # recipelint: ignore[mutable-imgae-tag] why"));
  EXPECT_THAT(run_command({"check", repository.root()}).out,
              AllOf(HasSubstr("no rule is called 'mutable-imgae-tag'"),
                    HasSubstr("Write 'mutable-image-tag'.")));
}

TEST(Ignore, WithoutAReasonIsANote) {
  const Repository repository(entry("a-vllm", kNightly + " # recipelint: ignore[RL3001]"));
  EXPECT_THAT(repository.check().out, AllOf(HasSubstr("note[RL1005]"), Not(HasSubstr("RL3001]:")),
                                            Not(HasSubstr("RL1004"))));
}

TEST(Ignore, CanBeShown) {
  const Repository repository(kIgnored);
  const std::vector<std::string> show = {"--show-suppressed", "--select", "images"};
  const auto with = [&](const std::string& format) {
    std::vector<std::string> arguments = {"--format", format};
    arguments.insert(arguments.end(), show.begin(), show.end());
    return repository.check(arguments);
  };
  const CommandResult text = with("text");
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out, AllOf(HasSubstr("warning[RL3001]"),
                              HasSubstr("suppressed by a comment: tests the nightly build")));
  const auto json = nlohmann::json::parse(with("json").out);
  EXPECT_THAT(json["findings"], IsEmpty());
  EXPECT_EQ(json["suppressed"][0]["suppression"]["reason"], "tests the nightly build");
  const auto result = nlohmann::json::parse(with("sarif").out)["runs"][0]["results"][0];
  EXPECT_EQ(result["suppressions"][0]["kind"], "inSource");
  EXPECT_EQ(result["suppressions"][0]["justification"], "tests the nightly build");
  const auto without =
      nlohmann::json::parse(repository.check({"--format", "sarif", "--select", "images"}).out);
  EXPECT_THAT(without["runs"][0]["results"], IsEmpty());
}

// ---------------------------------------------------------------------------------- the baseline

TEST(BaselineFile, KeepsKnownFindingsOutAlsoIfTheyMove) {
  const Repository repository(entry("a-vllm", kNightly));
  const std::string file = repository.folder / "known.json";
  EXPECT_EQ(repository.check({"--write-baseline", file}).code, 1);
  EXPECT_EQ(repository.check({"--baseline", file}).code, 0);
  repository.write("# A comment.\n\n" + entry("a-vllm", kNightly) +
                   entry("b-vllm", "lmsysorg/sglang:latest"));
  const CommandResult result = repository.check({"--baseline", file, "--select", "images"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("latest"), Not(HasSubstr("nightly"))));
}

TEST(BaselineFile, OnlyLosesFindings) {
  const Repository repository(entry("a-vllm", kNightly));
  const std::string file = repository.folder / "known.json";
  repository.check({"--write-baseline", file});
  const std::string first = text_of(file);
  EXPECT_THAT(first, HasSubstr("RL3001 configs/x-master.yaml"));
  // A new finding does not get in ...
  repository.write(entry("a-vllm", kNightly) + entry("b-vllm", "lmsysorg/sglang:latest"));
  repository.check({"--write-baseline", file});
  EXPECT_EQ(text_of(file), first);
  // ... and one that is gone gets out for good.
  repository.write(entry("a-vllm", "vllm/vllm-openai:v0.27.1"));
  repository.check({"--write-baseline", file});
  EXPECT_THAT(text_of(file), Not(HasSubstr("RL3001")));
  repository.write(entry("a-vllm", kNightly));
  repository.check({"--write-baseline", file});
  EXPECT_THAT(repository.check({"--baseline", file}).out, HasSubstr("RL3001"));
}

TEST(BaselineFile, IsNamedByTheConfigurationOrTheCommandLine) {
  const Repository repository(entry("a-vllm", kNightly));
  repository.check({"--write-baseline", repository.folder / "known.json"});
  repository.folder.write(".recipelint.yaml", "baseline: known.json\n");
  EXPECT_EQ(repository.check().code, 0);
  EXPECT_EQ(repository.check({"--no-config"}).code, 1);
}

TEST(BaselineFile, ThatCannotBeReadIsWrongUsage) {
  const Repository repository(entry("a-vllm", kNightly));
  const std::string broken = repository.folder.write("broken.json", "{\"schema\": 1");
  const std::string other = repository.folder.write("other.json", "{\"findings\": {}}");
  for (const std::string& file : {broken, other, repository.folder / "gone.json"}) {
    const CommandResult result = repository.check({"--baseline", file});
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, HasSubstr(file));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1);
  }
  EXPECT_EQ(repository.check({"--write-baseline", broken}).code, 2);
  EXPECT_EQ(text_of(broken), "{\"schema\": 1");
}

TEST(BaselineFile, IsNotWrittenByARunThatSeesOnlyAPart) {
  const Repository repository(entry("a-vllm", kNightly));
  const std::string file = repository.folder / "known.json";
  EXPECT_EQ(repository.check({"--write-baseline", file, "--select", "images"}).code, 2);
  EXPECT_EQ(repository.check({"--write-baseline", file, "--keys", "a*"}).code, 2);
  EXPECT_EQ(run_command({"check", repository.root() + "/configs/x-master.yaml", "--root",
                         repository.root(), "--write-baseline", file})
                .code,
            2);
  repository.folder.write("configs/y-master.yaml", "a: [\n");
  repository.folder.write("configs/y-master.yaml", entry("y", "x") + "a: [\n");
  EXPECT_EQ(repository.check({"--write-baseline", file}).code, 3);
  EXPECT_FALSE(std::filesystem::exists(file));
}

// ---------------------------------------------------------------------------------- editors, CI

TEST(StandardInput, TakesThePlaceOfAFile) {
  const Repository repository(entry("a-vllm", kNightly));
  const std::string file = repository.root() + "/configs/x-master.yaml";
  const auto check = [&](const std::string& text) {
    return run_command({"check", "--stdin-file", file, "--format", "unix", "--select", "images"},
                       text);
  };
  EXPECT_THAT(check(entry("a-vllm", "vllm/vllm-openai:v0.27.1")).out, IsEmpty());
  EXPECT_THAT(check(entry("a-vllm", "lmsysorg/sglang:latest")).out, HasSubstr("latest"));
  const CommandResult gone = run_command(
      {"check", repository.root(), "--stdin-file", repository.root() + "/configs/gone.yaml"}, "");
  EXPECT_EQ(gone.code, 2);
  EXPECT_THAT(gone.err, HasSubstr("names no file below the root"));
}

}  // namespace
}  // namespace recipelint
