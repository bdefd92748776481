#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/layout/environment.h"
#include "analyzer/layout/profile.h"
#include "analyzer/layout/runner.h"
#include "analyzer/text/file_tree.h"
#include "analyzer/text/span.h"

namespace recipelint::layout {

/// Where the recipe file of a row is.
enum class RecipePlace {
  kNone,      // the launcher uses no recipe file
  kInTree,    // in the repository, or in a recipe path that the user gave: `path`
  kUpstream,  // in the recipe repository that the launcher checks out
  /// Nowhere: the launcher fills that folder from the repository, which does not have the file.
  kMissing,
  /// Where the repository should have it is something that cannot be read as a file.
  kUnreadable,
};

/// The recipe file that a row names, as its launcher finds it.
struct RecipeReference {
  RecipePlace place = RecipePlace::kNone;
  const RecipeRule* rule = nullptr;
  std::string setting;   // the variable that named it: "CONFIG_FILE"
  std::string written;   // "recipes/vllm/x.yaml:zip_override_tp[0]"
  std::string name;      // without the selector: "recipes/vllm/x.yaml"
  std::string selector;  // "zip_override_tp[0]"
  text::Span span;       // of `written` in the search space
  /// kInTree: the file. kMissing: where the launcher looks for it. Relative to the tree, or to the
  /// recipe path `root`.
  std::string path;
  /// 0 for the tree, n for the n-th recipe path.
  std::size_t root = 0;
  std::string checkout;  // "NVIDIA/srt-slurm v1.0.31"; empty if the rule names none
  /// Container names that the launcher maps to an image, the row's image among them.
  std::vector<std::string> containers;
};

/// What a row starts.
struct Target {
  enum class Kind { kScript, kRecipe, kRejected, kNothing };
  Kind kind = Kind::kNothing;
  Runner runner;
  /// The launcher has rules of its own in the profile; otherwise the common naming was assumed.
  bool launcher_known = true;
  /// kRejected: why the launcher ends with an error.
  std::string rejected;
  /// kScript: the scripts that are tried, in order, and the one that runs; relative to the tree.
  std::vector<std::string> candidates;
  std::string script;
  bool script_exists = false;
  /// What is where the script should be: kFile if it exists.
  text::EntryKind script_kind = text::EntryKind::kMissing;
  /// kRecipe, and kScript for wrappers that read a recipe file.
  RecipeReference recipe;
  Importer importer = Importer::kUnknown;
};

/// Where files are looked up.
struct LookupPlaces {
  const text::FileTree& tree;
  /// The repository below the tree.
  const std::string& root;
  /// Copies of the upstream recipe repository that the user named.
  std::vector<const text::FileTree*> recipe_paths;
};

/// Looks up what a plan names.
Target resolve_target(const Profile& profile, const Runner& runner, const LaunchPlan& plan,
                      Mode mode, const LookupPlaces& places);

}  // namespace recipelint::layout
