#include "analyzer/layout/recipe_cells.h"

#include <charconv>
#include <cstdint>
#include <utility>

namespace recipelint::layout {
namespace {

using launch::Engine;
using launch::Role;
using launch::recipe::Count;
using launch::recipe::MergedNode;
using launch::recipe::PlacedText;
using launch::recipe::RecipeConcurrency;
using launch::recipe::RoleBlock;
using launch::recipe::SrtRecipe;

/// A container can be a name that the cluster's own configuration maps to an image.
bool is_image_reference(std::string_view container) {
  return container.find_first_of("/:#") != std::string_view::npos;
}

std::optional<PlacedText> image_of(const SrtRecipe& recipe) {
  const bool direct = recipe.container && is_image_reference(recipe.container->text);
  return direct ? recipe.container : recipe.identity_image;
}

/// The name in the identity is that of the hub; the path can be a name that the cluster's own
/// configuration maps to a folder.
std::optional<FieldText> model_of(const SrtRecipe& recipe) {
  constexpr std::string_view kHub = "hf:";
  const MergedNode& repository = recipe.root.find("identity").find("model").find("repo");
  if (repository.is_scalar() && !repository.node().is_null()) {
    return FieldText{std::string(repository.node().text()), repository.span()};
  }
  if (!recipe.model_path) return std::nullopt;
  const bool on_hub = recipe.model_path->text.starts_with(kHub);
  return FieldText{recipe.model_path->text.substr(on_hub ? kHub.size() : 0),
                   recipe.model_path->span};
}

std::string_view framework_of(Engine engine, bool with_dynamo) {
  switch (engine) {
    case Engine::kVllm:
      return with_dynamo ? "dynamo-vllm" : "vllm";
    case Engine::kSglang:
      return with_dynamo ? "dynamo-sglang" : "sglang";
    case Engine::kTensorRtLlm:
      return with_dynamo ? "dynamo-trt" : "trt";
    case Engine::kAtom:
    case Engine::kOther:
      return "";
  }
  return "";
}

/// What the script of the benchmark takes its concurrency from.
std::optional<RecipeConcurrency> concurrency_of_script(const SrtRecipe& recipe) {
  if (recipe.benchmark_type != "custom") return std::nullopt;
  const MergedNode& node = recipe.root.find("benchmark").find("env").find("CONC");
  if (!node.is_scalar()) return std::nullopt;
  const std::string_view digits = node.node().text();
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || stop != digits.data() + digits.size() || value <= 0) {
    return std::nullopt;
  }
  return RecipeConcurrency{value, node.span()};
}

/// Fills in the fields of a run.
class FieldWriter {
 public:
  explicit FieldWriter(RecipeRun& run) : run_(run) {}

  void write() {
    const SrtRecipe& recipe = *run_.variant;
    if (const auto image = image_of(recipe)) add("image", image->text, image->span);
    if (const auto model = model_of(recipe)) add("model", model->text, model->span);
    const MergedNode& precision = recipe.root.find("model").find("precision");
    if (precision.is_scalar()) add("precision", precision.node().text(), precision.span());
    add("framework", framework_of(recipe.engine, recipe.frontend == "dynamo"),
        recipe.root.find("backend").span());
    add("runner", recipe.gpu_type, recipe.root.find("resources").find("gpu_type").span());
    add_count("isl", recipe.isl);
    add_count("osl", recipe.osl);
    add_workers(recipe);
  }

 private:
  void add(std::string_view name, std::string_view text, text::Span span) {
    if (!text.empty()) run_.fields[std::string(name)] = {std::string(text), span};
  }
  void add_count(std::string_view name, const std::optional<Count>& count) {
    if (count) add(name, std::to_string(count->value), count->span);
  }
  void add_workers(const SrtRecipe& recipe) {
    const RoleBlock* decode = recipe.find_role(Role::kDecode);
    const RoleBlock* prefill =
        recipe.find_role(decode != nullptr ? Role::kPrefill : Role::kAggregate);
    add("disagg", decode != nullptr ? "true" : "false", {});
    if (prefill != nullptr) add_count("prefill.num-worker", prefill->workers);
    add_count("decode.num-worker", decode != nullptr ? decode->workers : Count{});
  }

  RecipeRun& run_;
};

}  // namespace

std::optional<FieldText> RecipeCell::field(std::string_view name) const {
  if (name == "conc") {
    if (!concurrency) return std::nullopt;
    return FieldText{std::to_string(concurrency->value), concurrency->span};
  }
  const auto found = run->fields.find(name);
  if (found == run->fields.end()) return std::nullopt;
  return found->second;
}

RecipeRun recipe_run(const std::string& path, const SrtRecipe& variant) {
  RecipeRun run;
  run.variant = &variant;
  run.key = variant.variant.empty() ? path : path + ":" + variant.variant;
  run.target.kind = Target::Kind::kRecipe;
  run.target.runner.launcher = variant.gpu_type;
  run.target.recipe.place = RecipePlace::kInTree;
  run.target.recipe.path = run.target.recipe.name = path;
  run.target.recipe.selector = variant.variant;
  run.target.recipe.written = run.key;
  FieldWriter(run).write();
  run.concurrencies = variant.concurrencies;
  if (run.concurrencies.empty()) {
    if (const auto concurrency = concurrency_of_script(variant)) {
      run.concurrencies.push_back(*concurrency);
    }
  }
  return run;
}

std::vector<RecipeCell> cells_of(const RecipeRun& run) {
  std::vector<RecipeCell> cells;
  for (const RecipeConcurrency& concurrency : run.concurrencies) {
    cells.push_back({&run, concurrency});
  }
  if (cells.empty()) cells.push_back({&run, std::nullopt});
  return cells;
}

}  // namespace recipelint::layout
