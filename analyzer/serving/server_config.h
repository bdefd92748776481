#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analyzer/facts/engine_version.h"
#include "analyzer/launch/launch.h"
#include "analyzer/serving/capture.h"
#include "analyzer/serving/problem.h"
#include "analyzer/serving/setting.h"

namespace recipelint::serving {

/// Something that moves KV cache out of the GPU: a connector, or the engine's own offloading.
struct Offload {
  std::string connector;  // "MooncakeStoreConnector", "native"
  std::string role;       // "kv_both"; empty if it is not said
  /// Bytes of host memory that it takes, if they are said: of each rank or of all together.
  std::optional<std::int64_t> bytes;
  bool bytes_per_rank = false;
  /// Instead: so many times the bytes that the KV cache of each rank has on its GPU.
  std::optional<double> device_ratio;

  friend bool operator==(const Offload&, const Offload&) = default;
};

/// How a speculative method was told to accept: measured, or made up for a benchmark.
struct Acceptance {
  std::optional<double> length;  // tokens a step, at least 1
  std::vector<double> rates;     // of each position

  friend bool operator==(const Acceptance&, const Acceptance&) = default;
};

struct Parallelism {
  Setting<std::int64_t> tensor;
  Setting<std::int64_t> pipeline;
  Setting<std::int64_t> data;
  /// Size of the group that shares the experts; 1 if experts are cut like other weights.
  Setting<std::int64_t> expert;
  Setting<std::int64_t> decode_context;
  Setting<std::int64_t> prefill_context;
  /// Ranks that each attend to their own sequences: what limits "of one rank" apply to.
  Setting<std::int64_t> attention_data;
  Setting<std::string> all_to_all;
  Setting<std::int64_t> nodes;
};

struct Limits {
  Setting<std::int64_t> sequences;  // of one rank
  /// Of all ranks together, where the engine is told that number (SGLang); the ranks share it.
  Setting<std::int64_t> server_sequences;
  Setting<std::int64_t> step_tokens;  // of one rank
  Setting<std::int64_t> model_length;
  Setting<bool> chunked_prefill;
  Setting<bool> async_scheduling;
};

struct CacheSettings {
  Setting<double> memory_fraction;
  Setting<std::int64_t> bytes;  // given instead of a fraction
  Setting<std::string> dtype;   // "auto" is resolved if the model is known
  Setting<std::int64_t> block_size;
  Setting<bool> prefix_caching;
  Setting<std::vector<Offload>> offloads;
  Setting<double> weight_offload_gib;
};

struct GraphSettings {
  Setting<bool> eager;
  Setting<std::string> mode;  // in the engine's words
  Setting<std::vector<std::int64_t>> sizes;
  Setting<std::int64_t> maximum;
};

struct Speculation {
  Setting<std::string> method;   // none if there is no speculation
  Setting<std::int64_t> tokens;  // N; 0 without speculation
  /// Tokens that drafting adds to those of a sequence in a step (vLLM).
  Setting<std::int64_t> draft_slots;
  Setting<std::string> draft_model;
  Setting<Acceptance> acceptance;  // made up; none if it is measured
};

/// What a launch makes the engine do, with the defaults of its version: names that hold for every
/// engine.
struct ServerConfig {
  launch::Engine engine = launch::Engine::kOther;
  facts::EngineVersion version;

  Setting<std::string> model;
  Setting<bool> lora;  // adapters are served (vLLM)
  Setting<std::string> host;
  Setting<std::int64_t> port;
  Parallelism parallel;
  Limits limits;
  CacheSettings cache;
  GraphSettings graphs;
  Speculation speculation;
  /// Variables that the engine reads, and that change what it does.
  std::map<std::string, Setting<std::string>, std::less<>> environment;

  /// What is captured, one for every possibility that the version, the model and the GPU leave
  /// open; the most likely one first. Empty if a setting that decides it is unknown.
  std::vector<Capture> captures;
  /// Why `captures` is empty, or has several.
  std::string capture_reason;

  /// In the order of the command line.
  std::vector<Problem> problems;
};

/// The value of one setting, whatever its type; lists of anything but numbers are in words.
using SettingValue =
    std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>>;
/// "true", "8", "0.9", "1,2,4".
std::string to_string(const SettingValue& value);

/// One setting under its name, for `argv -v`.
struct NamedSetting {
  std::string_view name;              // "max_num_seqs_per_rank"
  std::optional<SettingValue> value;  // nullopt if there is none
  Source source = Source::kUnknown;
  text::Span span;
  std::string_view reason;
};

/// All settings, in a fixed order, under the names of the command line contract.
std::vector<NamedSetting> describe(const ServerConfig& config);

}  // namespace recipelint::serving
