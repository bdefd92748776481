#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "analyzer/app/analysis.h"
#include "analyzer/app/cell_filter.h"
#include "analyzer/app/commands.h"
#include "analyzer/app/scope.h"
#include "analyzer/app/settings.h"
#include "analyzer/layout/cell_launches.h"
#include "analyzer/serving/servers.h"
#include "analyzer/text/utf8.h"

namespace recipelint::app {
namespace {

using nlohmann::ordered_json;

/// One cell with what it would start.
struct CellView {
  const layout::Site& site;
  const layout::Cell& cell;
  const layout::CellLaunches& result;
  /// With -v, its servers.
  std::vector<serving::Server> servers = {};

  /// Null for what is no server, and without -v.
  const serving::ServerConfig* config_of(const launch::Launch& launch) const {
    const auto found = std::ranges::find(servers, &launch, &serving::Server::launch);
    return found == servers.end() ? nullptr : &found->config;
  }
  const space::MatrixRow& row() const { return site.matrix[cell.matrix_row]; }
  std::int64_t concurrency() const { return row().concurrencies[cell.concurrency].value; }
  const layout::Target& target() const { return site.row_of(cell.matrix_row).target(cell.mode); }
  std::string_view mode() const { return cell.mode == layout::Mode::kEval ? "eval" : "throughput"; }
};

std::string valid(std::string_view text) {
  return text::to_valid_utf8(text);
}

void add_place(ordered_json& object, const text::Span& span) {
  if (!span.valid()) {
    object["file"] = nullptr;
    object["line"] = nullptr;
    return;
  }
  object["file"] = valid(span.file->path());
  object["line"] = span.file->position(span.begin).line;
}

ordered_json word_json(const shell::Value& word, const text::Span& span) {
  ordered_json object = {{"text", valid(word.text())}, {"known", word.is_known()}};
  add_place(object, span);
  object["column"] = nullptr;
  if (span.valid()) object["column"] = span.file->position(span.begin).column;
  return object;
}

ordered_json launch_json(const launch::Launch& launch) {
  ordered_json object = {{"program", valid(launch.program)},
                         {"engine", launch::to_string(launch.engine)},
                         {"role", launch::to_string(launch.role)},
                         {"certain", launch.certain}};
  object["argv"] = ordered_json::array();
  for (const shell::Value& word : launch.argv) {
    object["argv"].push_back(word_json(word, word.origin().span()));
  }
  object["env"] = ordered_json::object();
  for (const auto& [name, value] : launch.environment) {
    object["env"][valid(name)] = valid(value.text());
  }
  object["config_files"] = ordered_json::object();
  for (const launch::ConfigFile& file : launch.config_files) {
    object["config_files"][valid(file.path)] = valid(file.content.text());
  }
  return object;
}

ordered_json cell_json(const CellView& view) {
  ordered_json object;
  object["key"] = valid(view.row().entry->key);
  object["scenario"] = space::to_string(view.row().scenario->kind);
  object["mode"] = view.mode();
  object["conc"] = view.concurrency();
  add_place(object["row"], view.row().row->span());
  const layout::Target& target = view.target();
  if (target.kind == layout::Target::Kind::kScript) object["script"] = valid(target.script);
  if (target.kind == layout::Target::Kind::kRecipe) {
    object["recipe"] = valid(target.recipe.path.empty() ? target.recipe.name : target.recipe.path);
  }
  object["status"] = layout::to_string(view.result.status);
  object["reasons"] = ordered_json::array();
  for (const layout::Reason& reason : view.result.reasons) {
    ordered_json item = {{"cause", valid(reason.cause)}};
    add_place(item, reason.span);
    object["reasons"].push_back(std::move(item));
  }
  object["launches"] = ordered_json::array();
  for (const launch::Launch& launch : view.result.launches) {
    ordered_json& item = object["launches"].emplace_back(launch_json(launch));
    if (const auto* config = view.config_of(launch)) add_settings(*config, item);
  }
  return object;
}

std::string place_text(const text::Span& span) {
  if (!span.valid()) return {};
  return fmt::format("{}:{}", valid(span.file->path()), span.file->position(span.begin).line);
}

void write_launch_text(const launch::Launch& launch, std::ostream& out) {
  out << fmt::format("  {} ({}){}\n", valid(launch.program), launch::to_string(launch.role),
                     launch.certain ? "" : ", only if the host decides so");
  std::size_t width = 0;
  for (const shell::Value& word : launch.argv) width = std::max(width, word.text().size());
  width = std::min<std::size_t>(width, 60);
  for (const shell::Value& word : launch.argv) {
    out << fmt::format("    {:<{}}  {}\n", valid(word.text()), width,
                       place_text(word.origin().span()));
  }
}

void write_cell_text(const CellView& view, std::ostream& out) {
  out << fmt::format("{} {} conc {} ({}): {}\n", valid(view.row().entry->key),
                     space::to_string(view.row().scenario->kind), view.concurrency(), view.mode(),
                     layout::to_string(view.result.status));
  for (const layout::Reason& reason : view.result.reasons) {
    const std::string place = place_text(reason.span);
    out << fmt::format("  {}{}{}\n", valid(reason.cause), place.empty() ? "" : " at ", place);
  }
  for (const launch::Launch& launch : view.result.launches) {
    write_launch_text(launch, out);
    if (const auto* config = view.config_of(launch)) write_settings(*config, out);
  }
}

std::vector<layout::Mode> modes_of(ArgvOptions::Modes modes) {
  switch (modes) {
    case ArgvOptions::Modes::kThroughput:
      return {layout::Mode::kThroughput};
    case ArgvOptions::Modes::kEval:
      return {layout::Mode::kEval};
    case ArgvOptions::Modes::kBoth:
      break;
  }
  return {layout::Mode::kThroughput, layout::Mode::kEval};
}

/// What -v adds: the servers of a cell as their engines would have them.
std::vector<serving::Server> decode(const layout::Workspace& workspace, const CellView& view,
                                    const facts::Catalog& facts, text::OriginPool& pool) {
  layout::EvaluatedCell cell{&view.site, view.cell, &view.result};
  layout::LaunchPlan plan;
  if (view.target().kind == layout::Target::Kind::kScript) {
    plan = workspace.plan(view.site, view.cell, pool);
    cell.environment = &plan.environment;
  }
  return serving::decode_servers(view.result, serving::setup_of(cell, facts.models()), facts);
}

}  // namespace

int run_argv(const ArgvOptions& options, const Streams& streams) {
  const auto filter = CellFilter::make(options.shared);
  if (!filter) return usage_failure(filter.error(), streams);
  const auto repository = load_repository(options.shared);
  if (!repository) return usage_failure(repository.error(), streams);
  if (repository->workspace->sites().empty()) {
    return usage_failure({fmt::format("found no search space below '{}', so there are no cells",
                                      repository->tree->root()),
                          {}},
                         streams);
  }
  const Scope scope(*repository->workspace, repository->named);
  shell::ScriptCache scripts(*repository->sources);
  const facts::Catalog facts;
  const layout::CellEvaluator evaluator(*repository->workspace, scripts);
  for (const layout::Site& site : repository->workspace->sites()) {
    for (const layout::Mode mode : modes_of(options.modes)) {
      for (const layout::Cell& cell : layout::cells_of(site, mode)) {
        const space::MatrixRow& row = site.matrix[cell.matrix_row];
        if (!scope.contains_key(row.entry->key)) continue;
        if (!filter->accepts(row, cell.concurrency)) continue;
        text::OriginPool pool;
        const layout::CellLaunches result = evaluator.evaluate(site, cell, pool);
        CellView view{site, cell, result};
        if (options.shared.verbose) {
          view.servers = decode(*repository->workspace, view, facts, pool);
        }
        if (options.json) {
          streams.out << cell_json(view).dump() << '\n';
        } else {
          write_cell_text(view, streams.out);
        }
      }
    }
  }
  return kClean;
}

}  // namespace recipelint::app
