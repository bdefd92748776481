#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/text/file_tree.h"
#include "analyzer/text/result.h"
#include "analyzer/text/source_file.h"

namespace recipelint::text {

/// Reads each file of a tree at most once and keeps it, so that spans stay valid as long as the
/// store lives. Safe to use from several threads.
class SourceStore {
 public:
  /// Files are called by their path in the tree, below `shown_in`: where the tree itself lies, for
  /// one that is not the root.
  explicit SourceStore(const FileTree& tree, std::string shown_in = {})
      : tree_(tree), shown_in_(std::move(shown_in)) {}
  /// More bytes than this are not read: a small repository can have any number of links to one
  /// large file, or of large files without content. Real ones have a tenth of it.
  static constexpr std::size_t kMostBytes = std::size_t{128} << 20u;
  SourceStore(const SourceStore&) = delete;
  SourceStore& operator=(const SourceStore&) = delete;

  /// The file at a path relative to the root; a failure is kept and given again.
  Result<const SourceFile*> load(std::string_view path);
  /// Gives `path` these bytes instead of what the tree has (an editor's unsaved buffer). Must come
  /// before the first load of that path.
  void replace(std::string_view path, std::string bytes);
  const FileTree& tree() const { return tree_; }
  /// What the file at a path of the tree is called.
  std::string shown(std::string_view path) const { return join_path(shown_in_, path); }
  /// What is there and could not be read, of all that was asked for, ordered by path. What is
  /// missing, special or outside of the root is not among it: that is for who named it to judge.
  struct Unreadable {
    std::string path;
    std::string message;
  };
  std::vector<Unreadable> unreadable() const;
  /// The files read so far, ordered by path.
  std::vector<const SourceFile*> files() const;
  /// Their number, and their bytes.
  std::size_t file_count() const;
  std::size_t byte_count() const;

 private:
  struct Slot {
    std::unique_ptr<SourceFile> file;
    Error error;
  };
  Slot read(const std::string& path);

  const FileTree& tree_;
  const std::string shown_in_;
  mutable std::mutex mutex_;
  std::map<std::string, Slot, std::less<>> slots_;
  std::size_t bytes_ = 0;
};

}  // namespace recipelint::text
