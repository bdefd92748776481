#include "tests/bench/parsed_files.h"

#include <set>

#include "analyzer/app/analysis.h"
#include "analyzer/facts/catalog.h"
#include "analyzer/layout/cell_results.h"
#include "analyzer/layout/workspace.h"
#include "tests/bench/bare_parsers.h"

namespace recipelint::bench {

std::vector<std::string> parsed_files(const std::string& root) {
  app::SharedOptions options;
  options.paths = {root};
  const auto repository = app::load_repository(options);
  if (!repository) return {};
  std::set<std::string> paths;
  const layout::Workspace& workspace = *repository->workspace;
  for (const layout::Site& site : workspace.sites()) {
    paths.insert(site.files.masters.begin(), site.files.masters.end());
    paths.insert({site.files.runners, site.files.ci_priority, site.files.changelog});
    for (const layout::SelectedRecipe& recipe : site.recipes) paths.insert(recipe.path);
  }
  for (const layout::SelectedRecipe& recipe : workspace.recipes()) paths.insert(recipe.path);
  paths.erase("");
  // Evaluating the cells loads the scripts.
  const facts::Catalog facts;
  const layout::CellResults cells(workspace, facts, 0);
  static_cast<void>(cells.all());
  for (const text::SourceFile* file : repository->sources->files()) {
    if (is_script(file->path())) paths.insert(file->path());
  }
  return {paths.begin(), paths.end()};
}

}  // namespace recipelint::bench
