#include "analyzer/text/kind_cache.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace recipelint::text {
namespace {

/// Counts how often it is asked.
class CountingTree final : public FileTree {
 public:
  EntryKind kind(std::string_view path) const override {
    ++questions;
    return path == "a/file" ? EntryKind::kFile : EntryKind::kMissing;
  }
  Result<std::string> read(std::string_view) const override { return std::string("bytes"); }
  std::vector<FolderEntry> list(std::string_view) const override { return {{"file", {}}}; }

  mutable int questions = 0;
};

TEST(KindCache, AsksOnceForEachPathAlsoIfNothingIsThere) {
  const CountingTree tree;
  const KindCache cache(tree);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(cache.kind("a/file"), EntryKind::kFile);
    EXPECT_EQ(cache.kind("a/gone"), EntryKind::kMissing);
  }
  EXPECT_EQ(tree.questions, 2);
}

TEST(KindCache, LeavesReadingToTheTree) {
  const CountingTree tree;
  const KindCache cache(tree);
  EXPECT_EQ(*cache.read("a/file"), "bytes");
  EXPECT_EQ(cache.list("a").size(), 1u);
}

}  // namespace
}  // namespace recipelint::text
