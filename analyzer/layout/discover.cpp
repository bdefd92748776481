#include "analyzer/layout/discover.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

namespace recipelint::layout {
namespace {

using text::EntryKind;
using text::FileTree;
using text::FolderEntry;

// Symbolic links can make a tree endless, so the walk is bounded.
constexpr int kDeepestFolder = 24;
constexpr int kMostFolders = 20'000;

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

/// Whether some line is `key:` after blanks; with `Indent::kNone` only at the start of the line.
enum class Indent { kNone, kSome };
bool has_key(std::string_view bytes, std::string_view key, Indent indent) {
  for (std::size_t at = bytes.find(key); at != std::string_view::npos;
       at = bytes.find(key, at + 1)) {
    std::size_t begin = at;
    while (begin > 0 && (bytes[begin - 1] == ' ' || bytes[begin - 1] == '-')) --begin;
    const bool at_line_start = begin == 0 || bytes[begin - 1] == '\n';
    const bool followed_by_colon = bytes.substr(at + key.size(), 1) == ":";
    const bool indent_fits = indent == Indent::kNone ? begin == at : begin < at;
    if (at_line_start && followed_by_colon && indent_fits) return true;
  }
  return false;
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
  if (depth > kDeepestFolder || ++folder_count_ > kMostFolders) {
    truncated_ = true;
    return;
  }
  const std::vector<FolderEntry> entries = sources_.tree().list(folder);
  visit_files(folder, entries);
  for (const FolderEntry& entry : entries) {
    if (entry.kind != EntryKind::kFolder || is_skipped_folder(entry.name)) continue;
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
    if (entry.kind != EntryKind::kFile) continue;
    std::string path = text::join_path(folder, entry.name);
    if (ends_with(entry.name, ".sh")) scripts_.push_back(path);
    if (!is_yaml_name(entry.name)) continue;
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
  const bool named_master = text::base_name(path).find("master") != std::string_view::npos;
  return named_master ? YamlShape::kMaster : YamlShape::kOther;
}

bool Walk::is_folder(std::string_view folder, std::string_view name) const {
  return sources_.tree().kind(text::join_path(folder, name)) == EntryKind::kFolder;
}

/// The nearest folder at or above the configurations that looks like the top of a repository.
std::string Walk::repository_root(const std::string& folder) const {
  std::string_view candidate = folder;
  while (true) {
    if (is_folder(candidate, "runners") || is_folder(candidate, "benchmarks") ||
        is_folder(candidate, ".git")) {
      return std::string(candidate);
    }
    if (candidate.empty()) break;
    candidate = text::parent_path(candidate);
  }
  std::string_view parent = text::parent_path(folder);
  const std::string_view name = text::base_name(folder);
  if (name != "configs" && name != "config") return folder;
  if (text::base_name(parent) == ".github") parent = text::parent_path(parent);
  return std::string(parent);
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
    if (entry.kind != EntryKind::kFile || !is_yaml_name(entry.name)) return false;
    const text::Result<std::string> bytes = tree.read(text::join_path(folder, entry.name));
    return bytes && yaml_shape(*bytes) == YamlShape::kMaster;
  });
}

}  // namespace

YamlShape yaml_shape(std::string_view bytes) {
  const bool has_runner = has_key(bytes, "runner", Indent::kSome);
  if (has_runner && (has_key(bytes, "search-space", Indent::kSome) ||
                     has_key(bytes, "scenarios", Indent::kSome) ||
                     has_key(bytes, "seq-len-configs", Indent::kSome))) {
    return YamlShape::kMaster;
  }
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
    if (fs::exists(candidate / ".git", error)) return candidate.string();
  }
  return folder.string();
}

}  // namespace recipelint::layout
