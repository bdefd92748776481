#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/text/file_tree.h"

namespace recipelint::text {

/// A tree that is asked only once what is at a path: on disk, the answer takes a system call for
/// each folder on the way. Files and folders are still read from the tree itself, which checks the
/// path anew.
class KindCache final : public FileTree {
 public:
  /// `tree` must outlive this.
  explicit KindCache(const FileTree& tree) : tree_(tree) {}

  EntryKind kind(std::string_view path) const override;
  Result<std::string> read(std::string_view path) const override { return tree_.read(path); }
  std::vector<FolderEntry> list(std::string_view path) const override { return tree_.list(path); }

 private:
  const FileTree& tree_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, EntryKind, std::less<>> kinds_;
};

}  // namespace recipelint::text
