#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts/engine_version.h"
#include "analyzer/facts/models.h"
#include "analyzer/serving/turning_points.h"
#include "analyzer/serving/vllm/capture.h"

namespace recipelint::serving::vllm {

/// What one version of vLLM does.
class Semantics : public TurningPoints {
 public:
  /// Both must outlive the semantics.
  Semantics(const facts::EngineVersion& version, const facts::VersionFacts& versions)
      : TurningPoints("vllm", version, versions) {}

  CaptureRules capture_rules() const { return vllm::capture_rules(version(), versions()); }
};

/// What runner, graph mode and breakable graphs depend on besides the version. What is not known is
/// missing, and then every possibility is given.
struct GraphInput {
  const facts::ModelFamily* family = nullptr;
  std::optional<bool> rocm;
  std::optional<bool> sm_90;
  std::string speculative_method;  // empty: no speculation
  bool speculation = false;
  std::int64_t tensor_parallel = 1;
  std::int64_t pipeline_parallel = 1;
  std::int64_t data_parallel = 1;
  std::int64_t decode_context_parallel = 1;
  std::int64_t prefill_context_parallel = 1;
  bool sequence_parallelism = false;  // pass_config.enable_sp
  bool parallel_drafting = false;
  bool eager = false;
  std::optional<GraphMode> given_mode;
  std::optional<std::int64_t> compilation_mode;  // mode (or level) of the compilation configuration
  std::optional<std::int64_t> optimization_level;  // -O
  std::string all_to_all;
  std::string attention_backend;  // of the target model, if it is given
  /// Names of given options that decide the runner: "--enable-dbo", "--logits-processors" and so
  /// on.
  std::vector<std::string_view> options;
  std::optional<bool> v2_environment;         // VLLM_USE_V2_MODEL_RUNNER
  std::optional<bool> breakable_environment;  // VLLM_USE_BREAKABLE_CUDAGRAPH
};

/// The runners that can be chosen: one, unless model or platform is not known.
std::vector<Runner> possible_runners(const Semantics& semantics, const GraphInput& input);

/// The graph mode that vLLM settles on.
struct ModeChoice {
  GraphMode mode = GraphMode::kNone;
  /// Why it is not the one that was asked for; empty if it is.
  std::string reason;
  /// The server does not start, for that reason.
  bool refused = false;

  friend bool operator==(const ModeChoice&, const ModeChoice&) = default;
};
/// One choice, unless model or platform is not known.
std::vector<ModeChoice> possible_modes(const Semantics& semantics, const GraphInput& input,
                                       Runner runner);

}  // namespace recipelint::serving::vllm
