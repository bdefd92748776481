#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/facts/catalog.h"
#include "analyzer/layout/workspace.h"
#include "analyzer/serving/memory/host_memory.h"
#include "analyzer/serving/memory/interval.h"
#include "analyzer/serving/memory/memory_fit.h"
#include "analyzer/serving/memory/question.h"
#include "analyzer/serving/memory/topologies.h"
#include "analyzer/serving/servers.h"
#include "rules/capacity/capacity.h"
#include "rules/cell_diagnostics.h"
#include "rules/origin_flow.h"
#include "rules/pages.h"
#include "rules/recipe_uses.h"

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

bool is_multi_node(const layout::EvaluatedCell& cell) {
  return cell.row() != nullptr && (cell.row()->row->prefill || cell.row()->row->decode);
}

/// What runners.yaml says about the machines that the servers of a role run on; null: nothing.
const space::RunnerHardware* hardware_of(const layout::EvaluatedCell& cell, launch::Role role) {
  if (cell.row() == nullptr) return nullptr;
  const auto& runners = cell.site->space.runners;
  if (!runners) return nullptr;
  if (is_multi_node(cell)) {
    const auto& worker = worker_of(cell.site->row_of(cell.cell.matrix_row), role);
    const auto* own = worker ? runners->find_hardware(worker->hardware.value_or("")) : nullptr;
    if (own != nullptr) return own;
  }
  return runners->find_hardware(cell.row()->entry->runner.value_or(""));
}

double gpus_per_node(const space::RunnerHardware* hardware) {
  return hardware == nullptr ? 0 : static_cast<double>(hardware->gpus_per_node.value_or(0));
}

/// Servers of a role on the fullest of its machines, at least: what a recipe spreads over fewer
/// machines than there are of them. 1 if that is not known.
double servers_per_node(const layout::EvaluatedCell& cell, launch::Role role) {
  if (cell.site == nullptr) return 1;
  const auto* recipe = cell.site->find_recipe(cell.target().recipe);
  if (recipe == nullptr || recipe->variants.empty()) return 1;
  double least = 0;
  for (const auto& variant : recipe->variants) {
    const auto* block = variant.find_role(role);
    const bool known = block != nullptr && block->nodes && block->nodes->value >= 1 &&
                       !variant.packs_roles_together;
    const double servers = known ? std::ceil(static_cast<double>(block->workers.value) /
                                             static_cast<double>(block->nodes->value))
                                 : 1;
    least = least == 0 ? servers : std::min(least, servers);
  }
  return std::max(1.0, least);
}

Budget budget_of(const layout::EvaluatedCell& cell, const space::RunnerHardware* hardware,
                 double ranks) {
  Budget budget;
  if (cell.row() == nullptr) return budget;
  if (hardware != nullptr && hardware->available_cpu_dram_mib) {
    budget.node = static_cast<double>(*hardware->available_cpu_dram_mib) * kBytesPerMib;
    budget.where = hardware->available_cpu_dram_mib.span();
    const double gpus = gpus_per_node(hardware);
    if (gpus > 0) budget.share = budget.node * ranks / gpus;
  }
  // The servers of several machines share what such a row allows in ways of their own.
  if (is_multi_node(cell)) return budget;
  budget.row = static_cast<double>(cell.row()->total_cpu_dram_gb.value_or(0)) * kBytesPerGb;
  return budget;
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
    const bool proven = excess.server->launch->certain && !excess.pools.estimated();
    return proven ? Level::kError : Level::kWarning;
  }
  const bool harmless = excess.pools.total <= excess.budget.share;
  return harmless && !takes_gigabytes_for_gibibytes(excess) ? Level::kNote : Level::kWarning;
}

std::string remedy_of(const Excess& excess) {
  if (takes_gigabytes_for_gibibytes(excess)) {
    return "Multiply TOTAL_CPU_DRAM_GB by 10^9: it counts gigabytes, and 2^30 bytes are more.";
  }
  const double most = excess.budget.row > 0 ? excess.budget.row : excess.budget.node;
  if (excess.pools.estimated()) {
    const double ratio = excess.pools.device_ratio * most / excess.pools.total;
    return fmt::format("Lower the ratio to {:.1f}.", std::floor(ratio * 10) / 10);
  }
  const double each = most / excess.pools.servers;
  if (excess.pools.per_rank <= 0) return fmt::format("Give it {} at most.", gb(each));
  return fmt::format("Give each rank {} at most.", gb(each / excess.pools.ranks));
}

/// " (250 GB on each of 4 ranks)"; nothing for one pool.
std::string split_text(const HostPools& pools) {
  const std::string servers =
      pools.servers > 1 ? fmt::format("each of {} servers", pools.servers) : "";
  if (pools.per_rank <= 0) return servers.empty() ? "" : fmt::format(" (in {})", servers);
  return fmt::format(" ({} on each of {} ranks{})", gb(pools.per_rank), pools.ranks,
                     servers.empty() ? "" : " of " + servers);
}

Finding finding_of(Excess excess) {
  const bool beyond_node = is_beyond_node(excess);
  const auto& offloads = excess.server->config.cache.offloads;
  Finding finding;
  finding.rule = kId;
  finding.level = level_of(excess);
  finding.primary = offloads.span.valid() ? offloads.span : excess.server->launch->span;
  finding.flow = flow_of(offloads.origin, finding.primary);
  finding.message = fmt::format(
      "'{}' pins {}{}{} of host memory, {}.", excess.pools.connector,
      excess.pools.estimated() ? "about " : "", gb(excess.pools.total), split_text(excess.pools),
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
  HostMemory(const RuleContext& context, findings::FindingSink& sink)
      : context_(context), sink_(sink) {}

  void judge(const CellServers& cell, const Server& server) {
    const auto* hardware = hardware_of(*cell.cell, server.launch->role);
    serving::memory::HostSituation situation;
    if (is_multi_node(*cell.cell)) {
      situation.gpus_per_node = gpus_per_node(hardware);
      situation.servers = servers_per_node(*cell.cell, server.launch->role);
      if (situation.gpus_per_node <= 0 && cell.setup.gpu != nullptr) {
        situation.gpus_per_node = static_cast<double>(cell.setup.gpu->per_node);
      }
    }
    if (serving::memory::depends_on_device_pool(server.config)) {
      situation.device_pool = device_pool(cell, server);
    }
    const auto pools = serving::memory::host_pools(server.config, situation);
    if (!pools) return leave_open(cell, pools.error().message);
    if (pools->total <= 0) return;
    Budget budget = budget_of(*cell.cell, hardware, pools->ranks * pools->servers);
    // An estimate is good enough for what a machine has, not for what a row promises.
    if (pools->estimated()) budget.row = 0;
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
  /// Likely bytes of the KV cache on each GPU; 0 if they are not known, or if only a part of them
  /// is copied: windows and states have pools of their own.
  double device_pool(const CellServers& cell, const Server& server) const {
    const auto* family = cell.setup.model == nullptr ? nullptr : cell.setup.model->family;
    const bool one_pool =
        family != nullptr && (family->attention == "gqa" || family->attention == "gqa_msa" ||
                              family->attention.starts_with("mla"));
    if (!one_pool || family->attention == "mla_kda") return 0;
    const auto question = serving::memory::memory_question(
        *server.launch, server.config, cell.setup.model, cell.setup.gpu, context_.facts);
    const auto fit = serving::memory::memory_fit(question, context_.facts.memory());
    return fit.has_available && fit.weights_unknown.empty() ? fit.available.nominal : 0;
  }

  void leave_open(const CellServers& cell, std::string_view fact) {
    sink_.report_unevaluated(
        {std::string(kId), fmt::format("{} is not known", fact), cell.cell->name()});
  }

  const RuleContext& context_;
  findings::FindingSink& sink_;
  /// By key of the search space, bytes of the pools, of the machine and of the row.
  std::map<std::tuple<std::string, double, double, double>, Excess> excesses_;
};

void run(const RuleContext& context, findings::FindingSink& sink) {
  HostMemory memory(context, sink);
  for (const CellServers& cell : context.servers.all()) {
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
