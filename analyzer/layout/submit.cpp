#include "analyzer/layout/submit.h"

#include <string>
#include <string_view>

namespace recipelint::layout {
namespace {

using launch::Engine;
using launch::recipe::SubmittedChanges;

bool is_set_to(const Variables& environment, std::string_view name, std::string_view text) {
  const auto found = environment.find(name);
  return found != environment.end() && found->second.is_known() && found->second.text() == text;
}

/// InferenceX has injectors for these pairs only; with another framework the launcher ends.
bool has_injector(const Variables& environment, Engine engine) {
  return (engine == Engine::kVllm && is_set_to(environment, "FRAMEWORK", "dynamo-vllm")) ||
         (engine == Engine::kSglang && is_set_to(environment, "FRAMEWORK", "dynamo-sglang"));
}

void add_edit(SubmittedChanges& changes, const RecipeEdit& edit, const Variables& environment) {
  for (const Assignment& added : edit.added) {
    changes.added_options.push_back({edit.after, added.name, expand(added.value, environment)});
  }
  if (!edit.removed.empty()) changes.removed_environment.push_back(edit.removed);
}

}  // namespace

SubmittedChanges submitted_changes(const RecipeReference& reference, const Variables& environment,
                                   Engine engine) {
  SubmittedChanges changes;
  if (reference.rule == nullptr) return changes;
  for (const RecipeEdit& edit : reference.rule->edits) {
    if (holds(edit.guard, environment)) add_edit(changes, edit, environment);
  }
  const bool synthetic = reference.rule->synthetic_acceptance &&
                         is_set_to(environment, "SYNTHETIC_ACCEPTANCE", "true") &&
                         !is_set_to(environment, "EVAL_ONLY", "true") &&
                         has_injector(environment, engine);
  if (!synthetic) return changes;
  const auto length = environment.find("SYNTHETIC_ACCEPTANCE_LENGTH");
  changes.synthetic_acceptance =
      length != environment.end() && !length->second.empty()
          ? length->second
          : shell::Value::unknown("acceptance length from a table that the launcher reads");
  return changes;
}

}  // namespace recipelint::layout
