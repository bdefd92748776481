// Repositories are made by the git program and read without it.

#include "analyzer/git/repository.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/git/git_tree.h"
#include "analyzer/git/pack.h"
#include "tests/support/git_repository.h"

namespace recipelint::git {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using text::EntryKind;
using Made = recipelint::testing::GitRepository;

Repository open(const std::string& path) {
  auto repository = Repository::find(path);
  if (!repository) throw std::runtime_error(repository.error().message);
  return std::move(repository).value();
}

std::string resolved(const Repository& repository, std::string_view revision) {
  const auto id = repository.resolve(revision);
  return id ? id->hex() : id.error().message;
}

std::unique_ptr<GitTree> tree_of(const Repository& repository, std::string_view revision,
                                 std::string_view prefix = "") {
  auto tree = GitTree::open(repository, *repository.resolve(revision), prefix);
  if (!tree) throw std::runtime_error(tree.error().message);
  return std::move(tree).value();
}

std::string bytes_of(const text::FileTree& tree, std::string_view path) {
  const auto bytes = tree.read(path);
  return bytes ? *bytes : bytes.error().message;
}

// Long enough for git to store the next version as a delta.
std::string long_text(int version) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += std::to_string(i * 31 % 7919) + " line\n";
  return text + "version " + std::to_string(version) + "\n";
}

struct History {
  explicit History(const std::vector<std::string>& arguments = {}) : made(arguments) {
    for (int version = 1; version <= 6; ++version) {
      made.write("folder/long.txt", long_text(version));
      commits.push_back(made.commit());
    }
  }
  void expect_all_versions() const {
    const Repository repository = open(made.path());
    for (std::size_t i = 0; i < commits.size(); ++i) {
      EXPECT_EQ(bytes_of(*tree_of(repository, commits[i]), "folder/long.txt"),
                long_text(static_cast<int>(i) + 1));
    }
  }

  Made made;
  std::vector<std::string> commits;
};

TEST(GitObjects, AreReadLoose) {
  History().expect_all_versions();
}

TEST(GitObjects, AreReadFromPacksWithDeltas) {
  const History history;
  history.made.git({"gc", "-q", "--aggressive"});
  ASSERT_THAT(history.made.git({"count-objects", "-v"}), HasSubstr("count: 0\n"));
  history.expect_all_versions();
  // The same with deltas that name their base by its id.
  history.made.git({"config", "repack.useDeltaBaseOffset", "false"});
  history.made.git({"repack", "-q", "-a", "-d", "-f"});
  history.expect_all_versions();
}

TEST(GitObjects, OfSha256RepositoriesAreRead) {
  const History history({"--object-format=sha256"});
  EXPECT_EQ(history.commits.front().size(), 64u);
  history.expect_all_versions();
  history.made.git({"gc", "-q"});
  history.expect_all_versions();
}

TEST(GitObjects, CanBeBorrowedFromAnotherRepository) {
  const History history;
  const recipelint::testing::TemporaryFolder folder;
  history.made.git({"clone", "-q", "--shared", ".", folder / "clone"});
  const Repository clone = open(folder / "clone");
  EXPECT_EQ(resolved(clone, "HEAD~2"), history.commits[3]);
  EXPECT_EQ(bytes_of(*tree_of(clone, "origin/main"), "folder/long.txt"), long_text(6));
}

TEST(GitObjects, ThatAreDamagedOrMissingAreFailures) {
  const History history;
  history.made.git({"gc", "-q"});
  const fs::path packs = fs::path(history.made.path()) / ".git" / "objects" / "pack";
  for (const auto& entry : fs::directory_iterator(packs)) {
    if (entry.path().extension() != ".pack") continue;
    fs::permissions(entry.path(), fs::perms::owner_all);
    std::fstream pack(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    pack.seekp(12);
    pack << std::string(2000, '\377');
  }
  const Repository repository = open(history.made.path());
  int failures = 0;
  for (const std::string& commit : history.commits) failures += repository.resolve(commit) ? 0 : 1;
  EXPECT_GT(failures, 0);
  fs::remove_all(packs);
  EXPECT_THAT(resolved(open(history.made.path()), "HEAD"), HasSubstr("missing or damaged"));
}

TEST(Delta, ThatIsDamagedGivesNothing) {
  const std::string base = "0123456789";
  // Sizes, then "copy 4 from 2" and "insert ab".
  const std::string sound(
      "\x0A\x06\x91\x02\x04\x02"
      "ab",
      8);
  EXPECT_EQ(apply_delta(base, sound), "2345ab");
  for (std::size_t cut = 0; cut < sound.size(); ++cut) {
    EXPECT_EQ(apply_delta(base, sound.substr(0, cut)), std::nullopt) << cut;
  }
  EXPECT_EQ(apply_delta("012345678", sound), std::nullopt);
  // Copies from behind the end, and more than was announced.
  EXPECT_EQ(apply_delta(base, std::string("\x0A\x04\x91\x08\x04", 5)), std::nullopt);
  EXPECT_EQ(apply_delta(base, std::string("\x0A\x02\x91\x02\x04", 5)), std::nullopt);
  // Command 0 is not defined; a size of ten bytes is none.
  EXPECT_EQ(apply_delta(base, std::string("\x0A\x00\x00", 3)), std::nullopt);
  EXPECT_EQ(apply_delta(base, std::string(12, '\xFF')), std::nullopt);
}

// ---------------------------------------------------------------------------------- the revisions

TEST(GitRevision, IsABranchATagAnIdOrAStepFromIt) {
  const History history;
  const Made& made = history.made;
  made.git({"tag", "light", "HEAD~1"});
  made.git({"tag", "-a", "heavy", "-m", "annotated", "HEAD~2"});
  made.git({"tag", "-a", "heavier", "-m", "a tag of a tag", "heavy"});
  made.git({"checkout", "-q", "-b", "topic/one", "HEAD~3"});
  made.git({"commit", "-q", "--allow-empty", "-m", "beside"});
  made.git({"merge", "-q", "--no-ff", "-m", "merge", "main"});
  const auto expect_same = [&made](const Repository& repository) {
    for (const char* revision :
         {"HEAD", "@", "main", "heads/main", "refs/heads/main", "topic/one", "light", "heavy",
          "heavier", "tags/heavy", "HEAD~", "HEAD^", "HEAD^2", "HEAD^^", "HEAD^2~3", "main~0",
          "heavy^{commit}", "heavy^{}", "main^0"}) {
      EXPECT_EQ(resolved(repository, revision),
                made.git({"rev-parse", std::string(revision) + "^{commit}"}))
          << revision;
    }
    const std::string id = made.git({"rev-parse", "main"});
    EXPECT_EQ(resolved(repository, id), id);
    EXPECT_EQ(resolved(repository, id.substr(0, 12)), id);
  };
  expect_same(open(made.path()));
  made.git({"pack-refs", "--all"});
  made.git({"gc", "-q"});
  expect_same(open(made.path()));
}

TEST(GitRevision, ThatIsUnknownIsRefusedWithWhatToDo) {
  const History history;
  const Repository repository = open(history.made.path());
  for (const char* revision : {"no-such", "", "main~99", "HEAD^3", "HEAD@{1}", ":/text",
                               "../config", "config", "refs/../config", "HEAD~x",
                               "1234567890abcdef", "0123456789012345678901234567890123456789"}) {
    EXPECT_FALSE(repository.resolve(revision)) << revision;
  }
  EXPECT_THAT(resolved(repository, "no-such"),
              HasSubstr("no commit is called 'no-such'; name a branch, tag or commit"));
  EXPECT_THAT(resolved(repository, "HEAD:folder"), HasSubstr("no commit is called"));
}

TEST(GitRevision, IsFoundInALinkedWorkTree) {
  const History history;
  const recipelint::testing::TemporaryFolder folder;
  history.made.git({"worktree", "add", "-q", "-b", "other", folder / "tree", "HEAD~1"});
  fs::create_directories(folder / "tree/deep/er");
  const Repository repository = open(folder / "tree/deep/er");
  EXPECT_EQ(repository.work_tree(), folder / "tree");
  EXPECT_EQ(repository.branch(), "other");
  EXPECT_EQ(resolved(repository, "HEAD"), history.commits[4]);
  EXPECT_EQ(resolved(repository, "main"), history.commits[5]);
}

TEST(GitRepository, MustBeThereAndBeKeptInFiles) {
  const recipelint::testing::TemporaryFolder folder;
  EXPECT_THAT(Repository::find(folder.path().string()).error().message,
              HasSubstr("is in no git repository"));
  folder.write(".git", "nothing of git\n");
  EXPECT_THAT(Repository::find(folder.path().string()).error().message,
              HasSubstr("is no git directory"));
  const Made made;
  made.git({"config", "extensions.refstorage", "reftable"});
  EXPECT_THAT(Repository::find(made.path()).error().message, HasSubstr("kept as 'reftable'"));
}

TEST(MergeBase, IsWhatGitSays) {
  const Made made;
  const auto commit = [&made](const std::string& branch) {
    made.git({"checkout", "-q", branch});
    made.commit(branch);
  };
  made.commit("root");
  made.git({"branch", "topic"});
  commit("main");
  commit("topic");
  made.git({"merge", "-q", "-m", "merge", "main"});
  commit("main");
  commit("topic");
  made.git({"branch", "side", "main~2"});
  commit("side");
  const Repository repository = open(made.path());
  for (const auto& [a, b] : std::vector<std::pair<std::string, std::string>>{{"main", "topic"},
                                                                             {"topic", "main"},
                                                                             {"side", "topic"},
                                                                             {"main", "side"},
                                                                             {"main", "main"},
                                                                             {"main~2", "topic"}}) {
    const auto base = repository.merge_base(*repository.resolve(a), *repository.resolve(b));
    ASSERT_TRUE(base) << a << " " << b;
    EXPECT_EQ(base->hex(), made.git({"merge-base", a, b})) << a << " " << b;
  }
  made.git({"checkout", "-q", "--orphan", "unrelated"});
  const std::string orphan = made.commit();
  const Repository again = open(made.path());
  EXPECT_EQ(again.merge_base(*again.resolve(orphan), *again.resolve("main")), std::nullopt);
}

// --------------------------------------------------------------------------------------- the tree

TEST(GitTree, HasTheFilesOfTheCommitAndFollowsLinksInside) {
  const Made made;
  made.write("a/file.sh", "one\n");
  made.write("a.txt", "sorted before a/ by git\n");
  made.write("outside.txt", "above the prefix\n");
  fs::create_symlink("file.sh", made.path() + "/a/link.sh");
  fs::create_symlink("../outside.txt", made.path() + "/a/up.txt");
  fs::create_symlink("/etc/passwd", made.path() + "/a/absolute");
  fs::create_symlink("nowhere", made.path() + "/a/dangling");
  fs::create_symlink("loop", made.path() + "/a/loop");
  fs::create_symlink("a", made.path() + "/folder");
  made.commit();
  made.write("a/file.sh", "changed since\n");
  made.write("b.txt", "new\n");
  const Repository repository = open(made.path());
  const auto tree = tree_of(repository, "HEAD");
  EXPECT_EQ(bytes_of(*tree, "a/file.sh"), "one\n");
  EXPECT_EQ(bytes_of(*tree, "./a//x/../link.sh"), "one\n");
  EXPECT_EQ(bytes_of(*tree, "folder/file.sh"), "one\n");
  EXPECT_EQ(bytes_of(*tree, "a/up.txt"), "above the prefix\n");
  EXPECT_EQ(bytes_of(*tree, "b.txt"), "cannot read 'b.txt': no such file");
  EXPECT_EQ(bytes_of(*tree, "a"), "cannot read 'a': it is a folder");
  EXPECT_EQ(bytes_of(*tree, "../x"), "cannot read '../x': it lies outside the root");
  EXPECT_EQ(tree->kind(""), EntryKind::kFolder);
  EXPECT_EQ(tree->kind("folder"), EntryKind::kFolder);
  EXPECT_EQ(tree->kind("a/file.sh/x"), EntryKind::kMissing);
  for (const char* link : {"a/absolute", "a/dangling", "a/loop"}) {
    EXPECT_EQ(tree->kind(link), EntryKind::kOutside) << link;
  }
  EXPECT_THAT(tree->list(""), ElementsAre(text::FolderEntry{"a", EntryKind::kFolder},
                                          text::FolderEntry{"a.txt", EntryKind::kFile},
                                          text::FolderEntry{"folder", EntryKind::kFolder, true},
                                          text::FolderEntry{"outside.txt", EntryKind::kFile}));
  EXPECT_THAT(tree->list("no-such"), IsEmpty());

  const auto below = tree_of(repository, "HEAD", "a");
  EXPECT_EQ(bytes_of(*below, "link.sh"), "one\n");
  EXPECT_EQ(below->kind("up.txt"), EntryKind::kOutside);
  const auto nothing = tree_of(repository, "HEAD", "not/there/yet");
  EXPECT_EQ(nothing->kind(""), EntryKind::kFolder);
  EXPECT_THAT(nothing->list(""), IsEmpty());
}

TEST(GitTree, IsNotReadFromAnObjectOfAnotherType) {
  const Made made;
  made.write("a.txt", "text\n");
  made.commit();
  const std::string blob = made.git({"rev-parse", "HEAD:a.txt"});
  made.write("commit", "tree " + blob + "\nauthor a <a> 1 +0000\ncommitter a <a> 1 +0000\n\nx\n");
  const std::string odd =
      made.git({"hash-object", "-t", "commit", "-w", "--literally", made.path() + "/commit"});
  const Repository repository = open(made.path());
  const auto id = repository.resolve(odd);
  ASSERT_TRUE(id) << id.error().message;
  const auto tree = GitTree::open(repository, *id, "");
  ASSERT_FALSE(tree.ok());
  EXPECT_EQ(tree.error().message, "the git object " + blob + " is no tree");
}

// On disk and in git, the same tree is the same.
TEST(GitTree, IsLikeTheTreeOnDisk) {
  const Made made;
  made.write("x/y/z.sh", "z\n");
  made.write("x/y.sh", "y\n");
  fs::create_symlink("y/z.sh", made.path() + "/x/l");
  fs::create_symlink("../../etc", made.path() + "/x/out");
  made.commit();
  const Repository repository = open(made.path());
  const auto tree = tree_of(repository, "HEAD");
  const auto disk = text::DiskTree::open(made.path());
  for (const char* path : {"x", "x/y", "x/y/z.sh", "x/l", "x/out", "x/no", "x/../x/l", "x/l/z"}) {
    EXPECT_EQ(tree->kind(path), disk->kind(path)) << path;
    EXPECT_EQ(tree->list(path), disk->list(path)) << path;
    EXPECT_EQ(tree->read(path).ok(), disk->read(path).ok()) << path;
  }
}

TEST(GitConfiguration, IsReadAsGitDoes) {
  const std::string text =
      "# comment\n[core]\n\tbare = false\n[Remote \"Origin\"]\n\turl = wrong\n"
      "[remote \"origin\"]\n\turl = \"a b\" # why\n\tURL = second\\\\x ; more\n[extensions] "
      "ObjectFormat = sha256\n";
  EXPECT_EQ(configuration_value(text, "remote \"origin\"", "url"), "second\\x");
  EXPECT_EQ(configuration_value(text, "extensions", "objectformat"), "sha256");
  EXPECT_EQ(configuration_value(text, "core", "url"), std::nullopt);
}

}  // namespace
}  // namespace recipelint::git
