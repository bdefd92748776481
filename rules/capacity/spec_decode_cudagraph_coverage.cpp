#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "analyzer/serving/servers.h"
#include "rules/capacity/capacity.h"
#include "rules/graph_remedies.h"
#include "rules/origin_flow.h"
#include "rules/pages.h"
#include "rules/server_load.h"
#include "rules/worst_findings.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using launch::Role;
using serving::BatchRange;
using serving::Capture;
using serving::CellServers;
using serving::GraphUse;
using serving::Server;
using serving::ServerConfig;

constexpr std::string_view kId = "RL2001";

/// The part of `ranges` within batches from 1 to `most`, as one range from its first to its last
/// batch; nullopt if there is none.
std::optional<BatchRange> within(const std::vector<BatchRange>& ranges, std::int64_t most) {
  std::optional<BatchRange> part;
  for (const BatchRange& range : ranges) {
    if (range.first > most) break;
    const std::int64_t last = std::min(range.last, most);
    if (!part) part = BatchRange{range.first, last};
    part->last = last;
  }
  return part;
}

std::int64_t eager_batches(const Capture& capture, std::int64_t most) {
  std::int64_t count = 0;
  for (const BatchRange& range : capture.eager) {
    if (range.first <= most) count += std::min(range.last, most) - range.first + 1;
  }
  return count;
}

/// The possibility that leaves the fewest batches eager; null if every one fails at the start.
const Capture* most_favourable(const ServerConfig& config, const DecodeDemand& demand) {
  const Capture* best = nullptr;
  for (const Capture& capture : config.captures) {
    if (capture.failure != Capture::Failure::kNone) continue;
    const bool better =
        best == nullptr ||
        std::pair(eager_batches(capture, demand.load), eager_batches(capture, demand.capacity)) <
            std::pair(eager_batches(*best, demand.load), eager_batches(*best, demand.capacity));
    if (better) best = &capture;
  }
  return best;
}

/// The option that decides: an explicit maximum or list, else what widens a sequence, else the
/// limit of sequences, else the command.
struct Culprit {
  text::Span span;
  text::Origin origin;
};

Culprit culprit(const Server& server) {
  const ServerConfig& config = server.config;
  std::optional<Culprit> found;
  const auto consider = [&](const auto& setting) {
    if (found || !setting.is_explicit() || !setting.span.valid()) return;
    found = Culprit{place_of(setting, server), setting.origin};
  };
  consider(config.graphs.maximum);
  consider(config.graphs.sizes);
  if (config.speculation.tokens.value_or(0) > 0) consider(config.speculation.tokens);
  consider(config.limits.sequences);
  return found.value_or(Culprit{server.launch->span, {}});
}

class Coverage {
 public:
  Coverage(const RuleContext& context, findings::FindingSink& sink)
      : context_(context), sink_(sink) {}

  void run() {
    for_each_decoder(context_,
                     [&](const CellServers& cell, const Server& server) { judge(cell, server); });
    worst_.report(sink_);
  }

 private:
  void judge(const CellServers& cell, const Server& server) {
    const ServerConfig& config = server.config;
    // Graphs that are off on purpose, or by accident, are RL2008's.
    if (config.graphs.eager.value_or(false) || config.graphs.mode.value_or("") == "NONE") return;
    std::string cause;
    const auto load = load_of(cell, server, cause);
    const auto demand = load ? decode_demand(config, *load, cause) : std::nullopt;
    if (!demand) return leave_open(sink_, kId, std::move(cause), cell);
    if (config.captures.empty()) return leave_open(sink_, kId, config.capture_reason, cell);
    const Capture* capture = most_favourable(config, *demand);
    if (capture == nullptr) return report_failure(cell, server);
    if (const auto gap = within(capture->eager, demand->load)) {
      report_load(cell, server, *capture, *load, *demand, *gap);
    } else if (const auto open = within(capture->eager, demand->capacity)) {
      report_capacity(cell, server, *capture, *load, *demand, *open);
    } else if (capture->use_of(demand->load) == GraphUse::kPiecewise && !capture->full.empty()) {
      report_piecewise(cell, server, *capture, *load, *demand);
    }
    if (config.graphs.mode.value_or("") == "FULL_DECODE_ONLY") check_ranks(cell, server);
  }

  Finding finding_for(const Server& server, std::string_view identity) const {
    const Culprit place = culprit(server);
    Finding finding;
    finding.rule = kId;
    finding.primary = place.span;
    finding.flow = flow_of(place.origin, finding.primary);
    finding.identity = identity;
    add_related(finding, server.config.limits.sequences, "the limit of sequences of one rank");
    add_related(finding, server.config.speculation.tokens, "the speculative tokens");
    return finding;
  }

  void add(Finding finding, std::int64_t measure, const CellServers& cell, const Server& server,
           WorstFindings::Remedies remedies = nullptr) {
    if (!finding.primary.valid()) return;
    finding.level = level_for_launch(finding.level, server);
    worst_.add(std::move(finding), measure, cell.cell->name(), std::move(remedies));
  }

  /// Each is tried by decoding the launch again.
  WorstFindings::Remedies remedies_for(const CellServers& cell, const Server& server,
                                       const DecodeDemand& demand, std::int64_t sequences,
                                       std::int64_t least) const {
    return [this, &cell, &server, demand, sequences, least] {
      return graph_remedies(context_, cell, server, demand, sequences, least);
    };
  }

  void report_failure(const CellServers& cell, const Server& server) {
    Finding finding = finding_for(server, "start");
    finding.level = level_for_version(Level::kError, server.config);
    finding.message =
        fmt::format("{} does not start with these graph settings: {}.",
                    engine_phrase(server.config), server.config.captures.front().failure_text);
    add(std::move(finding), 0, cell, server);
  }

  /// "448 x (1 + 3) = 1792 tokens, and graphs reach 512 tokens by default of vLLM 0.26.0".
  static std::string arithmetic(const Server& server, const Capture& capture,
                                const DecodeDemand& demand, std::int64_t sequences) {
    const bool given =
        server.config.graphs.maximum.is_explicit() || server.config.graphs.sizes.is_explicit();
    const std::string by =
        fmt::format("{} {}", given ? "as given to" : "by default of", engine_phrase(server.config));
    if (capture.unit == Capture::Unit::kSequences) {
      return fmt::format("{} sequences, and graphs reach {} {}", sequences, capture.largest, by);
    }
    const std::string product = demand.width == 1
                                    ? fmt::format("{} tokens", sequences)
                                    : fmt::format("{} x (1 + {}) = {} tokens", sequences,
                                                  demand.width - 1, sequences * demand.width);
    return fmt::format("{}, and graphs reach {} {}", product, capture.largest, by);
  }

  static std::string batches(const BatchRange& range) {
    if (range.first == range.last) return fmt::format("Decode batches of {}", range.first);
    return fmt::format("Decode batches of {} to {}", range.first, range.last);
  }

  /// Only an explicit maximum or list is the same in every version.
  static Level level_of(Level level, const ServerConfig& config) {
    if (config.graphs.maximum.is_explicit() || config.graphs.sizes.is_explicit()) return level;
    return level_for_version(level, config);
  }

  void report_load(const CellServers& cell, const Server& server, const Capture& capture,
                   const Load& load, const DecodeDemand& demand, const BatchRange& gap) {
    Finding finding = finding_for(server, "coverage");
    const bool all =
        gap.first <= 2 && eager_batches(capture, demand.load) >= demand.load - 1 && demand.load > 1;
    finding.level = level_of(all ? Level::kError : Level::kWarning, server.config);
    finding.message = fmt::format(
        "{} sequences run without a CUDA graph: {}. The cell sends {} to each rank.", batches(gap),
        arithmetic(server, capture, demand, demand.load), load.arithmetic());
    add(std::move(finding), demand.load - gap.first, cell, server,
        remedies_for(cell, server, demand, demand.load, load.per_rank));
  }

  void report_capacity(const CellServers& cell, const Server& server, const Capture& capture,
                       const Load& load, const DecodeDemand& demand, const BatchRange& gap) {
    Finding finding = finding_for(server, "coverage");
    finding.level = Level::kNote;
    finding.message = fmt::format(
        "{} sequences would run without a CUDA graph: {}. No cell makes them: this one sends {} to "
        "each rank.",
        batches(gap), arithmetic(server, capture, demand, demand.capacity), load.arithmetic());
    add(std::move(finding), demand.capacity - gap.first, cell, server,
        remedies_for(cell, server, demand, demand.capacity, load.per_rank));
  }

  void report_piecewise(const CellServers& cell, const Server& server, const Capture& capture,
                        const Load& load, const DecodeDemand& demand) {
    Finding finding = finding_for(server, "piecewise");
    finding.level = Level::kNote;
    finding.message = fmt::format(
        "Decode batches of {} sequences run as piecewise graphs, not as a full one: {}. The cell "
        "sends {} to each rank.",
        demand.load, arithmetic(server, capture, demand, demand.load), load.arithmetic());
    add(std::move(finding), demand.load, cell, server);
  }

  /// Ranks of a mixture of experts step together: one that prefills takes the graph from all.
  void check_ranks(const CellServers& cell, const Server& server) {
    const ServerConfig& config = server.config;
    const auto* family = cell.setup.model == nullptr ? nullptr : cell.setup.model->family;
    const bool ranks = config.parallel.attention_data.value_or(1) > 1;
    const bool vllm = config.engine == launch::Engine::kVllm;
    if (!vllm || !ranks || role_of(cell, server) != Role::kAggregate) return;
    if (family == nullptr || !family->mixture_of_experts) return;
    Finding finding;
    finding.rule = kId;
    finding.level = Level::kNote;
    finding.primary =
        config.graphs.mode.span.valid() ? config.graphs.mode.span : server.launch->span;
    finding.flow = flow_of(config.graphs.mode.origin, place_of(config.graphs.mode, server));
    finding.identity = "ranks";
    finding.message = fmt::format(
        "With FULL_DECODE_ONLY on {} data-parallel ranks of a mixture of experts, every rank runs "
        "without a graph while one of them prefills.",
        *config.parallel.attention_data.value);
    finding.remedies = {
        "Use FULL_AND_PIECEWISE: steps with a prefill then run as piecewise "
        "graphs."};
    add(std::move(finding), 0, cell, server);
  }

  const RuleContext& context_;
  findings::FindingSink& sink_;
  WorstFindings worst_;
};

void run(const RuleContext& context, findings::FindingSink& sink) {
  Coverage(context, sink).run();
}

}  // namespace

Rule spec_decode_cudagraph_coverage() {
  return {kId,
          "spec-decode-cudagraph-coverage",
          Level::kWarning,
          Precision::kHigh,
          "Decode batches that a cell produces are larger than any CUDA graph that its server "
          "captures.",
          embedded_pages("spec_decode_cudagraph_coverage.md"),
          run};
}

}  // namespace recipelint::rules
