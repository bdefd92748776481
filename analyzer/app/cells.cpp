#include <vector>

#include "analyzer/app/analysis.h"
#include "analyzer/app/cell_filter.h"
#include "analyzer/app/commands.h"
#include "analyzer/app/scope.h"
#include "analyzer/space/cells_json.h"
#include "analyzer/space/cells_text.h"

namespace recipelint::app {
int run_cells(const CellsOptions& options, const Streams& streams) {
  const auto filter = CellFilter::make(options.shared);
  if (!filter) return usage_failure(filter.error(), streams);
  const auto repository = load_repository(options.shared);
  if (!repository) return usage_failure(repository.error(), streams);
  const Scope scope(*repository->workspace, repository->named);
  std::vector<space::MatrixRow> matrix;
  for (const layout::Site& site : repository->workspace->sites()) {
    for (const space::MatrixRow& row : site.matrix) {
      if (scope.contains_key(row.entry->key) && filter->accepts_any(row)) matrix.push_back(row);
    }
  }
  if (options.json) {
    space::write_cells_json(matrix, streams.out);
  } else {
    space::write_cells_text(matrix, streams.out);
  }
  say_which_keys_match_nothing(options.shared, *repository->workspace, streams.err);
  return say_what_was_unreadable(*repository, streams.err);
}

}  // namespace recipelint::app
