#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rules/labels/labels.h"
#include "rules/pages.h"
#include "rules/recipe_uses.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using launch::Engine;
using launch::recipe::Count;
using launch::recipe::RoleBlock;
using launch::recipe::SrtRecipe;
using layout::SelectedRecipe;

constexpr std::string_view kId = "RL4007";
constexpr std::int64_t kMostGpus = 1 << 20;

/// What the engine's options make of one worker.
struct Product {
  std::int64_t gpus = 1;
  std::string terms;  // "4 (tensor-parallel-size) * 2 (data-parallel-size)"
  text::Span place;   // of the first written factor
};

class ProductBuilder {
 public:
  explicit ProductBuilder(const RoleBlock& role) : role_(role) {}

  void factor(std::initializer_list<std::string_view> names) {
    const std::optional<Count> count = role_.number(names);
    if (!count) return;
    if (count->value < 1 || count->value > kMostGpus || product_.gpus > kMostGpus) valid_ = false;
    if (!valid_) return;
    product_.gpus *= count->value;
    product_.terms +=
        fmt::format("{}{} ({})", product_.terms.empty() ? "" : " * ", count->value, *names.begin());
    if (!product_.place.valid()) product_.place = count->span;
  }
  /// Nothing if no factor is written: then defaults decide, of which other rules know more.
  std::optional<Product> product() const {
    return valid_ && !product_.terms.empty() ? std::optional(product_) : std::nullopt;
  }

 private:
  const RoleBlock& role_;
  Product product_;
  bool valid_ = true;
};

/// The GPUs that one worker of the role uses. SGLang's data-parallel ranks share those of
/// tensor parallelism.
std::optional<Product> engine_product(const SrtRecipe& recipe, const RoleBlock& role) {
  ProductBuilder builder(role);
  switch (recipe.engine) {
    case Engine::kVllm:
      builder.factor({"tensor-parallel-size"});
      builder.factor({"pipeline-parallel-size"});
      builder.factor({"prefill-context-parallel-size"});
      builder.factor({"data-parallel-size"});
      break;
    case Engine::kSglang:
      builder.factor({"tensor-parallel-size", "tp-size", "tp"});
      builder.factor({"pipeline-parallel-size", "pp-size"});
      break;
    case Engine::kTensorRtLlm:
      builder.factor({"tensor_parallel_size"});
      builder.factor({"pipeline_parallel_size"});
      builder.factor({"context_parallel_size"});
      break;
    case Engine::kAtom:
    case Engine::kOther:
      return std::nullopt;
  }
  return builder.product();
}

/// Looks at one variant of a recipe.
class RecipeCheck {
 public:
  RecipeCheck(const SelectedRecipe& recipe, const SrtRecipe& variant, findings::FindingSink& sink)
      : recipe_(recipe), variant_(variant), sink_(sink) {}

  void run() {
    for (const RoleBlock& role : variant_.roles) {
      if (role.workers.value == 0) continue;
      check_product(role);
      check_partial_nodes(role);
      check_nodes(role);
      check_ranks(role);
    }
  }

 private:
  void report(const RoleBlock& role, Level level, std::string what, std::string message,
              text::Span place, std::vector<std::string> remedies);
  void check_product(const RoleBlock& role);
  void check_partial_nodes(const RoleBlock& role);
  void check_nodes(const RoleBlock& role);
  void check_ranks(const RoleBlock& role);
  std::int64_t per_node() const { return std::max<std::int64_t>(variant_.gpus_per_node.value, 1); }

  const SelectedRecipe& recipe_;
  const SrtRecipe& variant_;
  findings::FindingSink& sink_;
};

void RecipeCheck::report(const RoleBlock& role, Level level, std::string what, std::string message,
                         text::Span place, std::vector<std::string> remedies) {
  Finding finding;
  finding.rule = kId;
  finding.level = level;
  finding.message = std::move(message);
  finding.primary = place.valid() ? place : variant_.root.span();
  for (const Count* count : {&role.gpus_per_worker, &role.workers}) {
    if (count->span.valid() && count->span != finding.primary) {
      finding.related.push_back({count->span, "resources of the role"});
    }
  }
  for (const layout::RecipeUse& use : recipe_.uses) finding.cells.emplace_back(use.row->entry->key);
  std::sort(finding.cells.begin(), finding.cells.end());
  finding.cells.erase(std::unique(finding.cells.begin(), finding.cells.end()), finding.cells.end());
  finding.remedies = std::move(remedies);
  finding.identity = fmt::format("{} {} {}", variant_.variant, to_string(role.role), what);
  sink_.report(std::move(finding));
}

void RecipeCheck::check_product(const RoleBlock& role) {
  const std::optional<Product> product = engine_product(variant_, role);
  if (!product || product->gpus == role.gpus_per_worker.value) return;
  report(role, Level::kError, "product",
         fmt::format("A {} worker uses {} GPU{}, {}, but the resources give it {}.",
                     to_string(role.role), product->gpus, product->gpus == 1 ? "" : "s",
                     product->terms, role.gpus_per_worker.value),
         product->place,
         {fmt::format("Give the worker {} GPU{} in resources.", product->gpus,
                      product->gpus == 1 ? "" : "s"),
          fmt::format("Choose sizes with the product {}.", role.gpus_per_worker.value)});
}

void RecipeCheck::check_partial_nodes(const RoleBlock& role) {
  const std::int64_t gpus = role.gpus_per_worker.value;
  if (gpus <= per_node() || gpus % per_node() == 0) return;
  report(role, Level::kError, "partial node",
         fmt::format("A {} worker of {} GPUs spans nodes but does not fill them: {} is no multiple "
                     "of the {} GPUs of a node.",
                     to_string(role.role), gpus, gpus, per_node()),
         role.gpus_per_worker.span, {fmt::format("Use a multiple of {} GPUs.", per_node())});
}

void RecipeCheck::check_nodes(const RoleBlock& role) {
  // Without nodes of its own, a role shares those of another.
  if (!role.nodes || role.nodes->value == 0 || variant_.packs_roles_together) return;
  const std::int64_t workers = role.workers.value;
  const std::int64_t gpus = role.gpus_per_worker.value;
  if (workers > kMostGpus || gpus > kMostGpus || role.nodes->value > kMostGpus) return;
  const std::int64_t needed = variant_.spread_workers && gpus < per_node()
                                  ? workers
                                  : (workers * gpus + per_node() - 1) / per_node();
  if (role.nodes->value == needed) return;
  const bool too_few = role.nodes->value < needed;
  report(
      role, too_few ? Level::kError : Level::kNote, "nodes",
      fmt::format("{} {} worker{} of {} GPU{} need{} {} node{} of {}, but the recipe reserves {}.",
                  workers, to_string(role.role), workers == 1 ? "" : "s", gpus,
                  gpus == 1 ? "" : "s", workers == 1 ? "s" : "", needed, needed == 1 ? "" : "s",
                  per_node(), role.nodes->value),
      role.nodes->span, {fmt::format("Reserve {} node{}.", needed, needed == 1 ? "" : "s")});
}

/// SGLang splits the tensor-parallel group into its data-parallel ranks.
void RecipeCheck::check_ranks(const RoleBlock& role) {
  if (variant_.engine != Engine::kSglang) return;
  const auto tensor = role.number({"tensor-parallel-size", "tp-size", "tp"});
  const auto data = role.number({"data-parallel-size", "dp-size", "dp"});
  if (!tensor || !data || data->value < 1 || tensor->value % data->value == 0) return;
  report(role, Level::kError, "ranks",
         fmt::format("{} data-parallel ranks do not divide the tensor-parallel size {}.",
                     data->value, tensor->value),
         data->span, {fmt::format("Use a divisor of {}.", tensor->value)});
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  const auto check = [&](const std::vector<SelectedRecipe>& recipes) {
    for (const SelectedRecipe& recipe : recipes) {
      for (const SrtRecipe& variant : recipe.variants) RecipeCheck(recipe, variant, sink).run();
    }
  };
  for (const layout::Site& site : context.workspace.sites()) check(site.recipes);
  check(context.workspace.recipes());
}

}  // namespace

Rule topology_arithmetic() {
  return {kId,
          "topology-arithmetic",
          Level::kError,
          Precision::kVeryHigh,
          "The parallel sizes, GPUs, workers and nodes of a recipe do not fit each other.",
          embedded_pages("topology_arithmetic.md"),
          run};
}

}  // namespace recipelint::rules
