#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>

#include "analyzer/text/file_tree.h"

namespace recipelint::text {
namespace {

struct Free {
  void operator()(char* memory) const { std::free(memory); }
};

class FileDescriptor {
 public:
  explicit FileDescriptor(int value) : value_(value) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (value_ >= 0) ::close(value_);
  }
  int get() const { return value_; }

 private:
  int value_;
};

Error failure(std::string_view path, std::string_view why) {
  return {fmt::format("cannot read '{}': {}", path.empty() ? "." : path, why), {}};
}

Error system_failure(std::string_view path) {
  return failure(path, std::strerror(errno));
}

std::optional<std::string> real_path(const std::string& path) {
  const std::unique_ptr<char, Free> resolved(::realpath(path.c_str(), nullptr));
  if (!resolved) return std::nullopt;
  return std::string(resolved.get());
}

EntryKind kind_of(const struct stat& info) {
  if (S_ISREG(info.st_mode)) return EntryKind::kFile;
  if (S_ISDIR(info.st_mode)) return EntryKind::kFolder;
  return EntryKind::kSpecial;
}

EntryKind kind_without_answer(int cause) {
  switch (cause) {
    case EACCES:
      return EntryKind::kUnreadable;
    case ELOOP:
      return EntryKind::kOutside;
    default:
      return EntryKind::kMissing;
  }
}

bool is_link(DIR* folder, const dirent& entry) {
  if (entry.d_type != DT_UNKNOWN) return entry.d_type == DT_LNK;
  struct stat info {};
  return ::fstatat(::dirfd(folder), entry.d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISLNK(info.st_mode);
}

bool may_be_listed(const std::string& folder) {
  return ::faccessat(AT_FDCWD, folder.c_str(), R_OK | X_OK, AT_EACCESS) == 0;
}

std::string_view special_in_words(const std::string& path) {
  struct stat info {};
  const bool known = ::stat(path.c_str(), &info) == 0;
  if (known && S_ISFIFO(info.st_mode)) return "it is a named pipe";
  if (known && S_ISSOCK(info.st_mode)) return "it is a socket";
  return "it is a device";
}

Result<std::string> read_all(int descriptor, std::size_t expected, std::string_view path) {
  std::string bytes;
  bytes.resize(expected + 1);
  std::size_t used = 0;
  while (true) {
    if (used == bytes.size()) bytes.resize(bytes.size() * 2);
    const ssize_t got = ::read(descriptor, bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_failure(path);
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
    if (used > DiskTree::kLargestFileBytes) return failure(path, "it grew while it was read");
  }
  bytes.resize(used);
  return bytes;
}

}  // namespace

Result<DiskTree> DiskTree::open(const std::string& root) {
  const auto resolved = real_path(root);
  struct stat info {};
  if (!resolved || ::stat(resolved->c_str(), &info) != 0) return system_failure(root);
  if (!S_ISDIR(info.st_mode)) return failure(root, "it is not a folder");
  return DiskTree(*resolved);
}

std::string DiskTree::resolve(std::string_view path, EntryKind& kind) const {
  kind = EntryKind::kOutside;
  const auto normalized = normalize_path(path);
  if (!normalized || normalized->find('\0') != std::string::npos) return {};
  const std::string written = normalized->empty() ? root_ : join_path(root_, *normalized);
  struct stat info {};
  if (::lstat(written.c_str(), &info) != 0) {
    kind = kind_without_answer(errno);
    return {};
  }
  const auto resolved = real_path(written);
  if (!resolved && errno == EACCES) kind = EntryKind::kUnreadable;
  const std::string prefix = root_ == "/" ? root_ : root_ + '/';
  if (!resolved || (*resolved != root_ && !resolved->starts_with(prefix))) return {};
  if (::stat(resolved->c_str(), &info) != 0) return {};
  kind = kind_of(info);
  if (kind == EntryKind::kFolder && !may_be_listed(*resolved)) {
    kind = EntryKind::kUnreadable;
    return {};
  }
  return *resolved;
}

EntryKind DiskTree::kind(std::string_view path) const {
  EntryKind kind{};
  resolve(path, kind);
  return kind;
}

Result<std::string> DiskTree::read(std::string_view path) const {
  EntryKind kind{};
  const std::string resolved = resolve(path, kind);
  switch (kind) {
    case EntryKind::kMissing:
      return failure(path, "no such file");
    case EntryKind::kFolder:
      return failure(path, "it is a folder");
    case EntryKind::kSpecial:
      return failure(path, special_in_words(resolved));
    case EntryKind::kOutside:
      return failure(path, normalize_path(path)
                               ? "it is a symbolic link that leads out of the root, or nowhere"
                               : "it lies outside the root");
    case EntryKind::kUnreadable:
      return failure(path, std::strerror(EACCES));
    case EntryKind::kFile:
      break;
  }
  // The path was resolved just now: a link that takes its place in between is not followed, and a
  // named pipe does not block.
  const FileDescriptor file(
      ::open(resolved.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file.get() < 0) return system_failure(path);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return system_failure(path);
  if (!S_ISREG(info.st_mode)) return failure(path, "it is not a regular file");
  const auto size = static_cast<std::uint64_t>(info.st_size);
  if (size > kLargestFileBytes) {
    return failure(
        path, fmt::format("it has {} bytes, more than the limit of {}", size, kLargestFileBytes));
  }
  return read_all(file.get(), static_cast<std::size_t>(size), path);
}

std::vector<FolderEntry> DiskTree::list(std::string_view path) const {
  EntryKind kind{};
  const std::string resolved = resolve(path, kind);
  std::vector<FolderEntry> entries;
  if (kind != EntryKind::kFolder) return entries;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(resolved.c_str()), &::closedir);
  if (!folder) return entries;
  while (const dirent* entry = ::readdir(folder.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    EntryKind entry_kind = EntryKind::kSpecial;
    if (entry->d_type == DT_REG) {
      entry_kind = EntryKind::kFile;
    } else if (entry->d_type == DT_DIR) {
      entry_kind = EntryKind::kFolder;
    } else if (entry->d_type == DT_LNK || entry->d_type == DT_UNKNOWN) {
      entry_kind = this->kind(join_path(path, name));
    }
    entries.push_back({std::string(name), entry_kind, is_link(folder.get(), *entry)});
  }
  std::sort(entries.begin(), entries.end(),
            [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
  return entries;
}

}  // namespace recipelint::text
