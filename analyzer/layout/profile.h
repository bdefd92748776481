#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/layout/pull_request_contract.h"
#include "analyzer/layout/retired_scenario.h"
#include "analyzer/layout/text_template.h"
#include "analyzer/text/result.h"
#include "analyzer/yaml/document.h"

namespace recipelint::layout {

/// NAME: patterns. Holds if the value of the variable (unset counts as empty) matches one of the
/// patterns, in which `*` stands for any text. A value that only the host knows matches nothing but
/// `*` alone.
struct Condition {
  std::string name;
  std::vector<std::string> patterns;
};

/// All of `when` hold and none of `unless`.
struct Guard {
  std::vector<Condition> when;
  std::vector<Condition> unless;
};

struct Assignment {
  std::string name;
  TextTemplate value;
  /// What the row starts can depend on it; see mark_decisions().
  bool decides = false;
};

/// A folder or file of the repository that the launcher lays over its checkout of the recipe
/// repository. Paths are relative to the repository and to the checkout.
struct Overlay {
  std::string from;
  std::string to;
};

/// Which version of the upstream recipe repository a launcher checks out, and what it lays over it.
struct Checkout {
  Guard guard;
  std::string ref;  // "NVIDIA/srt-slurm v1.0.31"
  std::vector<Overlay> overlays;
};

/// What a launcher changes in a recipe before it submits it, as far as it changes the launch.
struct RecipeEdit {
  Guard guard;
  /// With both: after each role option `after`, the options `added`.
  std::string after;
  std::vector<Assignment> added;
  /// Alone: every environment variable of this name is removed.
  std::string removed;
};

enum class RecipeFormat { kSrtSlurm, kLlmD };

/// What turns an image reference into a container on the machines of a launcher.
enum class Importer {
  kUnknown,
  kEnroot,   // takes the reference as enroot writes it
  kDocker,   // takes the reference as Docker writes it
  kRewrites  // the launcher rewrites any spelling to one that its importer takes
};

/// How a launcher finds and changes the recipe file of a multi-node row.
struct RecipeRule {
  RecipeFormat format = RecipeFormat::kSrtSlurm;
  std::string setting;  // "CONFIG_FILE"
  std::string
      eval_setting;       // replaces it in eval mode where the row sets it; empty if not honoured
  int gpus_per_node = 0;  // 0: unknown
  /// Names that the launcher maps to the row's image, beside the image itself.
  std::vector<TextTemplate> containers;
  bool synthetic_acceptance = false;
  /// The repository's own file of that path wins over the checkout's.
  bool own_file_first = false;
  /// Recipes are bare file names in this folder of the repository; empty for checkout paths.
  std::string folder;
  std::vector<RecipeEdit> edits;
  std::vector<Checkout> checkouts;
};

/// One step of a launcher, applied if the guard holds: the members in this order.
struct Step {
  Guard guard;
  std::vector<Assignment> set;
  std::vector<Assignment> local;
  std::optional<Importer> importer;
  /// The additional settings of the row become variables here.
  bool settings = false;
  /// If not empty, all other variables disappear.
  std::vector<std::string> keep;
  /// The first of these that applies is run.
  std::vector<Step> first;
  std::optional<TextTemplate> reject;
  std::vector<TextTemplate> scripts;
  std::shared_ptr<const RecipeRule> recipe;
  /// What the row starts can depend on it; see mark_decisions().
  bool decides = false;
};

struct Launcher {
  std::vector<std::string> names;  // "*" for the one that stands for unknown launchers
  std::vector<Step> steps;
};

/// Folders and files relative to the repository, and where they are in containers.
struct Folders {
  std::string launchers;                          // the folder of the launchers
  std::string launcher_files = "launch_*.sh";     // their names; `*` stands for the launcher's
  std::string recipes;                            // what "recipes" is in the checkouts of the
                                                  // recipe repository
  std::vector<std::string> mounts{"/workspace"};  // where scripts see the repository; the first is
                                                  // their working directory
  std::vector<std::string> recipe_mounts;         // where commands of recipes see it

  /// Of a launcher, relative to the repository.
  std::string launcher_path(std::string_view launcher) const;
  /// The launcher that a file of that name is; empty if it is none.
  std::string launcher_of(std::string_view file_name) const;
};

/// Scripts below `from` are looked up below `to` while the folder `from` is missing, also under
/// names that end in one of `endings` ("_slurm") before ".sh".
struct MovedFolder {
  std::string from;
  std::string to;
  std::vector<std::string> endings;
};

/// The conventions of a kind of repository: how a row becomes an environment and a script or
/// recipe. Data, read from YAML; see facts/data/inferencex_layout.yaml for the form.
struct Profile {
  std::string name;
  Folders folders;
  std::vector<MovedFolder> moved;
  PullRequestContract pull_request;
  std::vector<RetiredScenario> retired;
  std::vector<Step> single_node;
  std::vector<Step> multi_node;
  std::vector<Launcher> launchers;
  /// What a row starts can depend on the mode not only through eval_setting; see mark_decisions().
  bool mode_decides = false;
  /// The variables on which it depends what a row starts; see mark_decisions().
  std::set<std::string, std::less<>> deciding;

  /// Reads a mapping of the form that docs/layout.md describes. Fails at the first part that is not
  /// of it, with its place. Keeps copies only.
  static text::Result<Profile> read(yaml::Node mapping);
  /// The launcher of that name, else the one for unknown launchers, else null.
  const Launcher* find_launcher(std::string_view launcher) const;
  /// Whether the launcher has rules of its own.
  bool knows_launcher(std::string_view launcher) const;
};

/// The parts of a profile and the keys that each may have. Those of environments and conditions are
/// names of variables instead.
struct ProfilePart {
  std::string_view name;
  std::vector<std::string_view> keys;
};
std::span<const ProfilePart> profile_parts();

/// The profile of InferenceX that is part of the program. Read once.
const Profile& inferencex_profile();

/// Whether `text` matches `pattern`, in which `*` stands for any text.
bool matches_pattern(std::string_view pattern, std::string_view text);

}  // namespace recipelint::layout
