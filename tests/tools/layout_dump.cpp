// Prints what each cell or row of a tree starts with and what it starts, for comparison with what
// the repository's own launchers do. Usage: recipelint_layout_dump cells|rows|launches|problems
// ROOT

#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analyzer/launch/recipe/srt_command.h"
#include "analyzer/layout/workspace.h"
#include "analyzer/text/file_tree.h"
#include "analyzer/text/source_store.h"

namespace recipelint {
namespace {

using Json = nlohmann::ordered_json;

Json value_json(const shell::Value& value) {
  Json pieces = Json::array();
  for (const shell::Piece& piece : value.pieces()) {
    pieces.push_back(Json{{"text", piece.text}, {"known", piece.known}});
  }
  return pieces;
}

std::string_view kind_name(layout::Target::Kind kind) {
  switch (kind) {
    case layout::Target::Kind::kScript:
      return "script";
    case layout::Target::Kind::kRecipe:
      return "recipe";
    case layout::Target::Kind::kRejected:
      return "rejected";
    case layout::Target::Kind::kNothing:
      return "nothing";
  }
  return "";
}

std::string_view place_name(layout::RecipePlace place) {
  switch (place) {
    case layout::RecipePlace::kNone:
      return "";
    case layout::RecipePlace::kInTree:
      return "tree";
    case layout::RecipePlace::kUpstream:
      return "upstream";
    case layout::RecipePlace::kMissing:
      return "missing";
    case layout::RecipePlace::kUnreadable:
      return "unreadable";
  }
  return "";
}

Json target_json(const layout::Target& target) {
  return Json{{"kind", kind_name(target.kind)},
              {"launcher", target.runner.launcher},
              {"launcher_known", target.launcher_known},
              {"label_known", target.runner.label_known},
              {"rejected", target.rejected},
              {"script", target.script},
              {"exists", target.script_exists},
              {"recipe", target.recipe.written},
              {"place", place_name(target.recipe.place)},
              {"path", target.recipe.path},
              {"checkout", target.recipe.checkout}};
}

void print_cells(const layout::Workspace& workspace) {
  for (const layout::Site& site : workspace.sites()) {
    for (std::size_t i = 0; i < site.matrix.size(); ++i) {
      const space::MatrixRow& row = site.matrix[i];
      text::OriginPool pool;
      const layout::LaunchPlan plan = workspace.plan(site, {i, 0, layout::Mode::kThroughput}, pool);
      Json environment = Json::object();
      for (const auto& [name, value] : plan.environment) environment[name] = value_json(value);
      const Json line{{"key", row.entry->key},
                      {"file", row.config->file().path()},
                      {"multi_node", row.multi_node()},
                      {"target", target_json(site.row_of(i).throughput)},
                      {"env", environment}};
      std::cout << line.dump() << '\n';
    }
  }
}

void print_rows(const layout::Workspace& workspace) {
  for (const layout::Site& site : workspace.sites()) {
    for (const layout::RowLaunch& row : site.rows) {
      const text::SourceFile& file = *row.row->span().file;
      Json line{{"key", row.entry->key},
                {"file", file.path()},
                {"line", file.position(row.row->span().begin).line},
                {"rows", row.count},
                {"throughput", target_json(row.throughput)},
                {"eval", target_json(row.eval)}};
      line["elsewhere"] = Json::array();
      for (const layout::Target& target : row.elsewhere) {
        line["elsewhere"].push_back(target_json(target));
      }
      std::cout << line.dump() << '\n';
    }
  }
}

void print_launches(const std::vector<layout::SelectedRecipe>& recipes) {
  for (const layout::SelectedRecipe& recipe : recipes) {
    for (const launch::recipe::SrtRecipe& variant : recipe.variants) {
      text::OriginPool pool;
      for (const launch::Launch& launch : srt_launches(variant, {}, pool)) {
        Json argv = Json::array();
        for (const shell::Value& word : launch.argv) argv.push_back(word.text());
        Json environment = Json::object();
        for (const auto& [name, value] : launch.environment) environment[name] = value.text();
        Json files = Json::object();
        for (const launch::ConfigFile& file : launch.config_files) {
          files[file.path] = file.content.text();
        }
        const Json line{
            {"path", recipe.path}, {"variant", variant.variant}, {"role", to_string(launch.role)},
            {"argv", argv},        {"env", environment},         {"config_files", files}};
        std::cout << line.dump() << '\n';
      }
    }
  }
}

void print_problems(const layout::Workspace& workspace) {
  for (const space::Problem& problem : workspace.problems()) {
    if (problem.span.file != nullptr) {
      std::cout << problem.span.file->path() << ':'
                << problem.span.file->position(problem.span.begin).line << ": ";
    }
    std::cout << problem.rule << ' ' << problem.message << '\n';
  }
}

int run(const std::string& what, const std::string& root) {
  const auto tree = text::DiskTree::open(root);
  if (!tree) {
    std::cerr << tree.error().message << '\n';
    return 2;
  }
  text::SourceStore sources(*tree);
  const layout::Workspace workspace = layout::WorkspaceLoader(sources).load();
  if (what == "cells") print_cells(workspace);
  if (what == "rows") print_rows(workspace);
  if (what == "problems") print_problems(workspace);
  if (what == "launches") {
    print_launches(workspace.recipes());
    for (const layout::Site& site : workspace.sites()) print_launches(site.recipes);
  }
  std::cerr << sources.file_count() << " files, " << sources.byte_count() << " bytes\n";
  return 0;
}

}  // namespace
}  // namespace recipelint

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  if (argc != 3) return 2;
  return recipelint::run(argv[1], argv[2]);
}
