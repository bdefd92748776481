#include "analyzer/layout/placeholders.h"

#include <algorithm>

#include "analyzer/text/file_tree.h"

namespace recipelint::layout {
namespace {

constexpr std::string_view kMark = "__";
constexpr int kDeepestFolder = 4;

bool is_capital(char byte) {
  return byte >= 'A' && byte <= 'Z';
}

bool is_inside(char byte) {
  return is_capital(byte) || byte == '_' || (byte >= '0' && byte <= '9');
}

bool is_part_of_a_name(char byte) {
  return is_inside(byte) || (byte >= 'a' && byte <= 'z');
}

/// Where the word of such characters ends that begins at `begin`.
std::size_t end_of_word(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && is_inside(text[end])) ++end;
  return end;
}

bool is_placeholder(std::string_view word) {
  return word.size() > 2 * kMark.size() && word.starts_with(kMark) && word.ends_with(kMark) &&
         is_capital(word[kMark.size()]) && word[word.size() - kMark.size() - 1] != '_';
}

bool is_one_of(char byte, std::string_view set) {
  return set.find(byte) != std::string_view::npos;
}

/// Whether two underscores stand in front of or behind what a shell or a pattern puts there, not as
/// in Python's "super().__init__()".
bool builds_placeholders(std::string_view bytes) {
  for (auto at = bytes.find(kMark); at != std::string_view::npos; at = bytes.find(kMark, at + 1)) {
    const char before = at == 0 ? ' ' : bytes[at - 1];
    const std::size_t end = at + kMark.size();
    const char behind = end == bytes.size() ? ' ' : bytes[end];
    if (!is_part_of_a_name(before) && is_one_of(behind, "$[({\\.%")) return true;
    if (!is_part_of_a_name(behind) && is_one_of(before, "}])*+")) return true;
  }
  return false;
}

bool folder_fills_in(const Workspace& workspace, const std::string& folder,
                     std::string_view placeholder, int depth) {
  text::SourceStore& sources = workspace.sources();
  if (depth > kDeepestFolder) return true;
  const std::vector<text::FolderEntry> entries = sources.tree().list(folder);
  return std::any_of(entries.begin(), entries.end(), [&](const text::FolderEntry& entry) {
    const std::string path = text::join_path(folder, entry.name);
    if (entry.kind == text::EntryKind::kFolder) {
      return folder_fills_in(workspace, path, placeholder, depth + 1);
    }
    if (entry.kind != text::EntryKind::kFile) return false;
    const auto file = sources.load(path);
    if (!file) return true;
    const std::string_view bytes = (*file)->bytes();
    return bytes.find(placeholder) != std::string_view::npos || builds_placeholders(bytes);
  });
}

}  // namespace

std::vector<std::string> placeholders_in(std::string_view text) {
  std::vector<std::string> found;
  for (auto at = text.find(kMark); at != std::string_view::npos; at = text.find(kMark, at)) {
    const std::size_t end = end_of_word(text, at);
    const std::string_view word = text.substr(at, end - at);
    const bool begins = at == 0 || !is_part_of_a_name(text[at - 1]);
    const bool ends = end == text.size() || !is_part_of_a_name(text[end]);
    if (begins && ends && is_placeholder(word)) found.emplace_back(word);
    at = end;
  }
  return found;
}

bool may_be_filled_in(const Workspace& workspace, const Site& site, std::string_view placeholder) {
  const std::string launchers = text::join_path(site.files.root, site.profile->folders.launchers);
  const std::string workflows = text::join_path(site.files.root, ".github/workflows");
  return folder_fills_in(workspace, launchers, placeholder, 0) ||
         folder_fills_in(workspace, workflows, placeholder, 0);
}

}  // namespace recipelint::layout
