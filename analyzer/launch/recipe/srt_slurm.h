#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/launch/launch.h"
#include "analyzer/launch/recipe/merged_node.h"
#include "analyzer/text/span.h"
#include "analyzer/yaml/document.h"

namespace recipelint::launch::recipe {

/// Something in a recipe that srtctl refuses, or that cannot be read.
struct RecipeProblem {
  std::string message;  // whole sentences
  text::Span span;
  /// A selector that the file does not have; everything else is about the content.
  bool selector = false;
};

/// A number and where it stands; the span is invalid for a default.
struct Count {
  std::int64_t value = 0;
  text::Span span;
};

/// A text and where it stands.
struct PlacedText {
  std::string text;
  text::Span span;  // without quotes
};

/// What one role of a recipe runs.
struct RoleBlock {
  Role role = Role::kAggregate;
  /// Options of the engine command, or the engine's own configuration for TensorRT-LLM.
  MergedNode config;
  MergedNode environment;
  std::optional<Count> nodes;  // for all workers of the role
  Count workers;
  Count gpus_per_worker;
  /// gpus_per_worker is written, not computed from nodes and workers.
  bool gpus_written = false;

  /// A whole number among the options, under the first of these names that is written; underscores
  /// and hyphens are the same.
  std::optional<Count> number(std::initializer_list<std::string_view> names) const;
};

struct RecipeConcurrency {
  std::int64_t value = 0;
  text::Span span;
};

/// One runnable configuration of a recipe file: the file itself, or its base with one override.
struct SrtRecipe {
  std::shared_ptr<const yaml::Document> document;
  /// "" for a file without overrides, else "override_x", "zip_override_x[0]" or "base".
  std::string variant;
  MergedNode root;

  std::optional<PlacedText> model_path;
  std::optional<PlacedText> container;
  std::optional<PlacedText> identity_image;  // identity.container.image
  Engine engine = Engine::kOther;
  /// "dynamo" (the default), "vllm", "sglang", "trtllm_serve".
  std::string frontend;
  std::string gpu_type;
  Count gpus_per_node;
  /// Workers that do not fill a node are put on nodes of their own.
  bool spread_workers = false;
  /// srtctl packs the workers of all roles together, whatever nodes each role is given.
  bool packs_roles_together = false;
  /// Prefill and decode, or one aggregate role.
  std::vector<RoleBlock> roles;

  std::string benchmark_type;
  std::optional<Count> isl;
  std::optional<Count> osl;
  std::vector<RecipeConcurrency> concurrencies;
  text::Span concurrencies_span;
  /// What is wrong with this variant.
  std::vector<RecipeProblem> problems;

  const text::SourceFile& file() const { return document->file(); }
  const RoleBlock* find_role(Role role) const;
};

/// The variants of a recipe file that a selector names: "" all of them, "override_x",
/// "zip_override_x", "zip_override_x[0]", "base", or a pattern with * and ?. A file without `base:`
/// is one variant, whatever the selector. Problems of the file as a whole and of the selector are
/// added to `problems`; a variant that cannot be built is left out, the others continue.
std::vector<SrtRecipe> read_srt_recipe(std::shared_ptr<const yaml::Document> document,
                                       std::string_view selector,
                                       std::vector<RecipeProblem>& problems);

}  // namespace recipelint::launch::recipe
