// Repositories made to take the program down, to make it read what it must not, or to speak through
// its output: time and memory stay bounded, the exit code tells, every document stays well-formed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/text/utf8.h"
#include "tests/support/bounded_run.h"
#include "tests/support/git_repository.h"
#include "tests/support/paths.h"
#include "tests/support/shell_oracle.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/xml.h"

namespace recipelint {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::AnyOf;
using testing::BoundedRun;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Lt;
using ::testing::Not;
using testing::run_bounded;
using ::testing::StartsWith;
using testing::TemporaryFolder;

constexpr const char* kFormats[] = {"text", "unix", "json", "sarif", "github", "gitlab", "junit"};
constexpr std::string_view kRunners = "labels:\n  b300:\n  - b300-nv_01\n";
constexpr std::string_view kScript =
    "benchmarks/single_node/fixed_seq_len/example_fp8_b300_vllm.sh";
constexpr std::string_view kLaunch = "vllm serve \"$MODEL\" --tensor-parallel-size \"$TP\"\n";
constexpr std::string_view kFields =
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
    "      search-space:\n";

std::string entry(const std::string& key, const std::string& row) {
  return key + ":\n" + std::string(kFields) + "      - " + row + "\n";
}

const std::string kEntry = entry("example-fp8-b300-vllm", "{ tp: 8, conc-start: 4, conc-end: 64 }");

/// A whole repository in which all is well, but for what a test puts there.
struct Repository {
  Repository() {
    folder.write("configs/runners.yaml", kRunners);
    folder.write("configs/x-master.yaml", kEntry);
    folder.write("runners/launch_b300-nv.sh", "#!/usr/bin/env bash\n");
    folder.write(kScript, kLaunch);
    fs::permissions(folder.path(), fs::perms(0755));
  }
  std::string root() const { return folder.path().string(); }
  std::string operator/(std::string_view name) const { return folder / name; }
  BoundedRun check(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"check", root(), "--root", root(), "--format", "unix"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_bounded(arguments);
  }
  /// A file of zeros that takes no room on the disk.
  void write_sparse(std::string_view name, std::uintmax_t bytes) const {
    folder.write(name, "");
    fs::resize_file(folder / name, bytes);
  }

  TemporaryFolder folder;
};

constexpr std::uintmax_t kMebibyte = 1u << 20u;

void expect_bounded(const BoundedRun& run, double seconds, double mebibytes) {
  EXPECT_NE(run.code, -1) << run.err;
  if (!testing::measures_tell()) return;
  EXPECT_THAT(run.seconds, Lt(seconds));
  EXPECT_THAT(run.mebibytes, Lt(mebibytes));
}

BoundedRun check_script(const std::string& script) {
  const Repository repository;
  repository.folder.write(kScript, script);
  return repository.check();
}

BoundedRun check_master(const std::string& master) {
  const Repository repository;
  repository.folder.write("configs/x-master.yaml", master);
  return repository.check();
}

// -------------------------------------------------------------------------------- links and sizes

TEST(HostileRepository, FoldersThatLinkToThemselvesAreVisitedOnce) {
  const Repository plain;
  const Repository linked;
  fs::create_symlink(".", linked / "again");
  fs::create_symlink("../configs", linked / "configs/more");
  const BoundedRun run = linked.check();
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_EQ(run.out, plain.check().out);
}

TEST(HostileRepository, ANamedFolderOfRecipesThatHoldsItselfEnds) {
  const Repository repository;
  const std::string recipes = "benchmarks/multi_node/srt-slurm-recipes";
  repository.folder.write(recipes + "/a/x.yaml", "resources: {}\nbackend: {}\n");
  fs::create_symlink("..", repository / (recipes + "/a/up"));
  fs::create_symlink("../..", repository / (recipes + "/a/top"));
  const BoundedRun run = run_bounded({"check", repository / recipes, "--root", repository.root()});
  expect_bounded(run, 10, 300);
}

TEST(HostileRepository, FilesThatAreTooLargeTogetherAreNamed) {
  const Repository repository;
  for (const char* name :
       {"configs/a-master.yaml", "configs/b-master.yaml", "configs/c-master.yaml"}) {
    repository.write_sparse(name, 50 * kMebibyte);
  }
  const BoundedRun run = repository.check();
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.out,
              AllOf(HasSubstr("configs/c-master.yaml"), HasSubstr("the limit of one run")));
  expect_bounded(run, 20, 1000);
}

TEST(HostileRepository, FilesOf200MebibytesAreNamedAndNotRead) {
  for (const std::string_view name :
       {std::string_view("configs/x-master.yaml"), std::string_view("perf-changelog.yaml"),
        std::string_view("configs/runners.yaml"), kScript}) {
    const Repository repository;
    repository.write_sparse(name, 200 * kMebibyte);
    const BoundedRun run = repository.check();
    EXPECT_EQ(run.code, 3) << name << run.out << run.err;
    EXPECT_THAT(run.out, AllOf(HasSubstr(name), HasSubstr("more than the limit of")));
    expect_bounded(run, 10, 100);
  }
  const Repository repository;
  repository.write_sparse(".recipelint.yaml", 200 * kMebibyte);
  repository.write_sparse("known.json", 200 * kMebibyte);
  EXPECT_EQ(repository.check().code, 2);
  EXPECT_EQ(repository.check({"--no-config", "--baseline", repository / "known.json"}).code, 2);
}

// ------------------------------------------------------------------------------- what YAML can say

TEST(HostileRepository, AliasesThatMultiplyAreRefused) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int k = 0; k < 9; ++k) bomb += ", " + before;
    bomb += "]\n";
  }
  const BoundedRun run = check_master(bomb + kEntry);
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.out, HasSubstr("configs/x-master.yaml"));
  expect_bounded(run, 20, 1000);
}

TEST(HostileRepository, ThousandsOfKeysEnd) {
  std::string master = "k0: &entry\n" + std::string(kFields) + "      - {tp: 8, conc-list: [4]}\n";
  for (int i = 1; i < 5'000; ++i) master += "k" + std::to_string(i) + ": *entry\n";
  const BoundedRun run = check_master(master);
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  expect_bounded(run, 60, 2000);
}

TEST(HostileRepository, HugeNumbersInRowsEnd) {
  for (const char* row :
       {"{ tp: 1000000000, ep: 4611686018427387904, conc-start: 1, conc-end: 4611686018427387904 }",
        "{ tp: 0, conc-start: 0, conc-end: 10 }", "{ tp: -8, conc-start: -4, conc-end: -1 }",
        "{ tp: 9223372036854775807, conc-list: [9223372036854775807] }"}) {
    const BoundedRun run = check_master(entry("example-fp8-b300-vllm", row));
    EXPECT_THAT(run.code, AnyOf(0, 1)) << row << run.out << run.err;
    expect_bounded(run, 10, 200);
  }
}

// ------------------------------------------------------------------------------ what scripts can
// do

TEST(HostileRepository, ScriptsWithoutAnEndAreCutOff) {
  const struct {
    const char* what;
    const char* script;
  } cases[] = {
      {"an endless loop", "while true; do n=$((n + 1)); done\n"},
      {"a text that doubles", "s=x; while true; do s=$s$s; done\n"},
      {"an array that doubles", "a=(x); while true; do a+=(\"${a[@]}\"); done\n"},
      {"functions that call each other", "f() { f; f; }; f\n"},
      {"text that becomes twice its program",
       "c=echo; for i in {1..40}; do c=\"eval $c; eval $c\"; done; eval $c\n"},
      {"brace expansion", "echo {1..10}{1..10}{1..10}{1..10}{1..10}{1..10}{1..10}{1..10}\n"},
      {"a wide number", "printf '%1000000000d' 1; seq 1 1000000000\n"},
  };
  for (const auto& each : cases) {
    const BoundedRun run = check_script(each.script + std::string(kLaunch));
    EXPECT_THAT(run.code, AnyOf(0, 1)) << each.what << run.out << run.err;
    expect_bounded(run, 20, 500);
  }
}

TEST(HostileRepository, DeepAndUnclosedSyntaxEnds) {
  constexpr std::size_t kDepth = 20'000;
  for (const std::string part :
       {"$(", "((", "`", "${", "\"$(", "[[ ( ", "if x; then ", "{ ", "case x in ", "$((", "a[",
        "<(", "$'", "cat <<E\n$(", "x=(", "f() { ", "! ", "x | ", "x && "}) {
    std::string script;
    for (std::size_t i = 0; i < kDepth; ++i) script += part;
    const BoundedRun run = check_script(script + "\n" + std::string(kLaunch));
    EXPECT_THAT(run.code, AnyOf(0, 1, 3)) << part << run.err;
    expect_bounded(run, 20, 500);
  }
}

TEST(HostileRepository, LongArgumentsAreCutOffInMessages) {
  const BoundedRun run =
      check_script("vllm serve m --speculative-config '" + std::string(100'000, '[') + "'\n");
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.out, HasSubstr("--speculative-config"));
  EXPECT_LT(run.out.size(), 10'000u);
}

// ------------------------------------------------------------------------------ outside of the
// root

TEST(HostileRepository, NothingOutsideOfTheRootIsOpened) {
  const TemporaryFolder outside;
  const std::string canary = outside.write("canary", "SECRET_WORD=1\nvllm serve --secret-word\n");
  const Repository repository;
  repository.folder.write(kScript, "source '" + canary + "'\n. ../../../../../../../.." + canary +
                                       "\ncat '" + canary + "' | read -r x\nx=$(< '" + canary +
                                       "')\nsource \"$(dirname \"$0\")/link.sh\"\n" +
                                       std::string(kLaunch));
  fs::create_symlink(canary, repository / (fs::path(kScript).parent_path() / "link.sh").string());
  fs::create_symlink(canary, repository / "configs/y-master.yaml");
  fs::create_directories(repository.folder.path() / "golden_al_distribution");
  fs::create_symlink(canary, repository / "golden_al_distribution/example_mtp.yaml");
  fs::create_symlink(outside.path(), repository / "benchmarks/multi_node");
  const BoundedRun run = repository.check();
  EXPECT_THAT(run.out + run.err, Not(HasSubstr("secret-word")));
  EXPECT_THAT(run.out + run.err, Not(HasSubstr("SECRET_WORD")));
  if (!testing::has_program("strace")) return;
  const std::string log = outside / "trace";
  const std::string command = "strace -f -o '" + log + "' -e trace=open,openat '" +
                              testing::program_path() + "' check '" + repository.root() +
                              "' --root '" + repository.root() + "' >/dev/null 2>&1";
  static_cast<void>(std::system(command.c_str()));
  std::ifstream trace(log);
  const std::string calls{std::istreambuf_iterator<char>(trace), {}};
  if (calls.find("configs/x-master.yaml") == std::string::npos) return;  // tracing is not allowed
  EXPECT_THAT(calls, Not(HasSubstr(canary)));
  EXPECT_THAT(calls, Not(HasSubstr("link.sh")));
}

TEST(HostileRepository, PipesAndDevicesAreNeverOpened) {
  const struct {
    std::string_view name;
    int code;
  } cases[] = {
      {".recipelint.yaml", 2},
      {"configs/x-master.yaml", 3},
      {"configs/runners.yaml", 3},
      {"perf-changelog.yaml", 3},
      {kScript, 1},
      {"runners/launch_b300-nv.sh", 0},
      {"golden_al_distribution/example_mtp.yaml", 0},
  };
  for (const auto& each : cases) {
    for (const char* target : {"", "/dev/zero", "/dev/full"}) {
      const Repository repository;
      repository.folder.write(each.name, "");
      fs::remove(repository / each.name);
      if (*target == '\0') {
        ASSERT_EQ(::mkfifo((repository / each.name).c_str(), 0644), 0);
      } else {
        fs::create_symlink(target, repository / each.name);
      }
      EXPECT_EQ(repository.check().code, each.code) << each.name << target;
    }
  }
  const Repository repository;
  const std::string pipe = repository / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0644), 0);
  EXPECT_EQ(repository.check({"--config", pipe}).code, 2);
  EXPECT_EQ(repository.check({"--baseline", pipe}).code, 2);
  EXPECT_EQ(repository.check({"--config", "/dev/zero"}).code, 2);
  EXPECT_EQ(repository.check({"--baseline", "/dev/zero"}).code, 2);
}

// -------------------------------------------------------------------------------------- the output

void write_hostile_names(const Repository& repository) {
  int number = 0;
  for (const char* name :
       {"configs/\x1B]0;title\x07-master.yaml", "configs/::error::x-master.yaml",
        "configs/a\nb-master.yaml", "configs/\xFF-master.yaml", "configs/%0A,b:c-master.yaml",
        "configs/<b>[x](https:x)-master.yaml", "configs/##[error]-master.yaml"}) {
    const std::string key =
        "\"\\e[31m::error::<script>\\n##[error]" + std::to_string(number++) + "\"";
    repository.folder.write(name, entry(key, "{tp: \"x](y)\", conc-list: [4]}"));
  }
}

void expect_plain_lines(const std::string& document) {
  EXPECT_EQ(text::to_valid_utf8(document), document);
  for (const char c : document) {
    const auto byte = static_cast<unsigned char>(c);
    ASSERT_TRUE(c == '\n' || (byte >= 0x20 && byte != 0x7F)) << document;
  }
  EXPECT_THAT(document, Not(HasSubstr("##[error]")));
}

void expect_annotations(const std::string& document) {
  std::istringstream lines(document);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_THAT(line, AnyOf(StartsWith("::error file="), StartsWith("::warning file="),
                            StartsWith("::notice file=")));
  }
}

TEST(HostileRepository, NamesCannotSpeakThroughAnyFormat) {
  const Repository repository;
  write_hostile_names(repository);
  for (const std::string format : kFormats) {
    const BoundedRun run =
        run_bounded({"check", repository.root(), "--root", repository.root(), "--format", format});
    EXPECT_EQ(run.code, 1) << format << run.err;
    if (format == "json" || format == "sarif" || format == "gitlab") {
      EXPECT_TRUE(nlohmann::json::accept(run.out)) << format;
      continue;
    }
    expect_plain_lines(run.out);
    EXPECT_EQ(format == "junit" ? testing::xml_error(run.out) : "", "");
    if (format == "github") expect_annotations(run.out);
  }
}

TEST(HostileRepository, AFullDiskIsSaid) {
  const Repository repository;
  for (const std::string format : kFormats) {
    const std::vector<std::string> arguments = {"check", repository.root(), "--root",
                                                repository.root(), "--format"};
    std::vector<std::string> to_output = arguments;
    to_output.push_back(format);
    const BoundedRun output = run_bounded(to_output, ">/dev/full");
    EXPECT_EQ(output.code, 2) << format;
    EXPECT_THAT(output.err, HasSubstr("cannot write to standard output"));
    std::vector<std::string> to_file = arguments;
    to_file.push_back(format + "=/dev/full");
    const BoundedRun file = run_bounded(to_file);
    EXPECT_EQ(file.code, 2) << format;
    EXPECT_THAT(file.err, HasSubstr("cannot write '/dev/full'"));
  }
  for (const char* command : {"cells", "argv", "memory"}) {
    EXPECT_EQ(run_bounded({command, repository.root(), "--format", "json"}, ">/dev/full").code, 2)
        << command;
  }
}

TEST(HostileRepository, ARootThatCannotBeWrittenIsRead) {
  const Repository repository;
  fs::permissions(repository.folder.path(), fs::perms(0555));
  EXPECT_EQ(repository.check().code, 0);
  // The superuser writes all the same.
  if (::geteuid() != 0) {
    const BoundedRun run = repository.check({"--write-baseline", repository / "known.json"});
    EXPECT_EQ(run.code, 2);
    EXPECT_THAT(run.err, HasSubstr("cannot write"));
  }
  fs::permissions(repository.folder.path(), fs::perms(0755));
}

// ------------------------------------------------------------------------------------- git objects

std::vector<fs::path> object_files(const std::string& repository) {
  std::vector<fs::path> files;
  for (const auto& each : fs::recursive_directory_iterator(repository + "/.git/objects")) {
    if (each.is_regular_file()) files.push_back(each.path());
  }
  return files;
}

void damage(const fs::path& file, int how) {
  fs::permissions(file, fs::perms(0644));
  std::fstream bytes(file, std::ios::binary | std::ios::in | std::ios::out);
  if (how == 0) {
    fs::resize_file(file, fs::file_size(file) / 2);
  } else if (how == 1) {
    bytes.seekp(static_cast<std::streamoff>(fs::file_size(file) / 2));
    bytes.put('\x7F').put('\x7F');
  } else {
    fs::resize_file(file, 1'000 * kMebibyte);  // sparse
  }
}

TEST(HostileRepository, DamagedGitObjectsNeverCrashAComparison) {
  for (const bool packed : {false, true}) {
    for (int how = 0; how < 3; ++how) {
      const testing::GitRepository repository;
      repository.write("configs/runners.yaml", kRunners);
      repository.write("configs/x-master.yaml", kEntry);
      repository.commit();
      repository.write("configs/x-master.yaml", "# changed\n" + kEntry);
      repository.commit();
      if (packed) repository.git({"gc", "-q"});
      for (const fs::path& file : object_files(repository.path())) damage(file, how);
      const BoundedRun run = run_bounded({"check", repository.path(), "--root", repository.path(),
                                          "--diff-base", "HEAD~1", "--format", "unix"});
      EXPECT_THAT(run.code, AnyOf(0, 1, 2, 3)) << run.err;
      EXPECT_THAT(run.out, IsEmpty()) << "nothing may pass for a comparison";
      expect_bounded(run, 10, 500);
    }
  }
}

}  // namespace
}  // namespace recipelint
