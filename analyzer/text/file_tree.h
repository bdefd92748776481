#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/text/result.h"

namespace recipelint::text {

enum class EntryKind {
  kMissing,
  kFile,
  kFolder,
  /// A device, socket or named pipe: never opened.
  kSpecial,
  /// A symbolic link that leads out of the root, or nowhere: never followed.
  kOutside,
  /// A folder that may not be listed or entered, or something behind one: it may well be there.
  kUnreadable,
};

/// What is at a path, behind its name: "is a symbolic link that leads out of the repository, or
/// nowhere".
std::string_view in_words(EntryKind kind);

struct FolderEntry {
  std::string name;
  EntryKind kind = EntryKind::kFile;
  /// It is a symbolic link, and `kind` is what it leads to: a folder may be its own ancestor.
  bool link = false;

  friend bool operator==(const FolderEntry&, const FolderEntry&) = default;
};

/// The files below one root, read-only. Paths are relative to the root, with '/', without a leading
/// one; "" is the root itself. ".", ".." and double slashes are resolved by text alone, and a path
/// that would climb above the root is kOutside. Safe to use from several threads.
class FileTree {
 public:
  virtual ~FileTree() = default;

  virtual EntryKind kind(std::string_view path) const = 0;
  /// The bytes of a file. Fails with a message that names the path and the cause.
  virtual Result<std::string> read(std::string_view path) const = 0;
  /// The entries of a folder, sorted by name (bytewise); empty if it is not a readable folder.
  virtual std::vector<FolderEntry> list(std::string_view path) const = 0;
};

/// Files on disk. Symbolic links are followed only while they stay below the root.
class DiskTree final : public FileTree {
 public:
  /// Files above this size are refused.
  static constexpr std::uint64_t kLargestFileBytes = 64ull << 20u;

  /// `root` must be an existing folder; use open().
  static Result<DiskTree> open(const std::string& root);

  EntryKind kind(std::string_view path) const override;
  Result<std::string> read(std::string_view path) const override;
  std::vector<FolderEntry> list(std::string_view path) const override;

  /// The root as an absolute path without symbolic links.
  const std::string& root() const { return root_; }

 private:
  explicit DiskTree(std::string root) : root_(std::move(root)) {}
  /// The absolute path behind `path` with every link resolved; empty unless it is a file, a folder
  /// or special.
  std::string resolve(std::string_view path, EntryKind& kind) const;

  std::string root_;
};

/// Files in memory, for tests and for content that comes from elsewhere.
class MemoryTree final : public FileTree {
 public:
  void add(std::string path, std::string bytes) { files_[std::move(path)] = std::move(bytes); }

  EntryKind kind(std::string_view path) const override;
  Result<std::string> read(std::string_view path) const override;
  std::vector<FolderEntry> list(std::string_view path) const override;

 private:
  std::map<std::string, std::string, std::less<>> files_;
};

/// `path` without ".", ".." and repeated slashes, or nullopt if it leaves the root or is absolute.
std::optional<std::string> normalize_path(std::string_view path);
/// "a/b" + "c" -> "a/b/c"; an empty folder gives the name alone.
std::string join_path(std::string_view folder, std::string_view name);
/// "a/b/c" -> "a/b"; "c" -> "".
std::string_view parent_path(std::string_view path);
/// "a/b/c" -> "c".
std::string_view base_name(std::string_view path);

}  // namespace recipelint::text
