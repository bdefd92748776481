// --diff-base: what the change since a revision introduced, and nothing else.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "analyzer/app/revision.h"
#include "tests/support/command.h"
#include "tests/support/git_repository.h"

namespace recipelint {
namespace {

using ::testing::AllOf;
using testing::CommandResult;
using testing::GitRepository;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::run_command;

std::string entry(const std::string& key, const std::string& image, const std::string& rows) {
  return key + ":\n  image: " + image +
         "\n  model: example-org/Example\n  model-prefix: " + key.substr(0, key.find('-')) +
         "\n  precision: fp8\n  framework: vllm\n  runner: h200\n  multinode: false\n  scenarios:\n"
         "    fixed-seq-len:\n    - isl: 8192\n      osl: 1024\n      search-space:\n      - " +
         rows + "\n";
}

const std::string kRow = "{ tp: 8, conc-list: [4] }";

struct Repository : GitRepository {
  Repository() {
    write("configs/runners.yaml", "labels:\n  h200:\n  - h200-cw_00\n");
    write("configs/x-master.yaml", entry("a-vllm", "vllm/vllm-openai:nightly", kRow));
  }
  CommandResult check(const std::string& base, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"check",       path(),     "--format",
                                          "unix",        "--select", "images,shell,schema",
                                          "--diff-base", base};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_command(arguments);
  }
};

TEST(DiffBase, LeavesOutWhatWasThereAlsoWhenItsLineMoved) {
  const Repository repository;
  repository.commit();
  EXPECT_EQ(repository.check("HEAD").code, 0);
  repository.write("configs/x-master.yaml", "# moves all lines\n\n" +
                                                entry("b-vllm", "vllm/vllm-openai:latest", kRow) +
                                                entry("a-vllm", "vllm/vllm-openai:nightly", kRow));
  const CommandResult result = repository.check("HEAD");
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("latest"), Not(HasSubstr("nightly"))));
  EXPECT_THAT(repository.check("HEAD", {"--fail-on", "never"}).out, HasSubstr("latest"));
}

TEST(DiffBase, SeesWhatAChangeElsewhereBreaks) {
  const Repository repository;
  repository.write("runners/launch_h200-cw.sh",
                   "bash benchmarks/single_node/fixed_seq_len/${EXP_NAME%%_*}_fp8_h200.sh\n");
  repository.write("benchmarks/single_node/fixed_seq_len/a_fp8_h200.sh",
                   "source ../../lib.sh\nvllm serve \"$MODEL\"\n");
  repository.commit();
  std::filesystem::remove(repository.path() + "/configs/runners.yaml");
  repository.write("configs/runners.yaml", "labels:\n  b200:\n  - b200-cw_00\n");
  const CommandResult result = run_command({"check", repository.path(), "--format", "unix",
                                            "--select", "references", "--diff-base", "HEAD"});
  EXPECT_THAT(result.out, AllOf(HasSubstr("[RL5003]"), Not(HasSubstr("RL5005"))));
}

TEST(DiffBase, IsWhereTheBranchesParted) {
  const Repository repository;
  repository.commit();
  repository.git({"checkout", "-q", "-b", "topic"});
  repository.write("docs.md", "text\n");
  repository.commit();
  // What main repaired since is not introduced by the topic.
  repository.git({"checkout", "-q", "main"});
  repository.write("configs/x-master.yaml", entry("a-vllm", "vllm/vllm-openai:v0.27.1", kRow));
  repository.commit();
  repository.git({"checkout", "-q", "topic"});
  EXPECT_EQ(repository.check("main").code, 0) << repository.check("main").out;
}

TEST(DiffBase, ReportsWhatBecameWorseOrIsNoLongerIgnored) {
  const Repository repository;
  repository.write("configs/x-master.yaml",
                   "# recipelint: ignore-file[RL3001] tests the nightly build\n" +
                       entry("a-vllm", "vllm/vllm-openai:nightly", kRow));
  repository.commit();
  repository.write("configs/x-master.yaml", entry("a-vllm", "vllm/vllm-openai:nightly", kRow));
  EXPECT_THAT(repository.check("HEAD").out, HasSubstr("RL3001"));
}

TEST(DiffBase, ReadsNoFileOfTheOldRevisionFromDisk) {
  const Repository repository;
  repository.commit();
  // Packed, and behind a root below the top.
  repository.git({"gc", "-q"});
  repository.write("configs/x-master.yaml", entry("a-vllm", "vllm/vllm-openai:latest", kRow));
  EXPECT_THAT(repository.check("HEAD").out, HasSubstr("latest"));
  const GitRepository outer;
  outer.write("suite/configs/runners.yaml", "labels:\n  h200:\n  - h200-cw_00\n");
  outer.write("suite/configs/x-master.yaml", entry("a-vllm", "vllm/vllm-openai:nightly", kRow));
  outer.commit();
  const CommandResult below = run_command(
      {"check", "--root", outer.path() + "/suite", outer.path() + "/suite", "--diff-base", "HEAD"});
  EXPECT_EQ(below.code, 0) << below.out;
}

TEST(DiffBase, WithoutAnythingBeforeReportsEverything) {
  const Repository repository;
  repository.git({"commit", "-q", "--allow-empty", "-m", "empty"});
  EXPECT_THAT(repository.check("HEAD").out, HasSubstr("nightly"));
}

TEST(DiffBase, ThatIsNoRevisionIsWrongUsage) {
  const Repository repository;
  repository.commit();
  const CommandResult unknown = repository.check("origin/main");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_EQ(unknown.out, "");
  EXPECT_EQ(unknown.err,
            "recipelint: --diff-base: no commit is called 'origin/main'; name a branch, tag or "
            "commit of this repository (in CI, fetch it first)\n");
  const testing::TemporaryFolder plain;
  plain.write("configs/x-master.yaml", entry("a-vllm", "vllm/vllm-openai:nightly", kRow));
  const CommandResult outside =
      run_command({"check", plain.path().string(), "--diff-base", "HEAD"});
  EXPECT_EQ(outside.code, 2);
  EXPECT_THAT(outside.err, AllOf(HasSubstr("recipelint: --diff-base needs git: '"),
                                 HasSubstr("' is in no git repository; use --baseline there\n")));
}

TEST(DiffBase, OfAShallowCloneIsTheNamedCommitItself) {
  const Repository repository;
  repository.commit();
  repository.git({"checkout", "-q", "-b", "topic"});
  repository.commit();
  repository.commit();
  const testing::TemporaryFolder folder;
  repository.git({"clone", "-q", "--depth=1", "--no-single-branch", "file://" + repository.path(),
                  folder / "clone"});
  const CommandResult result =
      run_command({"check", folder / "clone", "--diff-base", "origin/main"});
  EXPECT_EQ(result.code, 0) << result.out;
  EXPECT_THAT(result.err, HasSubstr("comparing with 'origin/main' itself\n"));
}

TEST(VersionControl, IsInSarifWithoutCredentials) {
  const Repository repository;
  const std::string commit = repository.commit();
  const auto provenance = [&repository] {
    const auto log =
        nlohmann::json::parse(run_command({"check", repository.path(), "--format", "sarif"}).out);
    return log["runs"][0].value("versionControlProvenance", nlohmann::json());
  };
  EXPECT_TRUE(provenance().is_null());
  repository.git({"remote", "add", "origin", "https://user:secret@example.org/owner/repo.git"});
  EXPECT_EQ(
      provenance(),
      nlohmann::json::parse("[{\"repositoryUri\":\"https://example.org/owner/repo\",\"branch\":"
                            "\"main\",\"mappedTo\":{\"uriBaseId\":\"SRCROOT\"},\"revisionId\":\"" +
                            commit + "\"}]"));
}

TEST(VersionControl, KnowsTheFormsOfAddresses) {
  for (const auto& [remote, uri] : std::vector<std::pair<std::string, std::string>>{
           {"git@example.org:owner/repo.git", "https://example.org/owner/repo"},
           {"ssh://git@example.org/owner/repo", "https://example.org/owner/repo"},
           {"https://example.org/owner/repo/", "https://example.org/owner/repo"},
           {"/srv/git/repo.git", ""},
           {"../repo", ""},
           {"file:///srv/repo.git", ""},
           {"", ""}}) {
    EXPECT_EQ(app::repository_uri(remote), uri) << remote;
  }
}

}  // namespace
}  // namespace recipelint
