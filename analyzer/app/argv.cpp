#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "analyzer/app/analysis.h"
#include "analyzer/app/cell_filter.h"
#include "analyzer/app/commands.h"
#include "analyzer/app/scope.h"
#include "analyzer/app/settings.h"
#include "analyzer/facts/catalog.h"
#include "analyzer/layout/cell_launches.h"
#include "analyzer/layout/cell_results.h"
#include "analyzer/serving/servers.h"
#include "analyzer/text/utf8.h"

namespace recipelint::app {
namespace {

using layout::EvaluatedCell;
using nlohmann::ordered_json;

/// With -v, the servers of a cell.
struct Decoded {
  std::vector<serving::Server> servers;

  /// Null for what is no server, and without -v.
  const serving::ServerConfig* config_of(const launch::Launch& launch) const {
    const auto found = std::ranges::find(servers, &launch, &serving::Server::launch);
    return found == servers.end() ? nullptr : &found->config;
  }
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

/// What a row says; for a recipe that no row selects the recipe itself. Null for a script that is
/// run by hand.
void add_row(ordered_json& object, const EvaluatedCell& cell) {
  const space::MatrixRow* row = cell.row();
  const layout::RecipeCell* recipe = cell.recipe;
  object["key"] = nullptr;
  object["scenario"] = nullptr;
  if (row != nullptr) {
    object["key"] = valid(row->entry->key);
    object["scenario"] = space::to_string(row->scenario->kind);
  }
  if (recipe != nullptr) object["key"] = valid(recipe->run->key);
  object["mode"] = layout::to_string(cell.cell.mode);
  object["conc"] = nullptr;
  if (const auto concurrency = cell.number("conc")) object["conc"] = *concurrency;
  text::Span place;
  if (row != nullptr) place = row->row->span();
  if (recipe != nullptr) {
    place = recipe->concurrency ? recipe->concurrency->span : recipe->run->variant->root.span();
  }
  add_place(object["row"], place);
}

ordered_json cell_json(const EvaluatedCell& cell, const Decoded& decoded) {
  ordered_json object;
  add_row(object, cell);
  const layout::Target& target = cell.target();
  if (target.kind == layout::Target::Kind::kScript) object["script"] = valid(target.script);
  if (target.kind == layout::Target::Kind::kRecipe) {
    object["recipe"] = valid(target.recipe.path.empty() ? target.recipe.name : target.recipe.path);
  }
  object["status"] = layout::to_string(cell.launches->status);
  object["reasons"] = ordered_json::array();
  for (const layout::Reason& reason : cell.launches->reasons) {
    ordered_json item = {{"cause", valid(reason.cause)}};
    add_place(item, reason.span);
    object["reasons"].push_back(std::move(item));
  }
  object["launches"] = ordered_json::array();
  for (const launch::Launch& launch : cell.launches->launches) {
    ordered_json& item = object["launches"].emplace_back(launch_json(launch));
    if (const auto* config = decoded.config_of(launch)) add_settings(*config, item);
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

std::string title(const EvaluatedCell& cell) {
  const space::MatrixRow* row = cell.row();
  if (cell.recipe != nullptr) return cell.name();
  if (row == nullptr) return cell.target().script;
  return fmt::format("{} {} conc {} ({})", row->entry->key, space::to_string(row->scenario->kind),
                     row->concurrencies[cell.cell.concurrency].value,
                     layout::to_string(cell.cell.mode));
}

void write_cell_text(const EvaluatedCell& cell, const Decoded& decoded, std::ostream& out) {
  out << fmt::format("{}: {}\n", valid(title(cell)), layout::to_string(cell.launches->status));
  for (const layout::Reason& reason : cell.launches->reasons) {
    const std::string place = place_text(reason.span);
    out << fmt::format("  {}{}{}\n", valid(reason.cause), place.empty() ? "" : " at ", place);
  }
  for (const launch::Launch& launch : cell.launches->launches) {
    write_launch_text(launch, out);
    if (const auto* config = decoded.config_of(launch)) write_settings(*config, out);
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

/// Evaluates cells one by one and writes each at once. Cells of one script share what they can.
class Writer {
 public:
  Writer(const LoadedRepository& repository, const facts::Catalog& facts,
         const ArgvOptions& options, std::ostream& out)
      : options_(options),
        out_(out),
        workspace_(*repository.workspace),
        facts_(facts),
        scripts_(*repository.sources),
        evaluator_(workspace_, scripts_, facts_.models()) {}

  void write(const layout::Site& site, const layout::Cell& cell) {
    EvaluatedCell evaluated{.site = &site, .cell = cell};
    if (evaluated.target().kind != layout::Target::Kind::kScript) {
      text::OriginPool pool;
      const layout::CellLaunches result = evaluator_.evaluate(site, cell, pool);
      evaluated.launches = &result;
      write(evaluated);
      return;
    }
    const layout::LaunchPlan plan = workspace_.plan(site, cell, pool_);
    const std::string likeness = layout::CellEvaluator::likeness(site, cell, plan);
    const layout::CellLaunches result =
        evaluator_.evaluate(site, cell, plan, origins_, families_[likeness]);
    evaluated.launches = &result;
    evaluated.environment = &plan.environment;
    write(evaluated);
  }
  void write(const layout::BareScript& script) {
    text::OriginPool pool;
    const layout::CellLaunches result = evaluator_.evaluate(script, pool);
    write({.launches = &result, .bare = &script});
  }
  void write(const layout::RecipeCell& cell) {
    text::OriginPool pool;
    const layout::CellLaunches result = evaluator_.evaluate(*cell.run, pool);
    write({.launches = &result, .recipe = &cell});
  }

 private:
  /// What -v adds: the servers of a cell as their engines would have them.
  Decoded decode(const EvaluatedCell& cell) const {
    if (!options_.shared.verbose) return {};
    return {
        serving::decode_servers(*cell.launches, serving::setup_of(cell, facts_.models()), facts_)};
  }
  void write(const EvaluatedCell& cell) {
    const Decoded decoded = decode(cell);
    if (options_.json) {
      out_ << cell_json(cell, decoded).dump() << '\n';
    } else {
      write_cell_text(cell, decoded, out_);
    }
  }

  const ArgvOptions& options_;
  std::ostream& out_;
  const layout::Workspace& workspace_;
  const facts::Catalog& facts_;
  shell::ScriptCache scripts_;
  layout::CellEvaluator evaluator_;
  text::OriginPool pool_;
  text::OriginInterner origins_{pool_};
  std::map<std::string, shell::SharedEvaluations> families_;
};

}  // namespace

int run_argv(const ArgvOptions& options, const Streams& streams) {
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
  Writer writer(*repository, **facts, options, streams.out);
  for (const layout::Site& site : workspace.sites()) {
    for (const layout::Mode mode : modes_of(options.modes)) {
      for (const layout::Cell& cell : layout::cells_of(site, mode)) {
        const space::MatrixRow& row = site.matrix[cell.matrix_row];
        if (!scope.contains_key(row.entry->key)) continue;
        if (filter->accepts(row, cell.concurrency)) writer.write(site, cell);
      }
    }
  }
  for (const layout::RecipeRun& run : workspace.recipe_runs()) {
    if (!scope.contains_key(run.key)) continue;
    for (const layout::RecipeCell& cell : layout::cells_of(run)) {
      if (filter->accepts(cell)) writer.write(cell);
    }
  }
  for (const layout::BareScript& script : workspace.bare_scripts()) writer.write(script);
  say_which_keys_match_nothing(options.shared, workspace, streams.err);
  return say_what_was_unreadable(*repository, streams.err);
}

}  // namespace recipelint::app
