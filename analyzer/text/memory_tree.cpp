#include <fmt/format.h>

#include <optional>

#include "analyzer/text/file_tree.h"

namespace recipelint::text {
namespace {

std::string folder_prefix(std::string_view folder) {
  return folder.empty() ? std::string() : fmt::format("{}/", folder);
}

}  // namespace

EntryKind MemoryTree::kind(std::string_view path) const {
  const auto normalized = normalize_path(path);
  if (!normalized) return EntryKind::kOutside;
  if (files_.contains(*normalized)) return EntryKind::kFile;
  const std::string prefix = folder_prefix(*normalized);
  const auto first = files_.lower_bound(prefix);
  const bool has_children = first != files_.end() && first->first.starts_with(prefix);
  return has_children || normalized->empty() ? EntryKind::kFolder : EntryKind::kMissing;
}

Result<std::string> MemoryTree::read(std::string_view path) const {
  const auto normalized = normalize_path(path);
  const auto found = normalized ? files_.find(*normalized) : files_.end();
  if (found == files_.end()) return Error{fmt::format("cannot read '{}': no such file", path), {}};
  return found->second;
}

std::vector<FolderEntry> MemoryTree::list(std::string_view path) const {
  std::vector<FolderEntry> entries;
  const auto normalized = normalize_path(path);
  if (!normalized) return entries;
  const std::string prefix = folder_prefix(*normalized);
  for (auto it = files_.lower_bound(prefix); it != files_.end() && it->first.starts_with(prefix);
       ++it) {
    const std::string_view rest = std::string_view(it->first).substr(prefix.size());
    const auto slash = rest.find('/');
    const EntryKind kind = slash == std::string_view::npos ? EntryKind::kFile : EntryKind::kFolder;
    const std::string_view name = rest.substr(0, slash);
    if (entries.empty() || entries.back().name != name)
      entries.push_back({std::string(name), kind});
  }
  return entries;
}

}  // namespace recipelint::text
