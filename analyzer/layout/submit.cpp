#include "analyzer/layout/submit.h"

#include <charconv>
#include <cstdint>
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

/// A small number of the environment; `fallback` if it is unset, unknown or none.
std::int64_t number_or(const Variables& environment, const std::string& name,
                       std::int64_t fallback) {
  constexpr std::int64_t kMost = 4096;
  const auto found = environment.find(name);
  if (found == environment.end() || !found->second.is_known()) return fallback;
  const std::string digits = found->second.text();
  std::int64_t number = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = error == std::errc() && stop == digits.data() + digits.size();
  return whole && number > 0 && number <= kMost ? number : fallback;
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

std::vector<launch::Launch> llmd_launches(const launch::recipe::LlmdRecipe& recipe,
                                          const RecipeReference& reference,
                                          const Variables& environment, text::OriginPool& pool) {
  const auto model = environment.find("MODEL_NAME");
  const shell::Value model_name =
      model != environment.end() ? model->second : shell::Value::unknown("name of the model");
  std::vector<launch::Launch> launches;
  for (const launch::recipe::LlmdRole& role : recipe.roles) {
    const std::string prefix = role.role == launch::Role::kPrefill ? "PREFILL" : "DECODE";
    launch::recipe::LlmdEngineSize size;
    size.gpus_per_node = number_or(environment, "GPUS_PER_NODE", reference.rule->gpus_per_node);
    size.nodes = number_or(environment, prefix + "_NODES", 1) /
                 number_or(environment, prefix + "_WORKERS", 1);
    launches.push_back(launch::recipe::llmd_launch(role, size, model_name, pool));
  }
  return launches;
}

}  // namespace recipelint::layout
