#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/layout/profile.h"
#include "analyzer/layout/row_fields.h"
#include "analyzer/layout/runner.h"
#include "analyzer/shell/value.h"
#include "analyzer/space/expand.h"
#include "analyzer/text/origin.h"

namespace recipelint::layout {

/// Variables by name. What only the host knows is unknown, with the cause.
using Variables = std::map<std::string, shell::Value, std::less<>>;

/// What a launcher makes of one point of the search space.
struct LaunchPlan {
  /// What the recipe script, or the recipe submitter, starts with.
  Variables environment;
  /// Why the launcher ends with an error instead; nothing else counts then.
  std::optional<std::string> rejected;
  /// Scripts that the launcher tries, in order, relative to the repository; the first that exists
  /// runs, and the last one even if it does not.
  std::vector<std::string> scripts;
  /// How the recipe file of the row is found; null if the launcher uses none.
  const RecipeRule* recipe = nullptr;
  Importer importer = Importer::kUnknown;
};

/// Runs the workflow's and the launcher's steps for one point. `pool` must outlive the result; all
/// else is copied, except that `recipe` points into the profile.
LaunchPlan plan_launch(const Profile& profile, const Runner& runner, const RowFields& fields,
                       Mode mode, text::OriginPool& pool);

/// The same with an environment of which only the variables are complete on which it depends what
/// the row starts (Profile::deciding): enough for resolve_target(), at a fraction of the cost.
LaunchPlan plan_target(const Profile& profile, const Runner& runner, const RowFields& fields,
                       Mode mode, text::OriginPool& pool);

/// Whether all of `when` and none of `unless` hold for these variables.
bool holds(const Guard& guard, const Variables& variables);

/// The template's value for these variables; row fields, modes and host facts give nothing here.
shell::Value expand(const TextTemplate& text_template, const Variables& variables);

}  // namespace recipelint::layout
