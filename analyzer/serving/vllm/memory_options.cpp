#include "analyzer/serving/vllm/memory_options.h"

#include "analyzer/facts/split.h"
#include "analyzer/serving/json.h"
#include "analyzer/serving/vllm/arguments.h"

namespace recipelint::serving::vllm {
namespace {

constexpr std::string_view kAttentionOption = "--attention-config";

std::optional<bool> hybrid_layers(const Arguments& arguments, const ServerConfig& config) {
  const auto off = arguments.boolean("--disable-hybrid-kv-cache-manager");
  if (off.value) return !*off.value;
  const auto& offloads = config.cache.offloads;
  const bool plain = off.known() && offloads.known() && offloads.value_or({}).empty();
  return plain ? std::optional(true) : std::nullopt;
}

/// Dotted keys are text: "--attention-config.use_fp4_indexer_cache=True".
bool says_true(const Json& value) {
  if (value.is(Json::Kind::kBool)) return value.boolean;
  return value.is(Json::Kind::kString) && (value.text == "True" || value.text == "true");
}

std::optional<bool> fp4_index(const Arguments& arguments) {
  if (!arguments.open().empty()) return std::nullopt;
  const Argument* given = arguments.find(kAttentionOption);
  if (given == nullptr) return false;
  const Json* json = arguments.json(kAttentionOption);
  if (json == nullptr || !json->known() || json->open) return std::nullopt;
  if (const Json* use = json->find("use_fp4_indexer_cache")) {
    return use->known() ? std::optional(says_true(*use)) : std::nullopt;
  }
  const Json* dtype = json->find("indexer_kv_dtype");
  if (dtype == nullptr) return false;
  if (!dtype->is(Json::Kind::kString)) return std::nullopt;
  return dtype->text.find("fp4") != std::string::npos;
}

}  // namespace

MemoryOptions memory_options(const launch::Launch& launch, const ServerConfig& config,
                             const facts::Catalog& catalog) {
  const std::size_t first = launch.arguments_index != 0
                                ? launch.arguments_index
                                : launch.program_index + facts::split(launch.program, ' ').size();
  const auto arguments = Arguments::parse(launch.argv, first, frontend_of(launch.program),
                                          launch.config_files, config.version, catalog);
  MemoryOptions options;
  options.hybrid_layers = hybrid_layers(arguments, config);
  options.fp4_index = fp4_index(arguments);
  const auto language_only = arguments.boolean("--language-model-only");
  options.language_model_only = language_only.value_or(!language_only.known());
  options.blocks_given = arguments.find("--num-gpu-blocks-override") != nullptr;
  return options;
}

}  // namespace recipelint::serving::vllm
