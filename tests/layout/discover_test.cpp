#include "analyzer/layout/discover.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace recipelint::layout {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kMaster =
    "key:\n  runner: lab\n  scenarios:\n    fixed-seq-len:\n    - search-space: []\n";
constexpr const char* kOlderMaster = "key:\n  runner: lab\n  seq-len-configs:\n  - isl: 1\n";
constexpr const char* kRecipe = "name: x\nresources:\n  gpu_type: g\nbackend:\n  type: vllm\n";

Discovery discover_in(const text::MemoryTree& tree, std::vector<std::string> named = {}) {
  text::SourceStore sources(tree);
  DiscoverOptions options;
  options.named = std::move(named);
  return discover(sources, options);
}

TEST(Discover, FindsAMasterByContentWhereverItLies) {
  text::MemoryTree tree;
  tree.add("tuning/space/all.yaml", kMaster);
  tree.add("tuning/space/runners.yaml", "labels: {}\n");
  tree.add("tuning/space/other.yaml", "key: 1\n");
  tree.add("tuning/runners/launch_lab.sh", "");
  tree.add("tuning/perf-changelog.yaml", "[]\n");
  const Discovery found = discover_in(tree);
  ASSERT_EQ(found.sites.size(), 1u);
  EXPECT_EQ(found.sites[0].root, "tuning");
  EXPECT_EQ(found.sites[0].folder, "tuning/space");
  EXPECT_THAT(found.sites[0].masters, ElementsAre("tuning/space/all.yaml"));
  EXPECT_EQ(found.sites[0].runners, "tuning/space/runners.yaml");
  EXPECT_EQ(found.sites[0].changelog, "tuning/perf-changelog.yaml");
}

TEST(Discover, KeepsTwoGenerationsAndNestedCopiesApart) {
  text::MemoryTree tree;
  tree.add(".github/configs/nvidia-master.yaml", kOlderMaster);
  tree.add("configs/amd-master.yaml", kMaster);
  tree.add("configs/nvidia-master.yaml", kMaster);
  tree.add("benchmarks/benchmark_lib.sh", "");
  tree.add("vendor/suite/configs/amd-master.yaml", kMaster);
  tree.add("vendor/suite/benchmarks/benchmark_lib.sh", "");
  const Discovery found = discover_in(tree);
  ASSERT_EQ(found.sites.size(), 3u);
  EXPECT_EQ(found.sites[0].folder, ".github/configs");
  EXPECT_EQ(found.sites[0].root, "");
  EXPECT_THAT(found.sites[1].masters,
              ElementsAre("configs/amd-master.yaml", "configs/nvidia-master.yaml"));
  EXPECT_EQ(found.sites[2].root, "vendor/suite");
}

TEST(Discover, TakesTheFolderAboveTheConfigurationsAsRepository) {
  text::MemoryTree tree;
  tree.add("a/configs/x-master.yaml", kMaster);
  tree.add("b/.github/configs/x-master.yaml", kMaster);
  tree.add("c/space/x-master.yaml", kMaster);
  const Discovery found = discover_in(tree);
  ASSERT_EQ(found.sites.size(), 3u);
  EXPECT_EQ(found.sites[0].root, "a");
  EXPECT_EQ(found.sites[1].root, "b");
  EXPECT_EQ(found.sites[2].root, "c/space");
}

TEST(Discover, LeavesDeprecatedFoldersOutUnlessTheyAreNamed) {
  text::MemoryTree tree;
  tree.add("configs/x-master.yaml", kMaster);
  tree.add("configs/deprecated/y-master.yaml", kMaster);
  EXPECT_EQ(discover_in(tree).sites.size(), 1u);
  EXPECT_EQ(discover_in(tree, {"configs/deprecated"}).sites.size(), 2u);
  EXPECT_EQ(discover_in(tree, {"configs/deprecated/y-master.yaml"}).sites.size(), 2u);
  EXPECT_EQ(discover_in(tree, {"configs"}).sites.size(), 1u);
}

TEST(Discover, DoesNotTakeRecipesOrWorkflowsForMasters) {
  text::MemoryTree tree;
  tree.add(".github/workflows/run.yml", kMaster);
  tree.add("node_modules/x/master.yaml", kMaster);
  tree.add("recipes/a.yaml", kRecipe);
  tree.add("docs/note.yaml", "text: 'runner: x'\n");
  const Discovery found = discover_in(tree);
  EXPECT_THAT(found.sites, IsEmpty());
  EXPECT_THAT(found.recipes, ElementsAre("recipes/a.yaml"));
}

TEST(Discover, ReadsOneFileOfARecipeFolderBesideAMaster) {
  text::MemoryTree tree;
  tree.add("configs/x-master.yaml", kMaster);
  tree.add("recipes/a.yaml", kRecipe);
  tree.add("recipes/b.yaml", kRecipe);
  tree.add("recipes/c.yaml", kRecipe);
  text::SourceStore sources(tree);
  EXPECT_THAT(discover(sources).recipes, IsEmpty());
  EXPECT_EQ(sources.file_count(), 2u);
}

TEST(Discover, ListsScriptsOfATreeWithoutSearchSpace) {
  text::MemoryTree tree;
  tree.add("b.sh", "");
  tree.add("a/run.sh", "");
  EXPECT_THAT(discover_in(tree).scripts, ElementsAre("a/run.sh", "b.sh"));
}

TEST(YamlShape, TellsMastersAndRecipesByTheirKeys) {
  EXPECT_EQ(yaml_shape(kMaster), YamlShape::kMaster);
  EXPECT_EQ(yaml_shape(kOlderMaster), YamlShape::kMaster);
  EXPECT_EQ(yaml_shape(kRecipe), YamlShape::kRecipe);
  EXPECT_EQ(yaml_shape("base:\n  resources: {}\n  backend: {}\noverride_a: {}\n"),
            YamlShape::kRecipe);
  EXPECT_EQ(yaml_shape("runner: x\nsearch-space: y\n"), YamlShape::kOther);
  EXPECT_EQ(yaml_shape("a:\n  my-runner: x\n  search-space: y\n"), YamlShape::kOther);
  EXPECT_EQ(yaml_shape(""), YamlShape::kOther);
}

class DefaultRoot : public ::testing::Test {
 protected:
  DefaultRoot() {
    // Below a folder that is no root itself, whatever other programs have left there.
    for (const std::filesystem::path& folder :
         {std::filesystem::temp_directory_path(), std::filesystem::path("/var/tmp"),
          std::filesystem::path("/dev/shm")}) {
      std::string name = (folder / "recipelint_root_XXXXXX").string();
      if (::mkdtemp(name.data()) == nullptr) continue;
      root_ = name;
      if (default_root(name) == name) break;
      std::filesystem::remove_all(root_);
    }
  }
  ~DefaultRoot() override { std::filesystem::remove_all(root_); }
  void write(const std::string& path, const std::string& bytes) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << bytes;
  }
  std::filesystem::path root_;
};

TEST_F(DefaultRoot, IsTheNearestFolderWithASearchSpace) {
  write("repo/configs/x-master.yaml", kMaster);
  write("repo/benchmarks/single_node/run.sh", "");
  EXPECT_EQ(default_root((root_ / "repo/benchmarks/single_node/run.sh").string()),
            (root_ / "repo").string());
}

TEST_F(DefaultRoot, IsTheRepositoryOfAFolderOfConfigurations) {
  write("repo/configs/x-master.yaml", kMaster);
  write("old/.github/configs/x-master.yaml", kMaster);
  EXPECT_EQ(default_root((root_ / "repo/configs/x-master.yaml").string()),
            (root_ / "repo").string());
  EXPECT_EQ(default_root((root_ / "repo/configs/").string()), (root_ / "repo").string());
  EXPECT_EQ(default_root((root_ / "old/.github/configs/x-master.yaml").string()),
            (root_ / "old").string());
}

TEST_F(DefaultRoot, IsElseTheTopOfTheGitRepository) {
  write("repo/.git/HEAD", "");
  write("repo/a/b/run.sh", "");
  EXPECT_EQ(default_root((root_ / "repo/a/b").string()), (root_ / "repo").string());
}

TEST_F(DefaultRoot, IsElseTheFolderItself) {
  write("plain/run.sh", "");
  EXPECT_EQ(default_root((root_ / "plain/run.sh").string()), (root_ / "plain").string());
}

}  // namespace
}  // namespace recipelint::layout
