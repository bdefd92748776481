#include "analyzer/launch/recipe/llm_d.h"

#include <string_view>
#include <utility>

#include "analyzer/launch/recipe/python_text.h"

namespace recipelint::launch::recipe {
namespace {

using shell::Value;

constexpr std::string_view kBlanks = " \t\n\r";

void read_role(LlmdRecipe& recipe, const MergedNode& root, Role role) {
  const MergedNode& section = root.find(to_string(role));
  LlmdRole result;
  result.role = role;
  result.span = section ? section.span() : root.span();
  const auto problem = [&](std::string message, text::Span span) {
    recipe.problems.push_back({std::move(message), span, false});
  };
  if (section && !section.is_mapping() && !section.node().is_null()) {
    problem("'" + std::string(to_string(role)) + "' must be a mapping.", section.span());
  }
  if (const MergedNode& tp = section.find("tp"); tp && !tp.node().is_null()) {
    const std::optional<std::int64_t> value = tp.node().as_int();
    if (value && *value > 0) {
      result.tensor_parallel = {*value, tp.span()};
    } else {
      problem("'tp' must be a whole number above 0.", tp.span());
    }
  }
  if (const MergedNode& ep = section.find("enable-expert-parallel"); ep && !ep.node().is_null()) {
    const std::optional<bool> value = ep.node().as_bool();
    if (!value) problem("'enable-expert-parallel' must be true or false.", ep.span());
    result.expert_parallel = value.value_or(true);
  }
  result.extra_arguments = section.find("extra-args");
  result.environment = section.find("env");
  recipe.roles.push_back(std::move(result));
}

class CommandBuilder {
 public:
  CommandBuilder(const LlmdRole& role, const LlmdEngineSize& size, text::OriginPool& pool)
      : role_(role), size_(size), pool_(pool), script_(pool.add({}, "set by the server script")) {}

  Launch build(const Value& model_name);

 private:
  void add(std::string_view word) { launch_.argv.push_back(Value::of(std::string(word), script_)); }
  void add(std::string_view option, Value value) {
    add(option);
    launch_.argv.push_back(std::move(value));
  }
  Value number(std::int64_t value) const { return Value::of(std::to_string(value), script_); }
  void add_common(const Value& model_name);
  void add_topology();
  void add_extra_arguments();
  void add_environment();

  const LlmdRole& role_;
  const LlmdEngineSize& size_;
  text::OriginPool& pool_;
  text::Origin script_;
  Launch launch_;
};

Launch CommandBuilder::build(const Value& model_name) {
  launch_.program = "vllm serve";
  launch_.engine = Engine::kVllm;
  launch_.role = role_.role;
  launch_.span = role_.span;
  add_common(model_name);
  add_topology();
  add_extra_arguments();
  add_environment();
  return std::move(launch_);
}

void CommandBuilder::add_common(const Value& model_name) {
  for (const std::string_view word : {"vllm", "serve", "/models", "--port", "8200"}) add(word);
  add("--served-model-name", model_name);
  add("--trust-remote-code");
  add("--disable-access-log-for-endpoints=/health,/metrics");
  const text::Origin origin = pool_.add(role_.tensor_parallel.span, "tp of the recipe");
  add("--tensor-parallel-size", Value::of(std::to_string(role_.tensor_parallel.value), origin));
  const std::string_view kv_role = role_.role == Role::kPrefill ? "kv_producer" : "kv_consumer";
  add("--kv_transfer_config",
      Value::of(R"({"kv_connector":"NixlConnector","kv_role":")" + std::string(kv_role) +
                    R"(","kv_load_failure_policy":"fail"})",
                script_));
  if (role_.expert_parallel) add("--api-server-count", number(4));
}

void CommandBuilder::add_topology() {
  const Value address = Value::unknown("address of the engine's first node", script_);
  if (role_.expert_parallel) {
    add("--enable-expert-parallel");
    add("--data-parallel-size", number(size_.nodes * size_.gpus_per_node));
    if (size_.nodes <= 1) return;
    add("--data-parallel-hybrid-lb");
    add("--data-parallel-size-local", number(size_.gpus_per_node));
    add("--data-parallel-address", address);
    add("--data-parallel-rpc-port", number(5555));
    add("--data-parallel-start-rank", number(0));
  } else if (size_.nodes > 1) {
    add("--master-addr", address);
    add("--nnodes", number(size_.nodes));
    add("--node-rank", number(0));
  }
}

/// The script expands them without quotes: blanks split, quotes and JSON are taken as they are.
void CommandBuilder::add_extra_arguments() {
  if (!role_.extra_arguments.is_scalar() || role_.extra_arguments.node().is_null()) return;
  const text::Origin origin = pool_.add(role_.extra_arguments.span(), "extra-args of the recipe");
  std::string_view rest = role_.extra_arguments.node().text();
  while (true) {
    const std::size_t begin = rest.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return;
    rest.remove_prefix(begin);
    const std::string_view word = rest.substr(0, rest.find_first_of(kBlanks));
    launch_.argv.push_back(Value::of(std::string(word), origin));
    rest.remove_prefix(word.size());
  }
}

void CommandBuilder::add_environment() {
  for (const MergedNode::Entry& entry : role_.environment.entries()) {
    if (!entry.value.is_scalar()) continue;
    launch_.environment[std::string(entry.key.text())] =
        Value::of(python_str(entry.value.node().scalar()),
                  pool_.add(entry.value.span(), "env of the recipe"));
  }
}

}  // namespace

LlmdRecipe read_llmd_recipe(std::shared_ptr<const yaml::Document> document) {
  LlmdRecipe recipe;
  recipe.document = std::move(document);
  const yaml::Node top = recipe.document->root();
  const text::Result<MergedNode> root = MergedNode::of(top);
  if (!root || !root->is_mapping()) {
    recipe.problems.push_back(
        {root ? std::string("A recipe must be a mapping.") : root.error().message, top.span(),
         false});
    return recipe;
  }
  read_role(recipe, *root, Role::kPrefill);
  read_role(recipe, *root, Role::kDecode);
  return recipe;
}

Launch llmd_launch(const LlmdRole& role, const LlmdEngineSize& size, const Value& model_name,
                   text::OriginPool& pool) {
  return CommandBuilder(role, size, pool).build(model_name);
}

}  // namespace recipelint::launch::recipe
