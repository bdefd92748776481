#pragma once

#include <vector>

#include "analyzer/launch/launch.h"
#include "analyzer/launch/recipe/srt_command.h"
#include "analyzer/layout/environment.h"
#include "analyzer/layout/target.h"

namespace recipelint::layout {

/// What a launcher changes in the recipe of a row before it submits it. `environment` is that of
/// the row (see plan_launch), `engine` that of the recipe.
launch::recipe::SubmittedChanges submitted_changes(const RecipeReference& reference,
                                                   const Variables& environment,
                                                   launch::Engine engine);

}  // namespace recipelint::layout
