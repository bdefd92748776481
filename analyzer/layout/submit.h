#pragma once

#include <vector>

#include "analyzer/launch/launch.h"
#include "analyzer/launch/recipe/llm_d.h"
#include "analyzer/launch/recipe/srt_command.h"
#include "analyzer/layout/environment.h"
#include "analyzer/layout/target.h"
#include "analyzer/text/origin.h"

namespace recipelint::layout {

/// What a launcher changes in the recipe of a row before it submits it. `environment` is that of
/// the row (see plan_launch), `engine` that of the recipe.
launch::recipe::SubmittedChanges submitted_changes(const RecipeReference& reference,
                                                   const Variables& environment,
                                                   launch::Engine engine);

/// The commands of both roles of an llm-d recipe, with the nodes that the row's settings give them.
/// `pool` must outlive the result.
std::vector<launch::Launch> llmd_launches(const launch::recipe::LlmdRecipe& recipe,
                                          const RecipeReference& reference,
                                          const Variables& environment, text::OriginPool& pool);

}  // namespace recipelint::layout
