#include <algorithm>
#include <vector>

#include "analyzer/app/analysis.h"
#include "analyzer/app/commands.h"
#include "analyzer/space/cells_json.h"
#include "analyzer/space/cells_text.h"
#include "analyzer/space/key_pattern.h"

namespace recipelint::app {
namespace {

bool wanted(const space::MatrixRow& row, const std::vector<std::string>& globs) {
  return globs.empty() || std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) {
           return space::matches_glob(glob, row.entry->key);
         });
}

}  // namespace

int run_cells(const CellsOptions& options, const Streams& streams) {
  const auto repository = load_repository(options.shared);
  if (!repository) return usage_failure(repository.error(), streams);
  std::vector<space::MatrixRow> matrix;
  for (const layout::Site& site : repository->workspace->sites()) {
    for (const space::MatrixRow& row : site.matrix) {
      if (wanted(row, options.shared.keys)) matrix.push_back(row);
    }
  }
  if (options.json) {
    space::write_cells_json(matrix, streams.out);
  } else {
    space::write_cells_text(matrix, streams.out);
  }
  return kClean;
}

}  // namespace recipelint::app
