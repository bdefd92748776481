#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "analyzer/facts/kv_connectors.h"
#include "rules/labels/labels.h"
#include "rules/pages.h"
#include "rules/row_label.h"
#include "rules/server_load.h"
#include "rules/worst_findings.h"

namespace recipelint::rules {
namespace {

using facts::KvMovement;
using findings::Finding;
using findings::Level;
using serving::CellServers;
using serving::Offload;
using serving::Server;

constexpr std::string_view kId = "RL4006";
constexpr std::string_view kField = "kv-offloading";

/// What the servers of a cell do with their KV cache.
struct Movement {
  const Server* server = nullptr;  // the one that offloads, if one does
  const Offload* offload = nullptr;
  /// Why it cannot be told whether another one offloads; empty if it can.
  std::string open;
};

/// TensorRT-LLM moves blocks to its host cache so that later requests find them again, which they
/// do not without reuse of blocks.
bool finds_nothing_again(const Server& server, const Offload& offload) {
  const auto& reuse = server.config.cache.prefix_caching.value;
  return offload.connector == "host_cache" && reuse && !*reuse;
}

Movement movement_of(const CellServers& cell) {
  Movement movement;
  for (const Server& server : cell.servers) {
    const auto& offloads = server.config.cache.offloads;
    if (!offloads.known()) movement.open = offloads.reason;
    if (!offloads.value) continue;
    for (const Offload& offload : *offloads.value) {
      if (offload.bytes.value_or(1) <= 0) continue;
      const KvMovement kind = finds_nothing_again(server, offload)
                                  ? KvMovement::kUnknown
                                  : facts::kv_movement(offload.connector);
      if (kind == KvMovement::kOffloads && movement.offload == nullptr) {
        movement.server = &server;
        movement.offload = &offload;
      }
      if (kind == KvMovement::kUnknown || kind == KvMovement::kEither) {
        movement.open = fmt::format("whether '{}' offloads", offload.connector);
      }
    }
  }
  return movement;
}

/// What the row says; nullopt where rows have no such field, and if a script run by hand was given
/// none.
std::optional<std::string> label_of(const CellServers& cell) {
  const layout::EvaluatedCell& evaluated = *cell.cell;
  if (evaluated.row() != nullptr && !evaluated.row()->agentic()) return std::nullopt;
  if (const auto found = evaluated.field(kField)) return found->text;
  if (evaluated.row() == nullptr) return std::nullopt;
  return "none";
}

Finding finding_about(const CellServers& cell, const Server& server, const Offload* offload) {
  const RowLabel label(cell, server);
  Finding finding;
  finding.rule = kId;
  finding.level = level_for_launch(Level::kError, server);
  const auto& setting = server.config.cache.offloads;
  place_finding(finding, label, kField, setting.span, setting.word, server);
  if (offload == nullptr) {
    finding.message =
        fmt::format("{} '{}: dram', but {} is launched without anything that offloads KV cache.",
                    label.says(), kField, engine_title(server.config));
    finding.remedies = {"Launch it with KV offload.", label.correction(kField, "none")};
    finding.identity = "missing";
    return finding;
  }
  finding.message =
      fmt::format("{} {}, but {} is launched with '{}', which offloads KV cache.", label.says(),
                  "no KV offload", engine_title(server.config), offload->connector);
  finding.remedies = {label.correction(kField, "dram") + " Name its 'kv-offload-backend' there.",
                      "Launch it without KV offload."};
  finding.facts = {facts::kv_movement_fact(offload->connector)};
  finding.identity = offload->connector;
  return finding;
}

void check(const CellServers& cell, WorstFindings& worst, findings::FindingSink& sink) {
  const auto label = label_of(cell);
  if (!label || cell.servers.empty()) return;
  const bool promised = *label != "none";
  const Movement movement = movement_of(cell);
  if (promised == (movement.offload != nullptr)) return;
  if (promised && !movement.open.empty()) {
    leave_open(sink, kId, movement.open, cell);
    return;
  }
  const Server& server = promised ? cell.servers.front() : *movement.server;
  Finding finding = finding_about(cell, server, movement.offload);
  if (finding.primary.valid()) worst.add(std::move(finding), 0, cell.cell->name());
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  WorstFindings worst;
  for (const CellServers& cell : context.servers.all()) check(cell, worst, sink);
  worst.report(sink);
}

}  // namespace

Rule kv_offload_label() {
  return {kId,
          "kv-offload-label",
          Level::kError,
          Precision::kVeryHigh,
          "A row says that KV cache is offloaded, and nothing does that, or the reverse.",
          embedded_pages("kv_offload_label.md"),
          run};
}

}  // namespace recipelint::rules
