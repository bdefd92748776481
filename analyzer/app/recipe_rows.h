#pragma once

#include <iosfwd>
#include <vector>

#include "analyzer/layout/recipe_cells.h"

namespace recipelint::app {

/// Some cells of one recipe variant, in order.
using RecipeRow = std::vector<layout::RecipeCell>;

/// What `cells` prints for recipes that no row selects. JSON has the fields of the generator's
/// rows, as far as recipes say them; tp and the like are words of the engines' commands, which
/// `argv` prints, so that each worker has "nodes" and "gpus" instead.
void write_recipe_rows_json(const std::vector<RecipeRow>& rows, std::ostream& out);
void write_recipe_rows_text(const std::vector<RecipeRow>& rows, std::ostream& out);

}  // namespace recipelint::app
