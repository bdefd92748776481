#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/findings/finding.h"
#include "analyzer/serving/servers.h"
#include "rules/rule.h"

namespace recipelint::rules {

/// What a server is for: as it was started, or for a script that is run by hand as it was given.
launch::Role role_of(const serving::CellServers& cell, const serving::Server& server);

/// Whether the cell runs sessions of an agent, whose requests have no fixed length.
bool is_agentic(const serving::CellServers& cell);

/// How the requests of a cell spread over its servers.
struct Load {
  std::int64_t concurrency = 0;  // requests in flight that the cell sends
  std::int64_t workers = 1;      // servers of the role that share them
  std::int64_t ranks = 1;        // of one server, each with a batch of its own
  /// ceil(concurrency / (workers * ranks)).
  std::int64_t per_rank = 0;

  /// "224 / (1 x 8) = 28".
  std::string arithmetic() const;
};

/// The load of one server. Nullopt, with the cause, if the number of its ranks or the concurrency is
/// not known.
std::optional<Load> load_of(const serving::CellServers& cell, const serving::Server& server,
                            std::string& cause);

/// Decode batches of one rank, in sequences.
struct DecodeDemand {
  std::int64_t sequences = 0;  // S: what the engine admits
  std::int64_t width = 1;      // 1 + N: tokens of a sequence in one step
  /// What a step can hold: floor(token budget / width); nullopt if nothing bounds it.
  std::optional<std::int64_t> step_bound;
  std::int64_t load = 0;      // the largest batch that the cell's load makes
  std::int64_t capacity = 0;  // the largest batch that the configuration admits
};

/// Nullopt, with the cause, if a setting that decides it is not known.
std::optional<DecodeDemand> decode_demand(const serving::ServerConfig& config, const Load& load,
                                          std::string& cause);

/// Calls for each server of each cell that decodes: prefill workers are left out.
void for_each_decoder(
    const RuleContext& context,
    const std::function<void(const serving::CellServers&, const serving::Server&)>& visit);

/// "vLLM 0.27.1", "vLLM of an unknown version, judged as the newest known one".
std::string engine_phrase(const serving::ServerConfig& config);

/// The level of a finding that depends on what the version does: one lower if that is not known.
findings::Level level_for_version(findings::Level level, const serving::ServerConfig& config);

/// See place_of().
text::Span place_of_word(text::Span span, std::optional<std::size_t> word,
                         const serving::Server& server);
/// Where a finding about a setting points: to the option that gives it, also where the value, the
/// object that holds it, or a configuration file are written elsewhere. The command, if nothing is
/// written.
template <typename T>
text::Span place_of(const serving::Setting<T>& setting, const serving::Server& server) {
  return place_of_word(setting.span, setting.word, server);
}

/// Adds the place of an explicit setting as a related one, unless the finding points there anyway.
template <typename T>
void add_related(findings::Finding& finding, const serving::Setting<T>& setting,
                 std::string label) {
  if (!setting.is_explicit() || !setting.span.valid() || setting.span == finding.primary) return;
  finding.related.push_back({setting.span, std::move(label)});
}

/// The level of a finding about a launch: one lower if only the host decides whether it happens.
findings::Level level_for_launch(findings::Level level, const serving::Server& server);

/// Tells that a rule cannot judge a cell.
void leave_open(findings::FindingSink& sink, std::string_view rule, std::string cause,
                const serving::CellServers& cell);

}  // namespace recipelint::rules
