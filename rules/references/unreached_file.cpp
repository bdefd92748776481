#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/layout/workspace.h"
#include "analyzer/text/file_tree.h"
#include "analyzer/text/source_file.h"
#include "analyzer/text/source_store.h"
#include "rules/pages.h"
#include "rules/references/references.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using layout::RowLaunch;
using layout::Site;
using layout::Target;
using text::EntryKind;
using text::FolderEntry;

constexpr std::string_view kId = "RL5004";
constexpr std::string_view kDeprecated = "deprecated";
// Recipe folders are a few levels deep.
constexpr int kDeepestFolder = 12;
constexpr std::size_t kMostNamedFiles = 3;

/// Scripts that rows run or try, and the folders they lie in.
struct Reached {
  std::set<std::string> scripts;
  std::set<std::string> folders;
  std::set<std::string> recipes;
};

Reached reached_files(const Site& site) {
  Reached reached;
  const auto add = [&](const Target& target) {
    if (!target.recipe.path.empty() && target.recipe.root == 0) {
      reached.recipes.insert(target.recipe.path);
    }
    if (!target.script_exists) return;
    reached.scripts.insert(target.script);
    reached.folders.emplace(text::parent_path(target.script));
  };
  for (const RowLaunch& row : site.rows) {
    add(row.throughput);
    add(row.eval);
    for (const Target& target : row.elsewhere) add(target);
  }
  return reached;
}

/// Finds scripts by their name in the files that can start one.
class Mentions {
 public:
  Mentions(const Site& site, text::SourceStore& sources, const Reached& reached) {
    const std::string launchers = text::join_path(site.files.root, site.profile->folders.launchers);
    add_scripts(sources, launchers);
    for (const std::string& folder : reached.folders) add_scripts(sources, folder);
    for (const std::string& recipe : reached.recipes) add(sources, recipe);
  }
  /// Whether another file than the script itself has its name.
  bool mentioned(const std::string& script) const {
    const std::string_view name = text::base_name(script);
    return std::any_of(files_.begin(), files_.end(), [&](const text::SourceFile* file) {
      return file->path() != script && file->bytes().find(name) != std::string_view::npos;
    });
  }

 private:
  void add_scripts(text::SourceStore& sources, const std::string& folder) {
    for (const FolderEntry& entry : sources.tree().list(folder)) {
      if (entry.kind == EntryKind::kFile && entry.name.ends_with(".sh")) {
        add(sources, text::join_path(folder, entry.name));
      }
    }
  }
  void add(text::SourceStore& sources, const std::string& path) {
    const auto file = sources.load(path);
    if (file) files_.push_back(*file);
  }

  std::vector<const text::SourceFile*> files_;
};

Finding unreached_script(const text::SourceFile& file) {
  Finding finding;
  finding.rule = kId;
  finding.level = Level::kNote;
  finding.message = fmt::format(
      "No row of the search space runs this script, and no script, launcher or selected recipe "
      "names '{}'.",
      text::base_name(file.path()));
  finding.primary = file.line(1);
  finding.remedies = {"Add a row that runs it.",
                      "Move it to a folder named 'deprecated', or remove it."};
  finding.identity = file.path();
  return finding;
}

void check_scripts(const Site& site, text::SourceStore& sources, const Reached& reached,
                   findings::FindingSink& sink) {
  std::vector<std::string> candidates;
  for (const std::string& folder : reached.folders) {
    for (const FolderEntry& entry : sources.tree().list(folder)) {
      std::string path = text::join_path(folder, entry.name);
      if (entry.kind == EntryKind::kFile && entry.name.ends_with(".sh") &&
          !reached.scripts.contains(path)) {
        candidates.push_back(std::move(path));
      }
    }
  }
  if (candidates.empty()) return;
  const Mentions mentions(site, sources, reached);
  for (const std::string& script : candidates) {
    if (mentions.mentioned(script)) continue;
    const auto file = sources.load(script);
    if (file) sink.report(unreached_script(**file));
  }
}

/// What a folder of recipes holds, subfolders included.
struct RecipeFolder {
  std::string path;
  std::size_t total = 0;
  std::vector<std::string> unreached;
  /// Findings of the parts, which one finding of this folder replaces if nothing in it is reached.
  std::vector<Finding> parts;

  bool is_unreached() const { return total > 0 && unreached.size() == total; }
};

std::string named_files(const RecipeFolder& folder) {
  std::string names;
  const std::size_t named = std::min(folder.unreached.size(), kMostNamedFiles);
  for (std::size_t i = 0; i < named; ++i) {
    names += fmt::format("{}'{}'", i == 0 ? "" : ", ", text::base_name(folder.unreached[i]));
  }
  if (folder.unreached.size() > named) {
    names += fmt::format(" and {} more", folder.unreached.size() - named);
  }
  return names;
}

Finding unreached_recipes(const RecipeFolder& folder, const text::SourceFile& first) {
  Finding finding;
  finding.rule = kId;
  finding.level = Level::kNote;
  finding.message =
      folder.is_unreached()
          ? fmt::format("No row of the search space selects a recipe in '{}': {}.", folder.path,
                        named_files(folder))
          : fmt::format("No row of the search space selects {} of the {} recipes in '{}': {}.",
                        folder.unreached.size(), folder.total, folder.path, named_files(folder));
  finding.primary = first.line(1);
  finding.remedies = {"Add rows that select them.",
                      "Move them to a folder named 'deprecated', or remove them."};
  finding.identity = folder.path;
  return finding;
}

class RecipeWalk {
 public:
  RecipeWalk(text::SourceStore& sources, const Reached& reached)
      : sources_(sources), reached_(reached) {}

  RecipeFolder visit(const std::string& path, int depth) {
    RecipeFolder own;
    own.path = path;
    std::vector<RecipeFolder> below;
    for (const FolderEntry& entry : sources_.tree().list(path)) {
      std::string child = text::join_path(path, entry.name);
      if (entry.kind == EntryKind::kFolder && entry.name != kDeprecated && depth < kDeepestFolder) {
        below.push_back(visit(child, depth + 1));
      } else if (entry.kind == EntryKind::kFile && entry.name.ends_with(".yaml")) {
        ++own.total;
        if (!reached_.recipes.contains(child)) own.unreached.push_back(std::move(child));
      }
    }
    return merged(std::move(own), std::move(below));
  }

 private:
  RecipeFolder merged(RecipeFolder own, std::vector<RecipeFolder> below) {
    const bool nothing_reached =
        own.unreached.size() == own.total &&
        std::all_of(below.begin(), below.end(), [](const RecipeFolder& folder) {
          return folder.total == 0 || folder.is_unreached();
        });
    if (!nothing_reached) report(own);
    for (RecipeFolder& folder : below) {
      own.total += folder.total;
      own.unreached.insert(own.unreached.end(), folder.unreached.begin(), folder.unreached.end());
      if (!nothing_reached) {
        own.parts.insert(own.parts.end(), folder.parts.begin(), folder.parts.end());
      }
    }
    if (nothing_reached) report(own);
    return own;
  }
  void report(RecipeFolder& folder) {
    if (folder.unreached.empty()) return;
    const auto first = sources_.load(folder.unreached.front());
    if (first) folder.parts.push_back(unreached_recipes(folder, **first));
  }

  text::SourceStore& sources_;
  const Reached& reached_;
};

void check_recipes(const Site& site, text::SourceStore& sources, const Reached& reached,
                   findings::FindingSink& sink) {
  if (reached.recipes.empty() || site.profile->folders.recipes.empty()) return;
  const std::string root = text::join_path(site.files.root, site.profile->folders.recipes);
  for (Finding& finding : RecipeWalk(sources, reached).visit(root, 0).parts) {
    sink.report(std::move(finding));
  }
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  for (const Site& site : context.workspace.sites()) {
    const Reached reached = reached_files(site);
    check_scripts(site, context.workspace.sources(), reached, sink);
    check_recipes(site, context.workspace.sources(), reached, sink);
  }
}

}  // namespace

Rule unreached_file() {
  return {kId,
          "unreached-file",
          Level::kNote,
          Precision::kHigh,
          "No row of the search space reaches the script, or the recipes of a folder.",
          embedded_pages("unreached_file.md"),
          run};
}

}  // namespace recipelint::rules
