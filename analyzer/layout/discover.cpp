#include "analyzer/layout/discover.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <map>
#include <system_error>
#include <utility>

namespace recipelint::layout {
namespace {

using text::EntryKind;
using text::FileTree;
using text::FolderEntry;

// A damaged git tree can hold itself, so the walk is bounded.
constexpr int kDeepestFolder = 24;
constexpr int kMostFolders = 20'000;
// A byte order mark and one character of UTF-32.
constexpr std::size_t kLongestMark = 8;

// Where configurations usually lie below a root. Any deeper, and a folder such as /tmp would count
// as a root for whatever somebody else put there.
constexpr std::array<std::string_view, 4> kUsualFolders = {"", "configs", "config",
                                                           ".github/configs"};
constexpr std::array<std::string_view, 7> kSkippedFolders = {
    "node_modules", "venv", "__pycache__", "build", "dist", "workflows", "site-packages"};

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool is_yaml_name(std::string_view name) {
  return ends_with(name, ".yaml") || ends_with(name, ".yml");
}

std::string_view stem(std::string_view name) {
  return name.substr(0, name.rfind('.'));
}

bool is_skipped_folder(std::string_view name) {
  if (name.substr(0, 1) == ".") return name != ".github";
  return std::find(kSkippedFolders.begin(), kSkippedFolders.end(), name) != kSkippedFolders.end();
}

bool is_below(std::string_view path, std::string_view folder) {
  return folder.empty() || path == folder ||
         (path.size() > folder.size() && path.substr(0, folder.size()) == folder &&
          path[folder.size()] == '/');
}

bool is_any_of(char c, std::string_view set) {
  return set.find(c) != std::string_view::npos;
}

/// Whether some line is `key:` after blanks; with `Indent::kNone` only at the start of the line.
/// With `Indent::kSome` the key may also be quoted, or stand in a flow mapping.
enum class Indent { kNone, kSome };
bool has_key(std::string_view bytes, std::string_view key, Indent indent) {
  for (std::size_t at = bytes.find(key); at != std::string_view::npos;
       at = bytes.find(key, at + 1)) {
    std::size_t begin = at;
    std::size_t end = at + key.size();
    const bool quoted = indent == Indent::kSome && begin > 0 && end < bytes.size() &&
                        is_any_of(bytes[end], "\"'") && bytes[begin - 1] == bytes[end];
    if (quoted) {
      --begin;
      ++end;
    }
    const std::size_t written = begin;
    while (begin > 0 && is_any_of(bytes[begin - 1], " -\t")) --begin;
    while (quoted && is_any_of(bytes.substr(end, 1).empty() ? '\0' : bytes[end], " \t")) ++end;
    if (bytes.substr(end, 1) != ":") continue;
    const bool at_line_start = begin == 0 || is_any_of(bytes[begin - 1], "\n\r");
    const bool in_flow = begin > 0 && is_any_of(bytes[begin - 1], "{,");
    if (indent == Indent::kNone && at_line_start && begin == written) return true;
    if (indent == Indent::kSome && (in_flow || (at_line_start && begin < written))) return true;
  }
  return false;
}

bool has_master_keys(std::string_view bytes) {
  return has_key(bytes, "runner", Indent::kSome) &&
         (has_key(bytes, "search-space", Indent::kSome) ||
          has_key(bytes, "scenarios", Indent::kSome) ||
          has_key(bytes, "seq-len-configs", Indent::kSome));
}

/// UTF-16 and UTF-32 text of which only ASCII matters: the other bytes of each character are zero.
std::string without_zeros(std::string_view bytes) {
  std::string text;
  std::copy_if(bytes.begin(), bytes.end(), std::back_inserter(text),
               [](char c) { return c != '\0'; });
  return text;
}

bool is_master_name(std::string_view name) {
  return ends_with(stem(name), "-master");
}

/// A file that other programs read by this name, whatever it holds.
bool is_configuration_name(std::string_view name) {
  return stem(name) == "runners" || stem(name) == "ci-priority" || stem(name) == "perf-changelog" ||
         is_master_name(name);
}

/// Whether an entry of a folder is looked at as a YAML file.
bool is_yaml_entry(const FolderEntry& entry) {
  if (!is_yaml_name(entry.name)) return false;
  return entry.kind == EntryKind::kFile || is_configuration_name(entry.name);
}

/// What one folder holds.
struct FolderFiles {
  std::vector<std::string> masters;
  std::string runners;
  std::string ci_priority;
  std::string changelog;
};

class Walk {
 public:
  Walk(text::SourceStore& sources, const DiscoverOptions& options)
      : sources_(sources), options_(options) {}

  Discovery run();

 private:
  void visit(const std::string& folder, int depth);
  void visit_files(const std::string& folder, const std::vector<FolderEntry>& entries);
  bool is_left_out(const std::string& folder) const;
  YamlShape shape(const std::string& path);
  std::string repository_root(const std::string& folder) const;
  bool looks_like_repository(std::string_view folder) const;
  bool is_folder(std::string_view folder, std::string_view name) const;
  std::string find_changelog(const SiteFiles& site) const;
  void keep_recipes(Discovery& discovery);

  text::SourceStore& sources_;
  const DiscoverOptions& options_;
  std::map<std::string, FolderFiles> folders_;
  std::vector<std::string> yaml_files_;
  std::vector<std::string> scripts_;
  int folder_count_ = 0;
  bool truncated_ = false;
};

Discovery Walk::run() {
  visit("", 0);
  Discovery discovery;
  for (auto& [folder, files] : folders_) {
    if (files.masters.empty()) continue;
    SiteFiles site;
    site.root = repository_root(folder);
    site.folder = folder;
    site.masters = std::move(files.masters);
    site.runners = std::move(files.runners);
    site.ci_priority = std::move(files.ci_priority);
    site.changelog = files.changelog.empty() ? find_changelog(site) : std::move(files.changelog);
    discovery.sites.push_back(std::move(site));
  }
  std::stable_sort(discovery.sites.begin(), discovery.sites.end(),
                   [](const SiteFiles& a, const SiteFiles& b) { return a.root < b.root; });
  if (discovery.sites.empty()) keep_recipes(discovery);
  discovery.truncated = truncated_;
  return discovery;
}

void Walk::visit(const std::string& folder, int depth) {
  if (depth > kDeepestFolder) return;
  if (++folder_count_ > kMostFolders) {
    truncated_ = true;
    return;
  }
  const std::vector<FolderEntry> entries = sources_.tree().list(folder);
  // Asked for, so that the store tells of it.
  const bool unreadable = entries.empty() && sources_.tree().kind(folder) == EntryKind::kUnreadable;
  if (unreadable) static_cast<void>(sources_.load(folder));
  visit_files(folder, entries);
  for (const FolderEntry& entry : entries) {
    const bool is_folder = entry.kind == EntryKind::kFolder || entry.kind == EntryKind::kUnreadable;
    // Behind a link is a folder that is visited under its own name, or none of the repository's.
    if (!is_folder || entry.link || is_skipped_folder(entry.name)) continue;
    const std::string path = text::join_path(folder, entry.name);
    if (!is_left_out(path)) visit(path, depth + 1);
  }
}

/// A folder named `deprecated` counts only if the user named it or something in it.
bool Walk::is_left_out(const std::string& folder) const {
  if (text::base_name(folder) != "deprecated") return false;
  return std::none_of(options_.named.begin(), options_.named.end(),
                      [&](const std::string& named) { return is_below(named, folder); });
}

void Walk::visit_files(const std::string& folder, const std::vector<FolderEntry>& entries) {
  bool holds_recipes = false;
  for (const FolderEntry& entry : entries) {
    std::string path = text::join_path(folder, entry.name);
    if (entry.kind == EntryKind::kFile && ends_with(entry.name, ".sh")) scripts_.push_back(path);
    if (!is_yaml_entry(entry)) continue;
    FolderFiles& files = folders_[folder];
    if (stem(entry.name) == "runners") {
      files.runners = std::move(path);
    } else if (stem(entry.name) == "ci-priority") {
      files.ci_priority = std::move(path);
    } else if (stem(entry.name) == "perf-changelog") {
      files.changelog = std::move(path);
    } else {
      yaml_files_.push_back(path);
      // Recipe folders are large: one look tells what the others are.
      if (holds_recipes && entry.name.find("master") == std::string::npos) continue;
      const YamlShape found = shape(path);
      if (found == YamlShape::kMaster) files.masters.push_back(std::move(path));
      holds_recipes = holds_recipes || found == YamlShape::kRecipe;
    }
  }
}

YamlShape Walk::shape(const std::string& path) {
  const text::Result<const text::SourceFile*> file = sources_.load(path);
  if (file) return yaml_shape((*file)->bytes());
  // A master that cannot be read must not look as if it were not there: its reader says why.
  return is_master_name(text::base_name(path)) ? YamlShape::kMaster : YamlShape::kOther;
}

bool Walk::is_folder(std::string_view folder, std::string_view name) const {
  return sources_.tree().kind(text::join_path(folder, name)) == EntryKind::kFolder;
}

/// The nearest folder at or above the configurations that looks like the top of a repository.
std::string Walk::repository_root(const std::string& folder) const {
  std::string_view candidate = folder;
  while (true) {
    if (looks_like_repository(candidate)) return std::string(candidate);
    if (candidate.empty()) break;
    candidate = text::parent_path(candidate);
  }
  if (options_.launchers) return {};
  std::string_view parent = text::parent_path(folder);
  const std::string_view name = text::base_name(folder);
  if (name != "configs" && name != "config") return folder;
  if (text::base_name(parent) == ".github") parent = text::parent_path(parent);
  return std::string(parent);
}

bool Walk::looks_like_repository(std::string_view folder) const {
  if (options_.launchers) {
    return !options_.launchers->empty() && is_folder(folder, *options_.launchers);
  }
  return is_folder(folder, "runners") || is_folder(folder, "benchmarks") ||
         is_folder(folder, ".git");
}

std::string Walk::find_changelog(const SiteFiles& site) const {
  const auto found = folders_.find(site.root);
  return found != folders_.end() ? found->second.changelog : std::string();
}

void Walk::keep_recipes(Discovery& discovery) {
  for (std::string& path : yaml_files_) {
    if (shape(path) == YamlShape::kRecipe) discovery.recipes.push_back(std::move(path));
  }
  discovery.scripts = std::move(scripts_);
  std::sort(discovery.recipes.begin(), discovery.recipes.end());
  std::sort(discovery.scripts.begin(), discovery.scripts.end());
}

bool has_master(const FileTree& tree, std::string_view folder) {
  const std::vector<FolderEntry> entries = tree.list(folder);
  return std::any_of(entries.begin(), entries.end(), [&](const FolderEntry& entry) {
    if (!is_yaml_entry(entry)) return false;
    if (entry.kind != EntryKind::kFile) return is_master_name(entry.name);
    const text::Result<std::string> bytes = tree.read(text::join_path(folder, entry.name));
    return bytes && yaml_shape(*bytes) == YamlShape::kMaster;
  });
}

}  // namespace

YamlShape yaml_shape(std::string_view bytes) {
  if (has_master_keys(bytes)) return YamlShape::kMaster;
  const bool has_zeros = bytes.substr(0, kLongestMark).find('\0') != std::string_view::npos;
  if (has_zeros && has_master_keys(without_zeros(bytes))) return YamlShape::kMaster;
  const bool plain =
      has_key(bytes, "resources", Indent::kNone) &&
      (has_key(bytes, "backend", Indent::kNone) || has_key(bytes, "benchmark", Indent::kNone));
  const bool with_overrides = has_key(bytes, "base", Indent::kNone) &&
                              has_key(bytes, "resources", Indent::kSome) &&
                              has_key(bytes, "backend", Indent::kSome);
  return plain || with_overrides ? YamlShape::kRecipe : YamlShape::kOther;
}

Discovery discover(text::SourceStore& sources, const DiscoverOptions& options) {
  return Walk(sources, options).run();
}

bool has_search_space(const FileTree& tree) {
  return std::any_of(kUsualFolders.begin(), kUsualFolders.end(),
                     [&](std::string_view folder) { return has_master(tree, folder); });
}

namespace {

/// Such a folder holds the configurations of the repository above it.
bool is_part_of_a_repository(const std::filesystem::path& folder) {
  return folder.filename() == "configs" || folder.filename() == ".github";
}

}  // namespace

std::string default_root(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path folder = fs::absolute(path, error).lexically_normal();
  if (error) return path;
  if (!folder.has_filename()) folder = folder.parent_path();
  if (!fs::is_directory(folder, error)) folder = folder.parent_path();
  // A repository has its configurations inside, so its top ends the search.
  for (fs::path candidate = folder; candidate != candidate.root_path();
       candidate = candidate.parent_path()) {
    if (is_part_of_a_repository(candidate)) continue;
    const text::Result<text::DiskTree> tree = text::DiskTree::open(candidate.string());
    if (tree && has_search_space(*tree)) return candidate.string();
    for (const std::string_view name : {kConfigurationName, std::string_view(".git")}) {
      if (fs::exists(fs::symlink_status(candidate / name, error))) return candidate.string();
    }
  }
  return folder.string();
}

}  // namespace recipelint::layout
