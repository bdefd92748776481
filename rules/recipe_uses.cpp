#include "rules/recipe_uses.h"

#include <utility>

namespace recipelint::rules {

void for_each_pair(const RuleContext& context,
                   const std::function<void(const RecipePair&)>& visit) {
  for (const layout::Site& site : context.workspace.sites()) {
    for (const layout::SelectedRecipe& recipe : site.recipes) {
      for (const launch::recipe::SrtRecipe& variant : recipe.variants) {
        for (const layout::RecipeUse& use : recipe.uses) {
          visit({site, recipe, variant, *use.row, use.reference(), use.mode});
        }
      }
    }
  }
}

findings::Finding finding_about(const RecipePair& pair, std::string_view rule, text::Span primary,
                                text::Span in_recipe, std::string_view recipe_label) {
  findings::Finding finding;
  finding.rule = rule;
  finding.level = findings::Level::kError;
  finding.primary = primary.valid() ? primary : pair.row.row->span();
  if (in_recipe.valid()) finding.related.push_back({in_recipe, std::string(recipe_label)});
  if (pair.reference.span.valid()) {
    finding.related.push_back({pair.reference.span, "the row selects the recipe here"});
  }
  finding.cells = {pair.key()};
  return finding;
}

const space::Field<space::Worker>& worker_of(const layout::RowLaunch& row, launch::Role role) {
  return role == launch::Role::kDecode ? row.row->decode : row.row->prefill;
}

}  // namespace recipelint::rules
