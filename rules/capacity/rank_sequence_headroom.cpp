#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
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
using launch::Engine;
using launch::Role;
using serving::CellServers;
using serving::Server;
using serving::ServerConfig;

constexpr std::string_view kId = "RL2002";

// Shares of requests to seats at which decode workers are oversubscribed on purpose (90th
// percentile of mature recipes), and beyond what any of them does.
constexpr double kUsualOversubscription = 1.5;
constexpr double kLargestOversubscription = 2.5;
/// More seats than this many times the load are reserved for nothing.
constexpr std::int64_t kOverProvision = 4;
/// Sessions of an agent fan out: this many requests for each.
constexpr std::int64_t kFanOut = 2;

/// What all servers of the role take at once.
struct Seats {
  std::int64_t per_rank = 0;
  std::int64_t total = 0;
};

class Headroom {
 public:
  Headroom(const RuleContext& context, findings::FindingSink& sink)
      : context_(context), sink_(sink) {}

  void run() {
    for (const CellServers& cell : context_.servers.all()) {
      auto& largest = largest_concurrency_[entry_of(cell)];
      largest = std::max(largest, cell.cell->number("conc").value_or(0));
    }
    for_each_decoder(context_,
                     [&](const CellServers& cell, const Server& server) { judge(cell, server); });
    worst_.report(sink_);
  }

 private:
  void judge(const CellServers& cell, const Server& server) {
    std::string cause;
    const auto load = load_of(cell, server, cause);
    const auto& limit = server.config.limits.sequences;
    if (load && !limit.value) {
      cause = limit.reason.empty() ? "the limit of sequences is not known" : limit.reason;
    }
    if (!load || !limit.value) return leave_open(sink_, kId, std::move(cause), cell);
    if (*limit.value < 1) return report_no_seat(cell, server, *load);
    report_remainder(cell, server, *load);
    const Seats seats = seats_of(server.config, *load);
    if (seats.total < load->concurrency) {
      report_shortage(cell, server, *load, seats);
    } else if (is_agentic(cell) && seats.total < kFanOut * load->concurrency) {
      report_fan_out(cell, server, *load, seats);
    } else if (over_provisioned(cell, server, *load, seats)) {
      report_surplus(cell, server, *load, seats);
    }
  }

  /// The cells of one key, or of one recipe variant, go together; a script that is run by hand is
  /// alone.
  static const void* entry_of(const CellServers& cell) {
    if (cell.cell->recipe != nullptr) return cell.cell->recipe->run;
    if (cell.cell->row() == nullptr) return cell.cell;
    return cell.cell->row()->entry;
  }

  static Seats seats_of(const ServerConfig& config, const Load& load) {
    Seats seats;
    seats.per_rank = *config.limits.sequences.value;
    const auto& speculative = config.speculation.tokens.value;
    const auto& budget = config.limits.step_tokens.value;
    // ATOM's decode steps admit no more sequences than their tokens fit.
    if (config.engine == Engine::kAtom && speculative && budget) {
      seats.per_rank = std::min(seats.per_rank, *budget / (1 + *speculative));
    }
    constexpr std::int64_t kMost = std::int64_t{1} << 40;
    const std::int64_t ranks = load.workers * load.ranks;
    seats.total = seats.per_rank > kMost / ranks ? kMost : seats.per_rank * ranks;
    return seats;
  }

  Finding finding_for(const Server& server, std::string_view identity) const {
    const auto& limit = server.config.limits.sequences;
    Finding finding;
    finding.rule = kId;
    finding.primary = place_of(limit, server);
    finding.flow = flow_of(limit.origin, finding.primary);
    finding.identity = identity;
    return finding;
  }

  void add(Finding finding, std::int64_t measure, const CellServers& cell, const Server& server) {
    if (!finding.primary.valid()) return;
    finding.level = level_for_launch(finding.level, server);
    worst_.add(std::move(finding), measure, cell.cell->name());
  }

  void report_no_seat(const CellServers& cell, const Server& server, const Load& load) {
    Finding finding = finding_for(server, "none");
    finding.level = level_for_version(Level::kError, server.config);
    finding.message = fmt::format(
        "{} does not start: the limit of running requests leaves none for each of its {} "
        "data-parallel ranks.",
        engine_phrase(server.config), load.ranks);
    finding.remedies = {fmt::format("Allow at least {} requests.", load.ranks)};
    add(std::move(finding), load.ranks, cell, server);
  }

  /// The ranks share one limit in whole requests; what is left over is given to none of them.
  void report_remainder(const CellServers& cell, const Server& server, const Load& load) {
    const auto& whole = server.config.limits.server_sequences;
    if (!whole.is_explicit() || !whole.value || load.ranks < 2) return;
    const std::int64_t each = *whole.value / load.ranks;
    const std::int64_t rest = *whole.value % load.ranks;
    if (rest == 0) return;
    Finding finding = finding_for(server, "remainder");
    finding.level = Level::kNote;
    finding.message = fmt::format(
        "The {} requests of the server are shared by {} data-parallel ranks, {} each: {} of them "
        "are never used.",
        *whole.value, load.ranks, each, rest);
    finding.remedies = {
        fmt::format("Allow {} or {} requests.", each * load.ranks, (each + 1) * load.ranks)};
    add(std::move(finding), rest, cell, server);
  }

  static std::string arithmetic(const Load& load, const Seats& seats) {
    return fmt::format("{} x {} x {} = {}", load.workers, load.ranks, seats.per_rank, seats.total);
  }

  static std::string explained(const Server& server) {
    const bool given = server.config.limits.sequences.is_explicit();
    return fmt::format("servers x ranks x limit of one rank{}",
                       given ? "" : ", which is the default of " + engine_phrase(server.config));
  }

  /// What the level of a shortage is; nullopt for one that is usual.
  static std::optional<Level> shortage_level(const CellServers& cell, const Server& server,
                                             const Load& load, const Seats& seats) {
    const bool is_default = !server.config.limits.sequences.is_explicit();
    const Level most =
        is_default ? level_for_version(Level::kWarning, server.config) : Level::kWarning;
    const bool meant = named_after_limit(cell, seats);
    if (role_of(cell, server) != Role::kDecode) return meant ? Level::kNote : most;
    const double share = static_cast<double>(load.concurrency) /
                         static_cast<double>(std::max<std::int64_t>(1, seats.total));
    if (share <= kUsualOversubscription) return std::nullopt;
    if (share <= kLargestOversubscription || meant) return Level::kNote;
    return most;
  }

  /// "...-maxseq256.yaml", "...-c388-b4-mtp.yaml": the recipe says that it limits its sequences.
  static bool named_after_limit(const CellServers& cell, const Seats& seats) {
    const std::string& path = cell.cell->target().recipe.path;
    const std::string name = path.substr(path.rfind('/') + 1);
    return has_tag(name, fmt::format("maxseq{}", seats.per_rank)) ||
           has_tag(name, fmt::format("-b{}", seats.per_rank));
  }

  /// The tag stands in the name, and no further digit behind it.
  static bool has_tag(const std::string& name, const std::string& tag) {
    const std::size_t at = name.find(tag);
    if (at == std::string::npos) return false;
    const std::size_t end = at + tag.size();
    return end == name.size() || name[end] < '0' || name[end] > '9';
  }

  void report_shortage(const CellServers& cell, const Server& server, const Load& load,
                       const Seats& seats) {
    const auto level = shortage_level(cell, server, load, seats);
    if (!level) return;
    Finding finding = finding_for(server, "shortage");
    finding.level = *level;
    finding.message = fmt::format(
        "The servers take {} requests at once and the cell sends {}: {} ({}). The others wait in "
        "the queue.",
        seats.total, load.concurrency, arithmetic(load, seats), explained(server));
    finding.remedies = {fmt::format("Allow at least {} sequences for each rank ({}).",
                                    load.per_rank, load.arithmetic())};
    add(std::move(finding), load.concurrency - seats.total, cell, server);
  }

  void report_fan_out(const CellServers& cell, const Server& server, const Load& load,
                      const Seats& seats) {
    Finding finding = finding_for(server, "fan-out");
    finding.level = Level::kNote;
    finding.message = fmt::format(
        "The servers take {} requests at once for {} sessions: {} ({}). Sessions that send more "
        "than one request at a time wait in the queue.",
        seats.total, load.concurrency, arithmetic(load, seats), explained(server));
    add(std::move(finding), load.concurrency, cell, server);
  }

  /// Slots cost memory where states, buffers or graphs are kept for each.
  static bool reserves_per_slot(const CellServers& cell, const ServerConfig& config) {
    if (config.engine == Engine::kAtom || config.engine == Engine::kSglang) return true;
    if (config.speculation.tokens.value_or(0) > 0) return true;
    const auto* family = cell.setup.model == nullptr ? nullptr : cell.setup.model->family;
    return family != nullptr && family->attention != "gqa" && family->attention != "mla";
  }

  bool over_provisioned(const CellServers& cell, const Server& server, const Load& load,
                        const Seats& seats) const {
    if (!server.config.limits.sequences.is_explicit()) return false;
    if (load.concurrency != largest_concurrency_.at(entry_of(cell))) return false;
    return reserves_per_slot(cell, server.config) &&
           seats.per_rank >= kOverProvision * load.per_rank;
  }

  void report_surplus(const CellServers& cell, const Server& server, const Load& load,
                      const Seats& seats) {
    Finding finding = finding_for(server, "surplus");
    finding.level = Level::kNote;
    finding.message = fmt::format(
        "Each rank keeps room for {} sequences and is sent {} at most: {}. The limit counts for "
        "every data-parallel rank.",
        seats.per_rank, load.per_rank, load.arithmetic());
    finding.remedies = {
        fmt::format("Limit each rank to {} sequences, twice its load.", 2 * load.per_rank)};
    add(std::move(finding), seats.per_rank / std::max<std::int64_t>(1, load.per_rank), cell,
        server);
  }

  const RuleContext& context_;
  findings::FindingSink& sink_;
  WorstFindings worst_;
  std::map<const void*, std::int64_t> largest_concurrency_;  // by entry_of()
};

void run(const RuleContext& context, findings::FindingSink& sink) {
  Headroom(context, sink).run();
}

}  // namespace

Rule rank_sequence_headroom() {
  return {kId,
          "rank-sequence-headroom",
          Level::kWarning,
          Precision::kHigh,
          "The servers of a cell take fewer requests at once than the cell sends, or keep room for "
          "many times more.",
          embedded_pages("rank_sequence_headroom.md"),
          run};
}

}  // namespace recipelint::rules
