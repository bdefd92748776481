#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/git/repository.h"
#include "analyzer/text/file_tree.h"

namespace recipelint::git {

/// The files of one commit, or of a folder in it, without a checkout. Symbolic links are followed
/// as on disk: only while they stay below the root. Submodules are empty folders.
class GitTree final : public text::FileTree {
 public:
  /// `prefix` is the root's path in the repository, "" for its top; a commit that has no such
  /// folder gives an empty tree. `repository` must outlive this.
  static text::Result<std::unique_ptr<GitTree>> open(const Repository& repository,
                                                     const ObjectId& commit,
                                                     std::string_view prefix);

  text::EntryKind kind(std::string_view path) const override;
  text::Result<std::string> read(std::string_view path) const override;
  std::vector<text::FolderEntry> list(std::string_view path) const override;

 private:
  struct Entry {
    enum class Kind : std::uint8_t { kFile, kFolder, kLink, kSubmodule };
    std::string name;
    Kind kind = Kind::kFile;
    ObjectId id;
  };
  using Folder = std::vector<Entry>;  // sorted by name
  struct Found {
    text::EntryKind kind = text::EntryKind::kMissing;
    ObjectId id;  // of a file or a folder; empty for a submodule
  };

  GitTree(const Repository& repository, ObjectId root) : repository_(repository), root_(root) {}
  static Folder parse(std::string_view bytes, std::size_t id_size);
  /// Null if the tree cannot be read.
  std::shared_ptr<const Folder> folder(const ObjectId& id) const;
  static const Entry* entry(const Folder& folder, std::string_view name);
  Found resolve(std::string_view path) const;

  const Repository& repository_;
  ObjectId root_;  // empty for an empty tree
  mutable std::mutex mutex_;
  mutable std::map<ObjectId, std::shared_ptr<const Folder>> folders_;
};

}  // namespace recipelint::git
