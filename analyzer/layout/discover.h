#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/text/file_tree.h"
#include "analyzer/text/source_store.h"

namespace recipelint::layout {

/// One set of search-space configurations that is read together, and the repository it drives. A
/// tree can have several: two generations side by side, or nested copies of a repository. Paths are
/// relative to the tree; an empty one means that there is no such file.
struct SiteFiles {
  std::string root;                  // the repository below the tree: "" or "third_party/suite"
  std::string folder;                // where the configurations lie: "configs"
  std::vector<std::string> masters;  // sorted; that is the order of the generator
  std::string runners;
  std::string ci_priority;
  std::string changelog;
};

struct Discovery {
  std::vector<SiteFiles> sites;  // sorted by root, then folder
  /// srt-slurm recipes and shell scripts, sorted. Filled only if there are no sites: then they are
  /// the search space.
  std::vector<std::string> recipes;
  std::vector<std::string> scripts;
  /// There are more folders than are looked at.
  bool truncated = false;
};

struct DiscoverOptions {
  /// What the user named, relative to the tree: a `deprecated` folder counts if it, or something in
  /// it, is among them.
  std::vector<std::string> named;
  /// Where the repository says that its launchers lie: the folder that has it at or above the
  /// configurations is the repository, else the tree is. Not set: what looks like a repository is.
  std::optional<std::string> launchers;
};

/// The configuration file, which lies in the root.
inline constexpr std::string_view kConfigurationName = ".recipelint.yaml";

/// Finds what there is to analyse by content: a master is a YAML file whose entries have `runner:`
/// and `scenarios:`, `search-space:` or `seq-len-configs:`, wherever it lies. What has the name of
/// a configuration and cannot be read counts as one: its reader says why, as `sources` does for
/// folders that cannot be listed. Folders named `deprecated`, hidden ones except `.github`, and
/// dependencies are left out.
Discovery discover(text::SourceStore& sources, const DiscoverOptions& options = {});

/// Whether the tree has a master file in its top folder, in a folder there, or in
/// `.github/configs`.
bool has_search_space(const text::FileTree& tree);

/// The root to analyse for a path given by the user (a file or a folder on disk): the nearest
/// folder at or above it that has a search space or a configuration file or is the top of a git
/// repository, else the folder. Configurations (`configs`, `.github`) are part of what lies above.
std::string default_root(const std::string& path);

/// How a YAML file looks at a glance, without parsing it. A master is recognised in any encoding
/// and with any line breaks, also in those that its reader refuses: it must not be passed over.
enum class YamlShape { kMaster, kRecipe, kOther };
YamlShape yaml_shape(std::string_view bytes);

}  // namespace recipelint::layout
