#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/app/analysis.h"
#include "analyzer/app/cell_filter.h"
#include "analyzer/app/commands.h"
#include "analyzer/app/scope.h"
#include "analyzer/layout/cell_results.h"
#include "analyzer/serving/memory/topologies.h"
#include "analyzer/serving/servers.h"
#include "analyzer/text/utf8.h"

namespace recipelint::app {
namespace {

using nlohmann::ordered_json;
using serving::memory::Fits;
using serving::memory::Interval;
using serving::memory::kGib;
using serving::memory::KvTerm;
using serving::memory::MemoryFit;
using serving::memory::Topology;

std::string valid(std::string_view text) {
  return text::to_valid_utf8(text);
}

/// Two digits are more than anything here is known to.
double in_gib(double bytes) {
  return static_cast<double>(
             static_cast<std::int64_t>(bytes / kGib * 100 + (bytes < 0 ? -0.5 : 0.5))) /
         100;
}

// --- JSON ---

void add_target(ordered_json& object, const layout::Target& target) {
  if (target.kind == layout::Target::Kind::kRecipe) {
    object["recipe"] = valid(target.recipe.path.empty() ? target.recipe.name : target.recipe.path);
  } else {
    object["script"] = valid(target.script);
  }
}

void add_sizes(ordered_json& object, const MemoryFit& fit) {
  const auto three = [](const Interval& interval) {
    return ordered_json{in_gib(interval.low), in_gib(interval.nominal), in_gib(interval.high)};
  };
  object["weights_gib"] = nullptr;
  if (fit.has_weights) {
    object["weights_gib"] = {in_gib(fit.weights.low), in_gib(fit.weights.high)};
  }
  object["need_gib"] = fit.has_need ? three(fit.need) : ordered_json();
  object["need_terms"] = ordered_json::array();
  for (const KvTerm& term : fit.terms) {
    object["need_terms"].push_back({{"name", term.name}, {"gib", in_gib(term.bytes)}});
  }
  object["available_gib"] = fit.has_available ? three(fit.available) : ordered_json();
}

/// The longest request that fits by the likely numbers; nothing if that is not known, or if the
/// need does not grow with the length.
std::optional<std::int64_t> fitting_tokens(const MemoryFit& fit) {
  constexpr double kMost = 1e15;
  const bool known = fit.fits != Fits::kUnknown && fit.has_need && fit.has_available;
  if (!known || fit.tokens <= 0) return std::nullopt;
  return static_cast<std::int64_t>(std::min(fit.tokens, kMost));
}

ordered_json topology_json(const Topology& topology) {
  const auto& question = topology.question;
  const MemoryFit& fit = topology.fit;
  const auto& cell = *topology.cells.front();
  ordered_json object = {{"key", nullptr}};
  if (cell.bare == nullptr) object["key"] = valid(cell.owner());
  add_target(object, cell.target());
  object["engine"] = launch::to_string(question.engine);
  object["role"] = launch::to_string(topology.server->launch->role);
  object["model"] = nullptr;
  if (question.model != nullptr) object["model"] = valid(question.model->repository);
  object["gpu"] = nullptr;
  if (question.gpu != nullptr) object["gpu"] = valid(question.gpu->name);
  object["cells"] = ordered_json::array();
  for (const std::string& name : topology.cell_names()) object["cells"].push_back(valid(name));
  object["gpus_per_rank_group"] = fit.gpus;
  object["gpu_total_gib"] = in_gib(fit.total);
  add_sizes(object, fit);
  object["model_length"] = static_cast<std::int64_t>(question.length);
  const auto fitting = fitting_tokens(fit);
  object["tokens_that_fit"] = fitting ? ordered_json(*fitting) : ordered_json();
  object["fits"] = serving::memory::to_string(fit.fits);
  object["unknown"] = ordered_json::array();
  for (const std::string& fact : fit.unknown) object["unknown"].push_back(valid(fact));
  object["assumed"] = ordered_json::array();
  for (const std::string& fact : fit.assumed) object["assumed"].push_back(valid(fact));
  return object;
}

// --- Text ---

/// Weights, the need and the rest of a GPU, in proportion.
std::string bar(const MemoryFit& fit) {
  constexpr std::size_t kWidth = 70;
  const auto columns = [&](double bytes) {
    const double share = std::clamp(bytes / fit.total, 0.0, 1.0);
    return static_cast<std::size_t>(share * static_cast<double>(kWidth) + 0.5);
  };
  const std::size_t weights = columns(fit.weights.nominal);
  const std::size_t need = std::min(columns(fit.need.nominal), kWidth - weights);
  return fmt::format("[{}{}{}]", std::string(weights, '#'), std::string(need, '='),
                     std::string(kWidth - weights - need, '.'));
}

std::string range(const Interval& interval) {
  return fmt::format("{:9.2f} {:9.2f} {:9.2f}", in_gib(interval.low), in_gib(interval.nominal),
                     in_gib(interval.high));
}

/// "moonshotai/Kimi-K3 on 8 b300, 262144 tokens (1310720 would fit)", as far as it is known.
std::string what_runs(const Topology& topology) {
  const auto& question = topology.question;
  std::string text = "an unknown model";
  if (question.model != nullptr) text = question.model->repository;
  if (question.gpu == nullptr) {
    text += " on an unknown GPU";
  } else if (topology.fit.gpus > 0) {
    text += fmt::format(" on {} {}", topology.fit.gpus, question.gpu->name);
  } else {
    text += fmt::format(" on {}", question.gpu->name);
  }
  if (question.length <= 0) return text;
  text += fmt::format(", {} tokens", question.length);
  const auto fitting = fitting_tokens(topology.fit);
  return fitting ? text + fmt::format(" ({} would fit)", *fitting) : text;
}

/// At most 100 columns, like everything that is written for people.
std::string cut(std::string line) {
  constexpr std::size_t kWidth = 100;
  if (line.size() > kWidth) line = line.substr(0, kWidth - 3) + "...";
  return text::to_valid_utf8(line);
}

void write_text(const Topology& topology, std::ostream& out) {
  const auto& question = topology.question;
  const MemoryFit& fit = topology.fit;
  const auto line = [&](std::string text) { out << cut(std::move(text)) << '\n'; };
  const auto& cell = *topology.cells.front();
  line(fmt::format("{} ({}, {} cell{}): {}", serving::memory::owner_of(cell),
                   launch::to_string(topology.server->launch->role), topology.cells.size(),
                   topology.cells.size() == 1 ? "" : "s", serving::memory::to_string(fit.fits)));
  line(fmt::format("  {} {}: {}", launch::to_string(question.engine),
                   topology.server->config.version.name(), what_runs(topology)));
  if (fit.has_weights && fit.has_need) {
    line(fmt::format("  {} of {:.2f} GiB", bar(fit), in_gib(fit.total)));
  }
  if (fit.has_weights || fit.has_need) {
    line("  GiB of a GPU      least   likely      most");
  }
  if (fit.has_weights) line("  # weights   " + range(fit.weights));
  if (fit.has_need) line("  = need      " + range(fit.need));
  if (fit.has_available) line("    available " + range(fit.available));
  for (const KvTerm& term : fit.terms) {
    line(fmt::format("      {:9.2f}  {}{}", in_gib(term.bytes), term.name,
                     term.in_flight ? ", grows with the tokens of a step" : ""));
  }
  for (const std::string& fact : fit.assumed) line("    assumed: " + fact);
  for (const std::string& fact : fit.unknown) line("    unknown: " + fact);
}

/// Keys of which a cell was asked for.
std::set<std::string, std::less<>> keys_asked_for(const layout::Workspace& workspace,
                                                  const CellFilter& filter, const Scope& scope) {
  std::set<std::string, std::less<>> keys;
  for (const layout::Site& site : workspace.sites()) {
    for (const space::MatrixRow& row : site.matrix) {
      if (scope.contains_key(row.entry->key) && filter.accepts_any(row)) {
        keys.insert(std::string(row.entry->key));
      }
    }
  }
  for (const layout::RecipeRun& run : workspace.recipe_runs()) {
    if (scope.contains_key(run.key)) keys.insert(run.key);
  }
  return keys;
}

/// The servers of the cells that were asked for.
std::vector<serving::CellServers> asked_for(std::span<const serving::CellServers> all,
                                            const CellFilter& filter) {
  std::vector<serving::CellServers> chosen;
  for (const serving::CellServers& servers : all) {
    const layout::EvaluatedCell& cell = *servers.cell;
    const auto* row = cell.row();
    const bool is_chosen = cell.recipe != nullptr
                               ? filter.accepts(*cell.recipe)
                               : row == nullptr || filter.accepts(*row, cell.cell.concurrency);
    if (is_chosen) chosen.push_back(servers);
  }
  return chosen;
}

}  // namespace

int run_memory(const MemoryOptions& options, const Streams& streams) {
  const auto filter = CellFilter::make(options.shared);
  if (!filter) return usage_failure(filter.error(), streams);
  const auto repository = load_repository(options.shared);
  if (!repository) return usage_failure(repository.error(), streams);
  const layout::Workspace& workspace = *repository->workspace;
  if (!workspace.has_search_space() && workspace.bare_scripts().empty()) {
    return usage_failure(
        {fmt::format("found neither a search space nor a launch script below '{}', so there are no "
                     "cells",
                     repository->root),
         {}},
        streams);
  }
  const auto facts = load_facts(*repository);
  if (!facts) return usage_failure(facts.error(), streams);
  const Scope scope = scope_of(*repository, **facts, options.shared.threads);
  const auto keys = keys_asked_for(workspace, *filter, scope);
  const layout::CellResults cells(workspace, **facts, options.shared.threads,
                                  [&keys](std::string_view key) { return keys.contains(key); });
  const serving::Servers servers(cells, **facts, options.shared.threads);
  const auto chosen = asked_for(servers.all(), *filter);
  for (const Topology& topology : serving::memory::find_topologies(chosen, **facts)) {
    if (options.json) {
      streams.out << topology_json(topology).dump() << '\n';
    } else {
      write_text(topology, streams.out);
    }
  }
  say_which_keys_match_nothing(options.shared, workspace, streams.err);
  return say_what_was_unreadable(*repository, streams.err);
}

}  // namespace recipelint::app
