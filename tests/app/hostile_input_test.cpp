// Input that is broken by accident or on purpose: it must be named, never passed over, and never
// hidden behind a finding about something else.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>

#include "tests/support/command.h"
#include "tests/support/temporary_folder.h"

namespace recipelint {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using testing::CommandResult;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::run_command;
using testing::TemporaryFolder;

constexpr std::string_view kRunners = "labels:\n  b300:\n  - b300-nv_01\n";
constexpr std::string_view kMaster =
    "example-fp8-b300-vllm:\n"
    "  image: vllm/vllm-openai:v0.27.1\n"
    "  model: example-org/Example\n"
    "  model-prefix: example\n"
    "  precision: fp8\n"
    "  framework: vllm\n"
    "  runner: b300\n"
    "  multinode: false\n"
    "  scenarios:\n"
    "    fixed-seq-len:\n"
    "    - isl: 8192\n"
    "      osl: 1024\n"
    "      search-space:\n"
    "      - { tp: 8, conc-start: 4, conc-end: 64 }\n";
constexpr std::string_view kScript =
    "benchmarks/single_node/fixed_seq_len/example_fp8_b300_vllm.sh";

/// A whole repository whose only entry runs a script that exists.
struct Repository {
  Repository() {
    folder.write("configs/runners.yaml", kRunners);
    folder.write("configs/x-master.yaml", kMaster);
    folder.write("runners/launch_b300-nv.sh", "#!/usr/bin/env bash\n");
    folder.write(kScript, "vllm serve \"$MODEL\" --tensor-parallel-size \"$TP\"\n");
    fs::permissions(folder.path(), fs::perms(0755));
  }
  std::string root() const { return folder.path().string(); }
  std::string operator/(std::string_view name) const { return folder / name; }
  CommandResult check(std::vector<std::string> more = {}) const {
    // With the root, since whatever lies above the temporary folder could pass for one.
    std::vector<std::string> arguments = {"check", root(), "--root", root(), "--format", "unix"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_command(arguments);
  }
  /// In place of a file: whatever `make` puts there.
  template <typename Make>
  void replace(std::string_view name, Make make) const {
    fs::remove_all(folder / name);
    make(folder / name);
  }

  TemporaryFolder folder;
};

/// Root may read everything, so that a test as root would show nothing.
class Unprivileged {
 public:
  Unprivileged() : before_(::geteuid()) {
    if (before_ == 0) changed_ = ::seteuid(kNobody) == 0;
  }
  ~Unprivileged() {
    if (changed_) static_cast<void>(::seteuid(before_));
  }
  Unprivileged(const Unprivileged&) = delete;
  Unprivileged& operator=(const Unprivileged&) = delete;

 private:
  static constexpr uid_t kNobody = 65534;
  uid_t before_;
  bool changed_ = false;
};

CommandResult check_unprivileged(const Repository& repository) {
  const Unprivileged user;
  return repository.check();
}

void make_pipe(const std::string& path) {
  ASSERT_EQ(::mkfifo(path.c_str(), 0644), 0);
}

auto link_to(const std::string& target) {
  return [target](const std::string& path) { fs::create_symlink(target, path); };
}

TEST(HostileInput, TheWholeRepositoryIsClean) {
  const Repository repository;
  const CommandResult result = repository.check();
  EXPECT_EQ(result.code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, Not(HasSubstr("error")));
}

// ------------------------------------------------------------------------------- configurations

TEST(HostileInput, AConfigurationThatIsNoFileIsNamedAndTheRunIncomplete) {
  const TemporaryFolder outside;
  outside.write("secret.yaml", "labels:\n  secret: [secret-node_00]\n");
  struct Case {
    std::string_view file;
    std::function<void(const std::string&)> make;
    std::string_view cause;
  };
  const Case cases[] = {
      {"configs/runners.yaml", make_pipe, "it is a named pipe"},
      {"configs/runners.yaml", link_to("/dev/zero"), "leads out of the root"},
      {"configs/runners.yaml", link_to(outside / "secret.yaml"), "leads out of the root"},
      {"configs/runners.yaml", link_to("nowhere.yaml"), "or nowhere"},
      {"configs/x-master.yaml", make_pipe, "it is a named pipe"},
      {"configs/x-master.yaml", link_to(outside / "secret.yaml"), "leads out of the root"},
      {"configs/ci-priority.yaml", make_pipe, "it is a named pipe"},
      {"perf-changelog.yaml", make_pipe, "it is a named pipe"},
  };
  for (const Case& broken : cases) {
    const Repository repository;
    repository.replace(broken.file, broken.make);
    const CommandResult result = repository.check();
    EXPECT_EQ(result.code, 3) << broken.file << broken.cause << result.out << result.err;
    EXPECT_THAT(result.out, AllOf(HasSubstr(broken.file), HasSubstr(broken.cause)));
    EXPECT_THAT(result.out + result.err, Not(HasSubstr("secret-node")));
  }
}

std::string in_utf16(std::string_view text) {
  std::string bytes = "\xFF\xFE";
  for (const char c : text) bytes.append({c, '\0'});
  return bytes;
}

TEST(HostileInput, AMasterInAnotherEncodingIsNotPassedOver) {
  const Repository repository;
  repository.folder.write("configs/y-master.yaml", in_utf16(kMaster));
  const CommandResult result = repository.check();
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.out, HasSubstr("configs/y-master.yaml:1:1: error[RL1002]"));
}

TEST(HostileInput, AMasterWithOtherLineBreaksOrInFlowStyleIsRead) {
  std::string other_breaks(kMaster);
  std::replace(other_breaks.begin(), other_breaks.end(), '\n', '\r');
  const std::string flow =
      "{\"flow-fp8-b300-vllm\": {\"image\": \"vllm/vllm-openai:nightly\", \"runner\": \"b300\", "
      "\"scenarios\": {}}}\n";
  for (const std::string& bytes : {other_breaks, flow}) {
    const Repository repository;
    fs::remove(repository / "configs/x-master.yaml");
    repository.folder.write("configs/y-master.yaml", bytes);
    const CommandResult result = repository.check({"--select", "schema,unparsed-yaml"});
    EXPECT_THAT(result.err, Not(HasSubstr("found no search space")));
    EXPECT_NE(result.code, 2) << result.err;
  }
}

// ----------------------------------------------------------------------------------- permissions

TEST(HostileInput, AnUnreadableScriptIsNotAMissingOne) {
  const Repository repository;
  ::chmod((repository / kScript).c_str(), 0);
  const CommandResult result = check_unprivileged(repository);
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr(kScript), HasSubstr("Permission denied"), Not(HasSubstr("RL5001"))));
}

TEST(HostileInput, AnUnreadableFolderIsNamedAndItsContentIsNotMissing) {
  for (const char* folder : {"benchmarks", "benchmarks/single_node",
                             "benchmarks/single_node/fixed_seq_len", "runners", "configs"}) {
    const Repository repository;
    ::chmod((repository / folder).c_str(), 0);
    const CommandResult result = check_unprivileged(repository);
    ::chmod((repository / folder).c_str(), 0755);
    EXPECT_EQ(result.code, 3) << folder << result.err;
    EXPECT_THAT(result.out, AllOf(HasSubstr("cannot read '" + std::string(folder) + "'"),
                                  Not(HasSubstr("RL5001")), Not(HasSubstr("RL5003"))));
  }
}

TEST(HostileInput, AnUnreadableConfigurationIsNamed) {
  const Repository repository;
  ::chmod((repository / "configs/x-master.yaml").c_str(), 0);
  const CommandResult result = check_unprivileged(repository);
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.out, AllOf(HasSubstr("configs/x-master.yaml"), HasSubstr("Permission")));
}

TEST(HostileInput, CommandsWithoutAReportSayItOnStandardError) {
  const Repository repository;
  repository.folder.write("configs/y-master.yaml", "broken: [1,\n");
  repository.folder.write("configs/z-master.yaml", std::string(kMaster) + "broken: [1,\n");
  for (const char* command : {"cells", "argv"}) {
    const CommandResult result = run_command({command, repository.root(), "--format", "json"});
    EXPECT_EQ(result.code, 3);
    EXPECT_THAT(result.out, HasSubstr("example-fp8-b300-vllm"));
    EXPECT_THAT(result.err, HasSubstr("configs/z-master.yaml:15:9: "));
  }
}

// -------------------------------------------------------------------------------- links and pipes

TEST(HostileInput, ALaunchScriptThatIsNoFileSaysWhatItIs) {
  const TemporaryFolder outside;
  outside.write("secret.sh", "vllm serve --secret\n");
  const Repository linked;
  linked.replace(kScript, link_to(outside / "secret.sh"));
  const CommandResult link = linked.check();
  EXPECT_EQ(link.code, 1);
  EXPECT_THAT(link.out, AllOf(HasSubstr("RL5001"), HasSubstr("is a symbolic link that leads out"),
                              Not(HasSubstr("does not exist"))));
  const Repository piped;
  piped.replace(kScript, make_pipe);
  const CommandResult pipe = piped.check();
  EXPECT_EQ(pipe.code, 1);
  EXPECT_THAT(pipe.out, AllOf(HasSubstr("RL5001"), HasSubstr("is a device, socket or named pipe")));
  EXPECT_THAT(run_command({"argv", linked.root()}).out,
              AllOf(HasSubstr("leads out of the repository"), Not(HasSubstr("--secret"))));
}

TEST(HostileInput, ANamedPathThatIsNoFileSaysWhatItIs) {
  const Repository repository;
  repository.folder.write("x.sh", "");
  repository.replace("x.sh", make_pipe);
  const CommandResult pipe =
      run_command({"check", repository / "x.sh", "--root", repository.root(), "--format", "unix"});
  EXPECT_EQ(pipe.code, 3);
  EXPECT_THAT(pipe.out, AllOf(HasSubstr("'x.sh'"), HasSubstr("it is a named pipe")));
}

// ------------------------------------------------------------------------------------ the options

TEST(Options, KeysThatMatchNothingAreSaid) {
  const Repository repository;
  // For a check, it would be the all-clear for something that is not there.
  const CommandResult check = run_command({"check", repository.root(), "--keys", "exmaple-*"});
  EXPECT_EQ(check.code, 2);
  EXPECT_EQ(check.out, "");
  EXPECT_EQ(check.err, "recipelint: no key matches --keys 'exmaple-*'; see: recipelint cells\n");
  for (const char* command : {"cells", "argv"}) {
    const CommandResult result = run_command({command, repository.root(), "--keys", "exmaple-*"});
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.err, "recipelint: no key matches --keys 'exmaple-*'\n") << command;
  }
  EXPECT_THAT(run_command({"cells", repository.root(), "--keys", "example-*"}).err, IsEmpty());
}

TEST(Options, ACommandMayStandBehindItsOptions) {
  const Repository repository;
  const std::string expected = run_command({"cells", repository.root(), "--format", "json"}).out;
  EXPECT_THAT(expected, HasSubstr("example-fp8-b300-vllm"));
  EXPECT_EQ(run_command({"--format", "json", "cells", repository.root()}).out, expected);
  EXPECT_EQ(run_command({"--format=json", "-j", "1", "cells", repository.root()}).out, expected);
  // The value of an option is no command.
  EXPECT_THAT(run_command({"--keys", "rules", repository.root()}).err,
              HasSubstr("no key matches --keys 'rules'"));
}

TEST(Options, TwoDocumentsDoNotGoToOneFile) {
  const Repository repository;
  const std::string file = repository / "out.json";
  const std::string same = repository / "./out.json";
  const CommandResult result =
      repository.check({"--format", "json=" + file, "--format", "sarif=" + same});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("two documents cannot go to one file"));
  EXPECT_FALSE(fs::exists(file));
}

TEST(Options, ExplainTakesAnyCaseAndKnowsMisspelledNames) {
  const std::string page = run_command({"explain", "RL3001"}).out;
  EXPECT_EQ(run_command({"explain", "rl3001"}).out, page);
  EXPECT_EQ(run_command({"explain", "Mutable-Image-Tag"}).out, page);
  EXPECT_THAT(run_command({"explain", "mutable-imgae-tag"}).err,
              HasSubstr("did you mean 'mutable-image-tag'?"));
  EXPECT_THAT(run_command({"explain", "rl30001"}).err, HasSubstr("did you mean 'RL3001'?"));
}

TEST(Options, ALauncherGivenAsFileStandsForTheRowsThatItStarts) {
  const Repository repository;
  repository.folder.write("configs/x-master.yaml",
                          std::string(kMaster).replace(kMaster.find("v0.27.1"), 7, "nightly"));
  const CommandResult result = run_command({"check", repository / "runners/launch_b300-nv.sh",
                                            "--format", "unix", "--select", "images"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, HasSubstr("RL3001"));
  EXPECT_THAT(result.err, IsEmpty());
}

TEST(Options, TheTextHasErrorsFirst) {
  const TemporaryFolder folder;
  folder.write("configs/runners.yaml", kRunners);
  folder.write("configs/x-master.yaml",
               std::string(kMaster).replace(kMaster.find("v0.27.1"), 7, "nightly"));
  const std::string out = run_command({"check", folder.path().string()}).out;
  const auto error = out.find("error[RL5001]");
  const auto warning = out.find("warning[RL3001]");
  ASSERT_NE(error, std::string::npos) << out;
  ASSERT_NE(warning, std::string::npos);
  EXPECT_LT(error, warning);
}

}  // namespace
}  // namespace recipelint
