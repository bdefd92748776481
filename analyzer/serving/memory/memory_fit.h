#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts/memory_facts.h"
#include "analyzer/facts/models.h"
#include "analyzer/launch/launch.h"
#include "analyzer/serving/memory/interval.h"
#include "analyzer/serving/memory/kv_need.h"
#include "analyzer/serving/memory/weights.h"

namespace recipelint::serving::memory {

/// States that lie in the pool of an engine besides keys and values.
struct StatePool {
  double states = 0;  // each of one request
  double share = 0;   // instead: so many times what keys and values take

  friend bool operator==(const StatePool&, const StatePool&) = default;
};

/// Everything that decides whether a model and one request of the committed length fit. Settings
/// that are not known have several values, the most likely one first.
struct MemoryQuestion {
  launch::Engine engine = launch::Engine::kVllm;
  const facts::Model* model = nullptr;
  const facts::Gpu* gpu = nullptr;
  std::optional<facts::Release> release;  // of the engine, if it is one
  bool version_known = true;              // a release, a commit, or a stretch of time

  // Sizes of the parallelism.
  double tensor = 1;
  double data = 1;
  double pipeline = 1;
  double expert = 1;  // 1: every expert is cut
  double decode_context = 1;
  double prefill_context = 1;
  /// SGLang, TensorRT-LLM: groups of the tensor-parallel ranks that attend on their own.
  double attention_data = 1;

  double length = 0;     // tokens of a request
  double sequences = 0;  // of a rank; 0: not known
  std::vector<double> step_tokens;
  std::vector<double> steps_in_flight = {1};
  std::vector<KvFormat> formats;
  std::vector<IndexFormat> indexes = {IndexFormat::kFp8};
  std::vector<bool> prefix_caching = {true};
  std::vector<double> draft_layers = {0};
  double speculative_tokens = 0;
  std::string speculation = "none";  // the method
  double block_size = 0;             // 0: the engine's default
  // SGLang, TensorRT-LLM; see KvRequest.
  std::vector<StatePool> state_pools = {{}};
  double state_element = 0;
  double window_ratio = 0;
  /// Missing if a connector decides: then only what does not even fit with it can be told.
  std::optional<bool> hybrid = true;

  LoadedParts loaded;
  double weight_offload = 0;          // bytes of a GPU's weights that stay in host memory
  Interval fraction;                  // of the memory of the GPU; the largest one is `high`
  std::optional<double> cache_bytes;  // given instead

  /// What was taken for granted, in words.
  std::vector<std::string> assumed;
  /// Facts without which nothing can be told, in words.
  std::vector<std::string> missing;
  /// Those of them without which nobody knows what lies on a GPU, its weights included.
  std::vector<std::string> missing_for_weights;
};

enum class Fits : std::uint8_t { kYes, kTight, kUnlikely, kNo, kUnknown };
/// "yes", "tight", "unlikely", "no", "unknown".
std::string_view to_string(Fits fits);

/// What comes of a request that does not fit.
enum class Consequence : std::uint8_t {
  kDoesNotStart,    // vLLM
  kCutsRequests,    // SGLang refuses or shortens long requests
  kShortensLength,  // TensorRT-LLM lowers its maximum length
  kDropsRequests,   // ATOM drops long requests
};

/// A change after which it fits by the most likely numbers; found by asking again.
struct Remedy {
  enum class Kind : std::uint8_t { kStepTokens, kLength, kFormat, kRanks, kFraction };
  Kind kind = Kind::kStepTokens;
  double value = 0;
  double need = 0;       // bytes with the change
  double available = 0;  // bytes with the change
};

struct MemoryFit {
  Fits fits = Fits::kUnknown;
  Consequence consequence = Consequence::kDoesNotStart;
  double total = 0;       // bytes of the GPU
  std::int64_t gpus = 0;  // of one server
  Interval weights;       // bytes on the fullest GPU
  Interval need;          // bytes of one rank
  Interval available;     // bytes for the KV cache; low is the pessimistic one
  bool has_weights = false;
  bool has_need = false;
  bool has_available = false;
  std::vector<KvTerm> terms;  // of the most likely need
  double tokens = 0;          // of a request that fit by the most likely numbers
  /// The weights alone are more than the engine may use, under every assumption.
  bool weights_too_large = false;
  /// Numbers of an engine's log of exactly this topology were used; null: estimates.
  const facts::MemoryMeasurement* measured = nullptr;
  std::vector<std::string> assumed;
  /// Why `fits` is unknown, in words; the model and the GPU first.
  std::vector<std::string> unknown;
  /// Those of them that leave `weights_too_large` open.
  std::vector<std::string> weights_unknown;
  std::vector<Remedy> remedies;  // best first
};

/// Never fails: what is not known makes the answer kUnknown, and is named.
MemoryFit memory_fit(const MemoryQuestion& question, const facts::MemoryFacts& facts);

}  // namespace recipelint::serving::memory
