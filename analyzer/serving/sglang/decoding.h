#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts/catalog.h"
#include "analyzer/launch/launch.h"
#include "analyzer/serving/server_config.h"
#include "analyzer/serving/sglang/arguments.h"
#include "analyzer/serving/situation.h"
#include "analyzer/serving/turning_points.h"

namespace recipelint::serving::sglang {

/// What a server is for, as --disaggregation-mode or the producer of the launch says it.
enum class Phase : std::uint8_t { kBoth, kPrefill, kDecode };

/// What the parts of decode() share. The parts run in the order in which they stand here, and each
/// may use what the ones before it put into the configuration.
struct Decoding {
  const launch::Launch& launch;
  const Situation& situation;
  const facts::Catalog& catalog;
  TurningPoints semantics;
  Arguments arguments;
  const facts::Model* model = nullptr;  // null: not known
  Phase phase = Phase::kBoth;
  bool speculates = false;
  /// Requests of the whole server, if they are known.
  Setting<std::int64_t> server_requests = {};
  /// The requests of the whole server that are possible if memory decides, at least and at most.
  std::optional<std::int64_t> least_requests = std::nullopt;
  std::optional<std::int64_t> most_requests = std::nullopt;

  const facts::ModelFamily* family() const { return model == nullptr ? nullptr : model->family; }
  bool is_deepseek_v4() const { return family() != nullptr && family()->attention == "dsv4"; }
  /// The GiB of memory of the GPU; nullopt if it is not known.
  std::optional<std::int64_t> gpu_gib() const;
};

void read_parallelism(const Decoding& decoding, ServerConfig& config);
void read_speculation(Decoding& decoding, ServerConfig& config);
void read_limits(Decoding& decoding, ServerConfig& config);
void read_cache(const Decoding& decoding, ServerConfig& config);
void plan_capture(const Decoding& decoding, ServerConfig& config);

/// The same setting with another value.
template <typename T>
Setting<T> with_value(Setting<T> setting, T value, std::string reason = {}) {
  setting.value = std::move(value);
  setting.reason = std::move(reason);
  return setting;
}

}  // namespace recipelint::serving::sglang
