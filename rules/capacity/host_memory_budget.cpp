#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/layout/workspace.h"
#include "analyzer/serving/memory/host_memory.h"
#include "analyzer/serving/memory/interval.h"
#include "analyzer/serving/memory/topologies.h"
#include "analyzer/serving/servers.h"
#include "rules/capacity/capacity.h"
#include "rules/cell_diagnostics.h"
#include "rules/origin_flow.h"
#include "rules/pages.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using serving::CellServers;
using serving::Server;
using serving::memory::HostPools;

constexpr std::string_view kId = "RL2007";
constexpr double kBytesPerGb = 1e9;
constexpr double kBytesPerMib = 1 << 20;

/// What the pools of a server have to stay within, in bytes; 0: not known.
struct Budget {
  double node = 0;   // memory of the machine
  double share = 0;  // of that, by the GPUs of the server
  text::Span where;  // of that number
  double row = 0;    // TOTAL_CPU_DRAM_GB
};

Budget budget_of(const layout::EvaluatedCell& cell, double ranks) {
  Budget budget;
  if (cell.row() == nullptr) return budget;
  const auto& runners = cell.site->space.runners;
  const auto* hardware =
      runners ? runners->find_hardware(cell.row()->entry->runner.value_or("")) : nullptr;
  if (hardware != nullptr && hardware->available_cpu_dram_mib) {
    budget.node = static_cast<double>(*hardware->available_cpu_dram_mib) * kBytesPerMib;
    budget.where = hardware->available_cpu_dram_mib.span();
    const auto gpus = static_cast<double>(hardware->gpus_per_node.value_or(0));
    if (gpus > 0) budget.share = budget.node * ranks / gpus;
  }
  budget.row = static_cast<double>(cell.row()->total_cpu_dram_gb.value_or(0)) * kBytesPerGb;
  return budget;
}

/// Servers of a cell that pin memory of one machine: all of them, unless they have machines of
/// their own.
bool is_single_node(const layout::EvaluatedCell& cell) {
  const space::MatrixRow* row = cell.row();
  return row == nullptr || (!row->row->prefill && !row->row->decode);
}

/// Pools that do not fit, and the cells that have them.
struct Excess {
  const CellServers* first = nullptr;
  const Server* server = nullptr;
  HostPools pools;
  Budget budget;
  std::vector<std::string> cells;
};

std::string gb(double bytes) {
  return fmt::format("{:.0f} GB", bytes / kBytesPerGb);
}

/// The number of gigabytes that the row allows was taken for gibibytes.
bool takes_gigabytes_for_gibibytes(const Excess& excess) {
  const double allowed = excess.budget.row / kBytesPerGb * serving::memory::kGib;
  return excess.budget.row > 0 && std::abs(excess.pools.total - allowed) < serving::memory::kGib;
}

bool is_beyond_node(const Excess& excess) {
  return excess.budget.node > 0 && excess.pools.total > excess.budget.node;
}

/// A fixed size that leaves the neighbours their memory makes only the label of the row wrong.
Level level_of(const Excess& excess) {
  if (is_beyond_node(excess)) {
    return excess.server->launch->certain ? Level::kError : Level::kWarning;
  }
  const bool harmless = excess.pools.total <= excess.budget.share;
  return harmless && !takes_gigabytes_for_gibibytes(excess) ? Level::kNote : Level::kWarning;
}

std::string remedy_of(const Excess& excess) {
  if (takes_gigabytes_for_gibibytes(excess)) {
    return "Multiply TOTAL_CPU_DRAM_GB by 10^9: it counts gigabytes, and 2^30 bytes are more.";
  }
  const double most = excess.budget.row > 0 ? excess.budget.row : excess.budget.node;
  if (excess.pools.per_rank <= 0) return fmt::format("Give it {} at most.", gb(most));
  return fmt::format("Give each rank {} at most.", gb(most / excess.pools.ranks));
}

Finding finding_of(Excess excess) {
  const bool beyond_node = is_beyond_node(excess);
  const auto& offloads = excess.server->config.cache.offloads;
  Finding finding;
  finding.rule = kId;
  finding.level = level_of(excess);
  finding.primary = offloads.span.valid() ? offloads.span : excess.server->launch->span;
  finding.flow = flow_of(offloads.origin);
  const std::string each =
      excess.pools.per_rank > 0
          ? fmt::format(" ({} on each of {} ranks)", gb(excess.pools.per_rank), excess.pools.ranks)
          : "";
  finding.message = fmt::format(
      "'{}' pins {}{} of host memory, {}.", excess.pools.connector, gb(excess.pools.total), each,
      beyond_node
          ? fmt::format("and the machine has {}", gb(excess.budget.node))
          : fmt::format("and the row allows {} (TOTAL_CPU_DRAM_GB)", gb(excess.budget.row)));
  finding.related.push_back({excess.first->cell->row()->row->span(), "a cell of this row"});
  if (beyond_node) finding.related.push_back({excess.budget.where, "memory of the machine"});
  finding.remedies = {remedy_of(excess)};
  finding.cells = std::move(excess.cells);
  make_set(finding.cells);
  finding.identity =
      fmt::format("{} {}", serving::memory::owner_of(*excess.first->cell), excess.pools.connector);
  return finding;
}

class HostMemory {
 public:
  explicit HostMemory(findings::FindingSink& sink) : sink_(sink) {}

  void judge(const CellServers& cell, const Server& server) {
    const auto pools = serving::memory::host_pools(server.config);
    if (!pools) return leave_open(cell, pools.error().message);
    if (pools->total <= 0) return;
    const Budget budget = budget_of(*cell.cell, pools->ranks);
    if (budget.node <= 0 && budget.row <= 0) return leave_open(cell, "the memory of the machine");
    const bool fits = (budget.node <= 0 || pools->total <= budget.node) &&
                      (budget.row <= 0 || pools->total <= budget.row);
    if (fits) return;
    Excess& excess = excesses_[{std::string(serving::memory::owner_of(*cell.cell)), pools->total,
                                budget.node, budget.row}];
    if (excess.first == nullptr) excess = {&cell, &server, *pools, budget, {}};
    excess.cells.push_back(cell.cell->name());
  }

  void report() {
    for (auto& [key, excess] : excesses_) sink_.report(finding_of(std::move(excess)));
  }

 private:
  void leave_open(const CellServers& cell, std::string_view fact) {
    sink_.report_unevaluated(
        {std::string(kId), fmt::format("{} is not known", fact), cell.cell->name()});
  }

  findings::FindingSink& sink_;
  /// By key of the search space, bytes of the pools, of the machine and of the row.
  std::map<std::tuple<std::string, double, double, double>, Excess> excesses_;
};

void run(const RuleContext& context, findings::FindingSink& sink) {
  HostMemory memory(sink);
  for (const CellServers& cell : context.servers.all()) {
    if (!is_single_node(*cell.cell)) continue;
    for (const Server& server : cell.servers) memory.judge(cell, server);
  }
  memory.report();
}

}  // namespace

Rule host_memory_budget() {
  return {kId,
          "host-memory-budget",
          Level::kError,
          Precision::kHigh,
          "A server pins more host memory for KV cache than its machine, or its row, has.",
          embedded_pages("host_memory_budget.md"),
          run};
}

}  // namespace recipelint::rules
