#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/facts/models.h"
#include "analyzer/launch/recipe/srt_slurm.h"
#include "analyzer/layout/cell_results.h"
#include "analyzer/layout/workspace.h"
#include "analyzer/shell/evaluate.h"

namespace recipelint::layout {

/// Which files of the tree a cell has to do with beyond the configurations: what its script reads,
/// its recipe, and the scripts that the recipe's commands run with what these read. A file counts
/// because it is read, not because its name occurs somewhere.
class ReadFiles {
 public:
  /// Both must outlive it.
  ReadFiles(const Workspace& workspace, const facts::ModelFacts& models)
      : workspace_(workspace),
        scripts_(workspace.sources()),
        evaluator_(workspace, scripts_, models) {}

  /// Sorted, relative to the tree.
  std::set<std::string> of(const EvaluatedCell& cell);

 private:
  void add_recipe(const Site& site, const RecipeReference& reference, std::set<std::string>& files);
  /// What a script of a benchmark reads, which nobody gives an environment that is known.
  const std::vector<std::string>& read_by(const std::string& script);

  const Workspace& workspace_;
  shell::ScriptCache scripts_;
  CellEvaluator evaluator_;
  std::map<std::string, std::vector<std::string>> read_by_;
};

/// The files of the repository that commands of a recipe name: those of `benchmark.command` below
/// Folders::recipe_mounts, and `setup_script`, which lies in `configs` beside the recipes. Only
/// files that exist; relative to the tree.
std::vector<std::string> scripts_of(const launch::recipe::SrtRecipe& recipe, const Site& site,
                                    const text::FileTree& tree);

}  // namespace recipelint::layout
