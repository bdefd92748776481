#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "analyzer/findings/finding.h"
#include "analyzer/launch/recipe/srt_slurm.h"
#include "analyzer/layout/workspace.h"
#include "rules/rule.h"

namespace recipelint::rules {

/// A row of the search space together with the recipe variant that it runs.
struct RecipePair {
  const layout::Site& site;
  const layout::SelectedRecipe& recipe;
  const launch::recipe::SrtRecipe& variant;
  const layout::RowLaunch& row;
  const layout::RecipeReference& reference;
  layout::Mode mode = layout::Mode::kThroughput;

  std::string key() const { return std::string(row.entry->key); }
};

/// All pairs, in the order of sites, recipes and rows.
void for_each_pair(const RuleContext& context, const std::function<void(const RecipePair&)>& visit);

/// A finding about a pair, with rule, place and the entry; the recipe's place is a related one
/// unless it is invalid.
findings::Finding finding_about(const RecipePair& pair, std::string_view rule, text::Span primary,
                                text::Span in_recipe, std::string_view recipe_label);

/// "prefill", "decode" or "aggregate": the worker block of a row that a role of a recipe belongs
/// to.
const space::Field<space::Worker>& worker_of(const layout::RowLaunch& row, launch::Role role);

}  // namespace recipelint::rules
