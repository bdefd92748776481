#include "analyzer/text/source_store.h"

#include <fmt/format.h>

#include <optional>

namespace recipelint::text {

Result<const SourceFile*> SourceStore::load(std::string_view path) {
  const auto normalized = normalize_path(path);
  if (!normalized) {
    return Error{fmt::format("cannot read '{}': it lies outside the root", path), {}};
  }
  const std::lock_guard lock(mutex_);
  auto found = slots_.find(*normalized);
  if (found == slots_.end()) {
    found = slots_.emplace(*normalized, read(*normalized)).first;
  }
  if (!found->second.file) return found->second.error;
  return static_cast<const SourceFile*>(found->second.file.get());
}

/// Reads a file for the first time.
SourceStore::Slot SourceStore::read(const std::string& path) {
  Slot slot;
  auto bytes = tree_.read(path);
  if (!bytes) {
    slot.error = bytes.error();
  } else if (bytes->size() > kMostBytes - bytes_) {
    slot.error = {fmt::format("cannot read '{}': with it, the files read would have more than {} "
                              "bytes, the limit of one run",
                              path, kMostBytes),
                  {}};
  } else {
    bytes_ += bytes->size();
    slot.file = std::make_unique<SourceFile>(shown(path), std::move(*bytes));
  }
  return slot;
}

void SourceStore::replace(std::string_view path, std::string bytes) {
  const std::string key = normalize_path(path).value_or(std::string(path));
  const std::lock_guard lock(mutex_);
  slots_[key].file = std::make_unique<SourceFile>(shown(key), std::move(bytes));
}

std::vector<const SourceFile*> SourceStore::files() const {
  const std::lock_guard lock(mutex_);
  std::vector<const SourceFile*> files;
  for (const auto& [path, slot] : slots_) {
    if (slot.file) files.push_back(slot.file.get());
  }
  return files;
}

std::vector<SourceStore::Unreadable> SourceStore::unreadable() const {
  const std::lock_guard lock(mutex_);
  std::vector<Unreadable> unreadable;
  for (const auto& [path, slot] : slots_) {
    if (slot.file) continue;
    const EntryKind kind = tree_.kind(path);
    if (kind == EntryKind::kFile || kind == EntryKind::kUnreadable) {
      unreadable.push_back({shown(path), slot.error.message});
    }
  }
  return unreadable;
}

std::size_t SourceStore::file_count() const {
  return files().size();
}

std::size_t SourceStore::byte_count() const {
  std::size_t count = 0;
  for (const SourceFile* file : files()) count += file->bytes().size();
  return count;
}

}  // namespace recipelint::text
