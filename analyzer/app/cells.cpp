#include <memory>
#include <vector>

#include "analyzer/app/analysis.h"
#include "analyzer/app/cell_filter.h"
#include "analyzer/app/commands.h"
#include "analyzer/app/recipe_rows.h"
#include "analyzer/app/scope.h"
#include "analyzer/space/cells_json.h"
#include "analyzer/space/cells_text.h"

namespace recipelint::app {
namespace {

/// Facts are needed only to find out who reads a file, which few runs ask for.
text::Result<Scope> scope_for_cells(const LoadedRepository& repository, unsigned threads) {
  Scope scope(*repository.workspace, repository.named);
  if (!scope.needs_readers()) return scope;
  const auto facts = load_facts(repository);
  if (!facts) return facts.error();
  return scope_of(repository, **facts, threads);
}

std::vector<space::MatrixRow> chosen_rows(const layout::Workspace& workspace, const Scope& scope,
                                          const CellFilter& filter) {
  std::vector<space::MatrixRow> matrix;
  for (const layout::Site& site : workspace.sites()) {
    for (const space::MatrixRow& row : site.matrix) {
      if (scope.contains_key(row.entry->key) && filter.accepts_any(row)) matrix.push_back(row);
    }
  }
  return matrix;
}

std::vector<RecipeRow> chosen_recipes(const layout::Workspace& workspace, const Scope& scope,
                                      const CellFilter& filter) {
  std::vector<RecipeRow> rows;
  for (const layout::RecipeRun& run : workspace.recipe_runs()) {
    if (!scope.contains_key(run.key)) continue;
    RecipeRow row;
    for (const layout::RecipeCell& cell : layout::cells_of(run)) {
      if (filter.accepts(cell)) row.push_back(cell);
    }
    if (!row.empty()) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

int run_cells(const CellsOptions& options, const Streams& streams) {
  const auto filter = CellFilter::make(options.shared);
  if (!filter) return usage_failure(filter.error(), streams);
  const auto repository = load_repository(options.shared);
  if (!repository) return usage_failure(repository.error(), streams);
  const layout::Workspace& workspace = *repository->workspace;
  const auto scope = scope_for_cells(*repository, options.shared.threads);
  if (!scope) return usage_failure(scope.error(), streams);
  const auto matrix = chosen_rows(workspace, *scope, *filter);
  const auto recipes = chosen_recipes(workspace, *scope, *filter);
  if (options.json) {
    space::write_cells_json(matrix, streams.out);
    write_recipe_rows_json(recipes, streams.out);
  } else {
    if (!workspace.sites().empty() || recipes.empty()) {
      space::write_cells_text(matrix, streams.out);
    }
    if (!recipes.empty()) write_recipe_rows_text(recipes, streams.out);
  }
  say_which_keys_match_nothing(options.shared, workspace, streams.err);
  return say_what_was_unreadable(*repository, streams.err);
}

}  // namespace recipelint::app
