#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/launch/launch.h"
#include "analyzer/launch/recipe/merged_node.h"
#include "analyzer/launch/recipe/srt_slurm.h"
#include "analyzer/text/origin.h"
#include "analyzer/yaml/document.h"

namespace recipelint::launch::recipe {

/// What one role of an llm-d recipe serves with.
struct LlmdRole {
  Role role = Role::kPrefill;
  text::Span span;
  Count tensor_parallel{1, {}};
  bool expert_parallel = true;
  MergedNode extra_arguments;  // words of the command line, split at blanks only
  MergedNode environment;
};

/// An llm-d recipe: an EndpointPickerConfig with serving options for each role.
struct LlmdRecipe {
  std::shared_ptr<const yaml::Document> document;
  std::vector<LlmdRole> roles;  // prefill, decode
  std::vector<RecipeProblem> problems;
};

LlmdRecipe read_llmd_recipe(std::shared_ptr<const yaml::Document> document);

/// The size of one engine of a role: what the job gives to it beside the recipe.
struct LlmdEngineSize {
  std::int64_t nodes = 1;  // of one engine
  std::int64_t gpus_per_node = 1;
};

/// The vLLM command that starts the first node of an engine, by the rules of InferenceX's llm-d
/// server script (2026-08-21). `model_name` is what it serves the model as.
Launch llmd_launch(const LlmdRole& role, const LlmdEngineSize& size, const shell::Value& model_name,
                   text::OriginPool& pool);

}  // namespace recipelint::launch::recipe
