#include "rules/server_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "analyzer/serving/vocabulary_check.h"
#include "rules/recipe_uses.h"

namespace recipelint::rules {
namespace {

using launch::Engine;
using launch::Role;
using serving::CellServers;
using serving::Server;
using serving::ServerConfig;

std::int64_t ceil_divide(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

/// The servers of one role: what the row says, or what is started.
std::int64_t workers_of(const CellServers& cell, Role role) {
  const layout::EvaluatedCell& evaluated = *cell.cell;
  if (evaluated.recipe != nullptr) {
    const auto workers =
        evaluated.number(role == Role::kDecode ? "decode.num-worker" : "prefill.num-worker");
    if (workers && *workers > 0) return *workers;
  } else if (evaluated.row() == nullptr) {
    if (const auto given = evaluated.number("workers")) return *given;
  } else if (evaluated.row()->multi_node()) {
    const auto& worker = worker_of(evaluated.site->row_of(evaluated.cell.matrix_row), role);
    if (worker && worker->num_worker.value_or(0) > 0) return *worker->num_worker;
  }
  return std::ranges::count_if(cell.servers,
                               [&](const Server& server) { return server.launch->role == role; });
}

/// SGLang's decode steps have no bound but the number of requests.
bool steps_are_bounded(Engine engine) {
  return engine != Engine::kSglang;
}

}  // namespace

Role role_of(const CellServers& cell, const Server& server) {
  if (cell.cell->row() != nullptr || server.launch->role != Role::kAggregate) {
    return server.launch->role;
  }
  const auto given = cell.cell->field("role");
  if (given && given->text == "decode") return Role::kDecode;
  if (given && given->text == "prefill") return Role::kPrefill;
  return Role::kAggregate;
}

bool is_agentic(const CellServers& cell) {
  return cell.cell->row() != nullptr && cell.cell->row()->agentic();
}

std::string Load::arithmetic() const {
  return fmt::format("{} / ({} x {}) = {}", concurrency, workers, ranks, per_rank);
}

std::optional<Load> load_of(const CellServers& cell, const Server& server, std::string& cause) {
  const auto& ranks = server.config.parallel.attention_data;
  if (!ranks.value || *ranks.value < 1) {
    cause = ranks.reason.empty() ? "the data-parallel size is not known" : ranks.reason;
    return std::nullopt;
  }
  const auto concurrency = cell.cell->number("conc");
  if (!concurrency || *concurrency < 1) {
    cause = "the concurrency is not known";
    return std::nullopt;
  }
  Load load;
  load.concurrency = *concurrency;
  load.workers = std::max<std::int64_t>(1, workers_of(cell, role_of(cell, server)));
  load.ranks = *ranks.value;
  if (load.workers > (std::int64_t{1} << 20) || load.ranks > (std::int64_t{1} << 20)) {
    cause = "the number of ranks is out of bounds";
    return std::nullopt;
  }
  load.per_rank = ceil_divide(load.concurrency, load.workers * load.ranks);
  return load;
}

std::optional<DecodeDemand> decode_demand(const ServerConfig& config, const Load& load,
                                          std::string& cause) {
  const auto& sequences = config.limits.sequences;
  const auto& speculative = config.speculation.tokens;
  if (!sequences.value || *sequences.value < 1) {
    cause = sequences.reason.empty() ? "the limit of sequences is not known" : sequences.reason;
    return std::nullopt;
  }
  if (!speculative.value) {
    cause = speculative.reason.empty() ? "the number of speculative tokens is not known"
                                       : speculative.reason;
    return std::nullopt;
  }
  DecodeDemand demand;
  demand.sequences = *sequences.value;
  demand.width = 1 + std::max<std::int64_t>(0, *speculative.value);
  demand.capacity = demand.sequences;
  if (steps_are_bounded(config.engine) && config.limits.step_tokens.value) {
    demand.step_bound = *config.limits.step_tokens.value / demand.width;
    demand.capacity = std::min(demand.capacity, *demand.step_bound);
  }
  demand.load = std::min(demand.capacity, load.per_rank);
  return demand;
}

void for_each_decoder(const RuleContext& context,
                      const std::function<void(const CellServers&, const Server&)>& visit) {
  for (const CellServers& cell : context.servers.all()) {
    for (const Server& server : cell.servers) {
      if (role_of(cell, server) != Role::kPrefill) visit(cell, server);
    }
  }
}

std::string engine_phrase(const ServerConfig& config) {
  const auto title = serving::title_of_engine(to_string(config.engine));
  if (config.version.known()) return serving::phrase_of(title, config.version);
  return fmt::format("{} of an unknown version, judged as the newest known one", title);
}

findings::Level level_for_version(findings::Level level, const ServerConfig& config) {
  using findings::Level;
  if (config.version.known() || level == Level::kNote) return level;
  return level == Level::kError ? Level::kWarning : Level::kNote;
}

text::Span place_of_word(text::Span span, std::optional<std::size_t> word, const Server& server) {
  const auto& argv = server.launch->argv;
  for (std::size_t i = word ? std::min(*word + 1, argv.size()) : 0; i > 0; --i) {
    std::string buffer;
    if (!argv[i - 1].is_known() || !argv[i - 1].view(buffer).starts_with('-')) continue;
    const text::Span option = server.launch->place_of(i - 1);
    if (option.valid()) return option;
    break;
  }
  return span.valid() ? span : server.launch->span;
}

findings::Level level_for_launch(findings::Level level, const Server& server) {
  using findings::Level;
  if (server.launch->certain || level == Level::kNote) return level;
  return level == Level::kError ? Level::kWarning : Level::kNote;
}

void leave_open(findings::FindingSink& sink, std::string_view rule, std::string cause,
                const CellServers& cell) {
  sink.report_unevaluated({std::string(rule), std::move(cause), cell.cell->name()});
}

}  // namespace recipelint::rules
