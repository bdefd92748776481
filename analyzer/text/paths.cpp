#include <optional>

#include "analyzer/text/file_tree.h"

namespace recipelint::text {

std::string_view in_words(EntryKind kind) {
  switch (kind) {
    case EntryKind::kMissing:
      return "does not exist";
    case EntryKind::kSpecial:
      return "is a device, socket or named pipe";
    case EntryKind::kOutside:
      return "is a symbolic link that leads out of the repository, or nowhere";
    case EntryKind::kUnreadable:
      return "lies in a folder that may not be read";
    case EntryKind::kFolder:
      return "is a folder";
    case EntryKind::kFile:
      break;
  }
  return "is a file";
}

std::optional<std::string> normalize_path(std::string_view path) {
  if (path.starts_with('/')) return std::nullopt;
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const auto slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (parts.empty()) return std::nullopt;
      parts.pop_back();
    } else {
      parts.push_back(part);
    }
  }
  std::string out;
  for (const std::string_view part : parts) out = join_path(out, part);
  return out;
}

std::string join_path(std::string_view folder, std::string_view name) {
  std::string out(folder);
  if (!out.empty()) out += '/';
  return out.append(name);
}

std::string_view parent_path(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string_view base_name(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace recipelint::text
