#include <fmt/format.h>

#include <string>
#include <utility>

#include "analyzer/serving/servers.h"
#include "rules/capacity/capacity.h"
#include "rules/origin_flow.h"
#include "rules/pages.h"
#include "rules/server_load.h"
#include "rules/worst_findings.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using serving::Capture;
using serving::CellServers;
using serving::Server;
using serving::ServerConfig;

constexpr std::string_view kId = "RL2008";

/// No possibility captures anything, and every one starts.
bool captures_nothing(const ServerConfig& config) {
  for (const Capture& capture : config.captures) {
    if (capture.failure != Capture::Failure::kNone) return false;
    if (!capture.full.empty() || !capture.piecewise.empty()) return false;
  }
  return !config.captures.empty();
}

Finding finding_for(const Server& server) {
  const ServerConfig& config = server.config;
  const auto& eager = config.graphs.eager;
  const auto& mode = config.graphs.mode;
  Finding finding;
  finding.rule = kId;
  finding.level = Level::kNote;
  finding.identity = "graphs";
  if (eager.value_or(false)) {
    finding.primary = place_of(eager, server);
    finding.flow = flow_of(eager.origin, finding.primary);
    finding.message =
        "CUDA graphs are switched off: every decode step is launched kernel by kernel.";
    return finding;
  }
  finding.primary = place_of(mode, server);
  finding.flow = flow_of(mode.origin, finding.primary);
  finding.message =
      mode.reason.empty()
          ? fmt::format("{} captures no CUDA graphs with these settings.", engine_phrase(config))
          : fmt::format("{} captures no CUDA graphs with these settings: {}.",
                        engine_phrase(config), mode.reason);
  return finding;
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  WorstFindings worst;
  for_each_decoder(context, [&](const CellServers& cell, const Server& server) {
    const ServerConfig& config = server.config;
    if (!config.graphs.eager.value_or(false) && !captures_nothing(config)) return;
    Finding finding = finding_for(server);
    if (finding.primary.valid()) worst.add(std::move(finding), 0, cell.cell->name());
  });
  worst.report(sink);
}

}  // namespace

Rule graphs_disabled() {
  return {kId,
          "graphs-disabled",
          Level::kNote,
          Precision::kHigh,
          "A server that decodes runs without CUDA graphs, on purpose or by a combination of "
          "settings.",
          embedded_pages("graphs_disabled.md"),
          run};
}

}  // namespace recipelint::rules
