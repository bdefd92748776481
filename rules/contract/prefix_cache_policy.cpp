#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/serving/servers.h"
#include "rules/clients.h"
#include "rules/contract/contract.h"
#include "rules/origin_flow.h"
#include "rules/pages.h"
#include "rules/server_load.h"
#include "rules/worst_findings.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using launch::Engine;
using launch::Role;
using serving::CellServers;
using serving::Server;

constexpr std::string_view kId = "RL7003";

std::string_view cache_name(Engine engine) {
  switch (engine) {
    case Engine::kSglang:
      return "radix cache";
    case Engine::kTensorRtLlm:
      return "reuse of KV blocks";
    default:
      return "prefix cache";
  }
}

std::string_view off_switch(Engine engine) {
  switch (engine) {
    case Engine::kVllm:
      return "--no-enable-prefix-caching";
    case Engine::kSglang:
      return "--disable-radix-cache";
    case Engine::kTensorRtLlm:
      return "enable_block_reuse: false";
    default:
      return "--no-enable_prefix_caching";
  }
}

std::string_view on_switch(Engine engine) {
  switch (engine) {
    case Engine::kVllm:
      return "--enable-prefix-caching";
    case Engine::kTensorRtLlm:
      return "enable_block_reuse: true";
    case Engine::kAtom:
      return "--enable_prefix_caching";
    default:
      return "";  // SGLang's is on unless it is switched off
  }
}

Finding finding_for(const Server& server, bool is_on) {
  const auto& setting = server.config.cache.prefix_caching;
  const Engine engine = server.config.engine;
  const std::string how =
      setting.is_explicit() ? "" : fmt::format(" by default of {}", engine_phrase(server.config));
  Finding finding;
  finding.rule = kId;
  finding.level = level_for_launch(Level::kWarning, server);
  // The default of the other engines has always been the same.
  if (!setting.is_explicit() && engine == Engine::kVllm) {
    finding.level = level_for_version(finding.level, server.config);
  }
  finding.primary = place_of(setting, server);
  finding.flow = flow_of(setting.origin, finding.primary);
  finding.identity = is_on ? "on" : "off";
  if (is_on) {
    finding.message = fmt::format(
        "The {} is on{}, though the prompts are random tokens: what it finds again is an artefact "
        "of "
        "the benchmark.",
        cache_name(engine), how);
    finding.remedies = {fmt::format("Switch it off: '{}'.", off_switch(engine))};
  } else {
    finding.message =
        fmt::format("The {} is off{}, though the turns of an agent's session share their prefixes.",
                    cache_name(engine), how);
    const auto on = on_switch(engine);
    finding.remedies = {on.empty() ? fmt::format("Remove '{}'.", off_switch(engine))
                                   : fmt::format("Switch it on: '{}'.", on)};
  }
  return finding;
}

/// SGLang can be told to find nothing in its cache.
bool always_misses(const Server& server) {
  const auto& environment = server.config.environment;
  const auto found = environment.find("SGLANG_RADIX_FORCE_MISS");
  if (found == environment.end()) return false;
  return !found->second.value || (*found->second.value != "0" && *found->second.value != "false");
}

/// Scripts that are run by hand, and start a client with random prompts.
std::set<const layout::EvaluatedCell*> cells_with_random_prompts(const RuleContext& context) {
  std::set<const layout::EvaluatedCell*> cells;
  for_each_client(context, [&](const layout::EvaluatedCell& cell, const Client& client) {
    if (client.sends_random_tokens()) cells.insert(&cell);
  });
  return cells;
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  WorstFindings worst;
  const auto random = cells_with_random_prompts(context);
  for (const CellServers& cell : context.servers.all()) {
    // What an evaluation asks is no random text, and its results do not depend on the cache.
    if (cell.cell->cell.mode != layout::Mode::kThroughput) continue;
    // What a script is for that no row describes, only its client can tell.
    if (cell.cell->row() == nullptr && !random.contains(cell.cell)) continue;
    for (const Server& server : cell.servers) {
      // A decode worker gets its cache from others.
      if (role_of(cell, server) == Role::kDecode) continue;
      const auto& setting = server.config.cache.prefix_caching;
      if (!setting.value) {
        if (!setting.known()) leave_open(sink, kId, setting.reason, cell);
        continue;
      }
      const bool wanted = is_agentic(cell);
      if (*setting.value == wanted || (!wanted && always_misses(server))) continue;
      worst.add(finding_for(server, *setting.value), 0, cell.cell->name());
    }
  }
  worst.report(sink);
}

}  // namespace

Rule prefix_cache_policy() {
  return {
      kId,
      "prefix-cache-policy",
      Level::kWarning,
      Precision::kMedium,
      "The prefix cache is on for random prompts of fixed length, or off for sessions of agents.",
      embedded_pages("prefix_cache_policy.md"),
      run};
}

}  // namespace recipelint::rules
