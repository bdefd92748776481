#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/facts/catalog.h"
#include "analyzer/launch/launch.h"
#include "analyzer/serving/server_config.h"
#include "analyzer/serving/vllm/arguments.h"
#include "analyzer/serving/vllm/config.h"
#include "analyzer/serving/vllm/semantics.h"

namespace recipelint::serving::vllm {

// The options that take objects.
inline constexpr std::string_view kCompilationOption = "--compilation-config";
inline constexpr std::string_view kSpeculativeOption = "--speculative-config";
inline constexpr std::string_view kTransferOption = "--kv-transfer-config";

/// What the parts of decode() share. The parts run in the order in which they stand here, and each
/// may use what the ones before it put into the configuration.
struct Decoding {
  const launch::Launch& launch;
  const Situation& situation;
  const facts::Catalog& catalog;
  Semantics semantics;
  Arguments arguments;
  const facts::Model* model = nullptr;  // null: not known
  bool speculates = false;
  /// The values that the token budget of a step can have if the GPU or the version leaves its
  /// default open.
  std::vector<std::int64_t> step_token_options = {};

  const facts::ModelFamily* family() const { return model == nullptr ? nullptr : model->family; }
  /// A variable that the launch sets or inherits; null if it is not set, or not known to be.
  const shell::Value* variable(std::string_view name) const;
  /// A variable that is 0 or 1; nullopt if it is not set, or its value is not known.
  std::optional<bool> switch_variable(std::string_view name) const;
};

void read_limits(Decoding& decoding, ServerConfig& config);
void read_cache(const Decoding& decoding, ServerConfig& config);
void plan_capture(const Decoding& decoding, ServerConfig& config);

}  // namespace recipelint::serving::vllm
