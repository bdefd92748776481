#include "analyzer/git/git_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace recipelint::git {
namespace {

using text::EntryKind;

/// As many as the system follows.
constexpr int kMostLinks = 40;
constexpr std::size_t kLongestLink = 4096;

text::Error failure(std::string_view path, std::string_view why) {
  return {fmt::format("cannot read '{}': {}", path.empty() ? "." : path, why), {}};
}

/// The parts of a path, last one first, in front of which `rest` is put.
void push_parts(std::string_view path, std::vector<std::string>& rest) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    const auto end = std::min(path.find('/'), path.size());
    if (end > 0) parts.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  rest.insert(rest.end(), std::move_iterator(parts.rbegin()), std::move_iterator(parts.rend()));
}

}  // namespace

text::Result<std::unique_ptr<GitTree>> GitTree::open(const Repository& repository,
                                                     const ObjectId& commit,
                                                     std::string_view prefix) {
  const auto parsed = repository.commit(commit);
  if (!parsed) return parsed.error();
  std::unique_ptr<GitTree> tree(new GitTree(repository, parsed->tree));
  if (!tree->folder(parsed->tree)) {
    const auto object = repository.objects().read(parsed->tree);
    if (!object) return object.error();
    return text::Error{fmt::format("the git object {} is no tree", parsed->tree.hex()), {}};
  }
  const Found top = tree->resolve(prefix);
  tree->root_ = top.kind == EntryKind::kFolder ? top.id : ObjectId();
  return tree;
}

/// "100644 name\0<id>" for each entry.
GitTree::Folder GitTree::parse(std::string_view bytes, std::size_t id_size) {
  Folder entries;
  while (!bytes.empty()) {
    const auto blank = bytes.find(' ');
    const auto end = bytes.find('\0');
    if (blank == std::string_view::npos || end == std::string_view::npos || blank > end ||
        bytes.size() - end - 1 < id_size) {
      break;
    }
    const std::string_view mode = bytes.substr(0, blank);
    Entry entry;
    entry.name = bytes.substr(blank + 1, end - blank - 1);
    entry.id = ObjectId::from_bytes(bytes.substr(end + 1, id_size));
    if (mode == "40000" || mode == "040000") entry.kind = Entry::Kind::kFolder;
    if (mode == "120000") entry.kind = Entry::Kind::kLink;
    if (mode == "160000") entry.kind = Entry::Kind::kSubmodule;
    bytes.remove_prefix(end + 1 + id_size);
    const bool is_name = !entry.name.empty() && entry.name != "." && entry.name != ".." &&
                         entry.name.find('/') == std::string::npos;
    if (is_name) entries.push_back(std::move(entry));
  }
  // git sorts folders as if their names ended in '/'.
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.name < b.name; });
  return entries;
}

std::shared_ptr<const GitTree::Folder> GitTree::folder(const ObjectId& id) const {
  {
    const std::lock_guard lock(mutex_);
    const auto found = folders_.find(id);
    if (found != folders_.end()) return found->second;
  }
  std::shared_ptr<const Folder> parsed;
  if (id.empty()) {
    parsed = std::make_shared<const Folder>();
  } else if (const auto object = repository_.objects().read(id);
             object && object->type == ObjectType::kTree) {
    parsed = std::make_shared<const Folder>(parse(object->bytes, id.bytes().size()));
  }
  const std::lock_guard lock(mutex_);
  return folders_.emplace(id, std::move(parsed)).first->second;
}

const GitTree::Entry* GitTree::entry(const Folder& folder, std::string_view name) {
  const auto found = std::lower_bound(
      folder.begin(), folder.end(), name,
      [](const Entry& entry, std::string_view wanted) { return entry.name < wanted; });
  return found != folder.end() && found->name == name ? &*found : nullptr;
}

GitTree::Found GitTree::resolve(std::string_view path) const {
  const auto normalized = text::normalize_path(path);
  if (!normalized) return {EntryKind::kOutside, {}};
  std::vector<std::string> rest;
  push_parts(*normalized, rest);
  std::vector<ObjectId> above = {root_};
  int links = 0;
  // A link at the end of the path leads nowhere; one on the way has nothing of that name behind it.
  bool is_link = false;
  const auto missing = [&is_link] {
    return Found{is_link ? EntryKind::kOutside : EntryKind::kMissing, {}};
  };
  while (!rest.empty()) {
    const std::string part = std::move(rest.back());
    rest.pop_back();
    if (part == ".") continue;
    if (part == "..") {
      if (above.size() == 1) return {EntryKind::kOutside, {}};
      above.pop_back();
      continue;
    }
    const auto entries = folder(above.back());
    if (!entries) return {EntryKind::kUnreadable, {}};
    const Entry* found = entry(*entries, part);
    if (found == nullptr) return missing();
    switch (found->kind) {
      case Entry::Kind::kFolder:
        above.push_back(found->id);
        break;
      case Entry::Kind::kSubmodule:
        above.emplace_back();
        break;
      case Entry::Kind::kFile:
        return rest.empty() ? Found{EntryKind::kFile, found->id} : missing();
      case Entry::Kind::kLink: {
        const auto target = repository_.objects().read(found->id);
        if (!target) return {EntryKind::kUnreadable, {}};
        const bool leads_out = target->bytes.starts_with('/') || target->bytes.empty() ||
                               target->bytes.size() > kLongestLink;
        if (leads_out || ++links > kMostLinks) return {EntryKind::kOutside, {}};
        is_link = is_link || rest.empty();
        push_parts(target->bytes, rest);
        break;
      }
    }
  }
  return {EntryKind::kFolder, above.back()};
}

EntryKind GitTree::kind(std::string_view path) const {
  const Found found = resolve(path);
  if (found.kind == EntryKind::kFolder && !folder(found.id)) return EntryKind::kUnreadable;
  return found.kind;
}

text::Result<std::string> GitTree::read(std::string_view path) const {
  const Found found = resolve(path);
  switch (found.kind) {
    case EntryKind::kFile:
      break;
    case EntryKind::kFolder:
      return failure(path, "it is a folder");
    case EntryKind::kMissing:
      return failure(path, "no such file");
    case EntryKind::kUnreadable:
    case EntryKind::kSpecial:
      return failure(path, "an object of the git repository is missing");
    case EntryKind::kOutside:
      return failure(path, text::normalize_path(path)
                               ? "it is a symbolic link that leads out of the root, or nowhere"
                               : "it lies outside the root");
  }
  auto object = repository_.objects().read(found.id);
  if (!object) return failure(path, object.error().message);
  return std::move(object->bytes);
}

std::vector<text::FolderEntry> GitTree::list(std::string_view path) const {
  std::vector<text::FolderEntry> entries;
  const Found found = resolve(path);
  const auto listed = found.kind == EntryKind::kFolder ? folder(found.id) : nullptr;
  if (!listed) return entries;
  for (const Entry& entry : *listed) {
    EntryKind kind = EntryKind::kFile;
    if (entry.kind == Entry::Kind::kFolder || entry.kind == Entry::Kind::kSubmodule) {
      kind = EntryKind::kFolder;
    } else if (entry.kind == Entry::Kind::kLink) {
      kind = this->kind(text::join_path(path, entry.name));
    }
    entries.push_back({entry.name, kind, entry.kind == Entry::Kind::kLink});
  }
  return entries;
}

}  // namespace recipelint::git
