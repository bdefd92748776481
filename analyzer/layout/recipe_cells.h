#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/launch/recipe/srt_slurm.h"
#include "analyzer/layout/row_fields.h"
#include "analyzer/layout/target.h"

namespace recipelint::layout {

/// One variant of a recipe file that no row selects: the recipe itself says what is run, and at
/// which concurrencies.
struct RecipeRun {
  const launch::recipe::SrtRecipe* variant = nullptr;
  /// The file, with the variant as a selector behind it: "recipes/x.yaml:zip_override_tp[0]".
  std::string key;
  /// Of kind kRecipe. Its runner is named after the GPU.
  Target target;
  /// What a row would have said, under the names that rows have for it: "image", "model",
  /// "precision", "framework", "runner", "isl", "osl", "disagg", "prefill.num-worker",
  /// "decode.num-worker". What the recipe does not say is not there. As in rows, workers that do
  /// both phases are those of prefill.
  std::map<std::string, FieldText, std::less<>> fields;
  /// Those of `benchmark.concurrencies`, or for a benchmark of type custom the one in CONC of its
  /// environment.
  std::vector<launch::recipe::RecipeConcurrency> concurrencies;
};

/// One run at one concurrency.
struct RecipeCell {
  const RecipeRun* run = nullptr;
  /// Not set if the recipe does not say.
  std::optional<launch::recipe::RecipeConcurrency> concurrency;

  /// A field of the run, or "conc"; nullopt if it is not known.
  std::optional<FieldText> field(std::string_view name) const;
};

/// `path` is that of the recipe's file in the tree. `variant` must outlive the result.
RecipeRun recipe_run(const std::string& path, const launch::recipe::SrtRecipe& variant);

/// In the order of the recipe; one without concurrency if it has none. `run` must outlive them.
std::vector<RecipeCell> cells_of(const RecipeRun& run);

}  // namespace recipelint::layout
