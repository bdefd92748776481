#include "analyzer/app/scope.h"

#include <algorithm>

#include "analyzer/layout/read_files.h"

namespace recipelint::app {
namespace {

bool lies_below(std::string_view path, std::string_view folder) {
  return path == folder ||
         (path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/');
}

/// A cell is named by its key, alone or with the point behind it: "key|8192x1024|tp8|c64".
std::string_view key_of(std::string_view cell) {
  return cell.substr(0, cell.find('|'));
}

std::vector<std::string> files_of(const layout::Target& target) {
  std::vector<std::string> files;
  if (target.kind == layout::Target::Kind::kScript) files.push_back(target.script);
  const layout::RecipeReference& recipe = target.recipe;
  if (recipe.place == layout::RecipePlace::kInTree && recipe.root == 0) {
    files.push_back(recipe.path);
  }
  return files;
}

std::string launcher_path(const layout::Site& site, const layout::Target& target) {
  return text::join_path(site.files.root,
                         site.profile->folders.launcher_path(target.runner.launcher));
}

}  // namespace

Scope::Scope(const layout::Workspace& workspace, const std::vector<std::string>& paths)
    : workspace_(workspace), paths_(paths) {
  everything_ = paths.empty() || std::find(paths.begin(), paths.end(), "") != paths.end();
  if (everything_) return;
  for (const layout::Site& site : workspace.sites()) add_site(site);
  for (const layout::BareScript& script : workspace.bare_scripts()) {
    add_own_cell(script.target.script, script.target.script);
  }
  for (const layout::RecipeRun& run : workspace.recipe_runs()) {
    add_own_cell(run.target.recipe.path, run.key);
  }
  list_unaffecting();
  const bool names_folder = std::any_of(paths.begin(), paths.end(), [&](const std::string& path) {
    return workspace.sources().tree().kind(path) == text::EntryKind::kFolder;
  });
  needs_readers_ = !workspace.sites().empty() && (names_folder || !unaffecting_.empty());
}

void Scope::list_unaffecting() {
  unaffecting_.clear();
  for (const std::string& path : paths_) {
    const bool is_file = workspace_.sources().tree().kind(path) == text::EntryKind::kFile;
    if (is_file && !affecting_.contains(path)) unaffecting_.push_back(path);
  }
}

void Scope::add_readers(const layout::CellResults& cells, const facts::ModelFacts& models) {
  if (!needs_readers_) return;
  layout::ReadFiles read(workspace_, models);
  for (const layout::EvaluatedCell& cell : cells.all()) {
    for (const std::string& file : read.of(cell)) {
      if (!names(file)) continue;
      affecting_.insert(file);
      keys_.emplace(cell.owner());
    }
  }
  list_unaffecting();
}

void Scope::add_site(const layout::Site& site) {
  const auto add_rows = [&](std::string_view file, const std::vector<std::string_view>& keys) {
    if (!names(file)) return;
    affecting_.emplace(file);
    keys_.insert(keys.begin(), keys.end());
  };
  std::vector<std::string_view> all_keys;
  for (const space::MasterConfig& config : site.space.masters) {
    std::vector<std::string_view> keys;
    for (const space::Entry& entry : config.entries) keys.push_back(entry.key);
    add_rows(config.file().path(), keys);
    all_keys.insert(all_keys.end(), keys.begin(), keys.end());
  }
  add_rows(site.files.runners, all_keys);
  add_rows(site.files.ci_priority, {});
  add_rows(site.files.changelog, {});
  for (const layout::RowLaunch& row : site.rows) {
    add_rows(launcher_path(site, row.throughput), {row.entry->key});
    for (const layout::Target& target : row.elsewhere) {
      add_rows(launcher_path(site, target), {row.entry->key});
    }
    for (const layout::Target* target : {&row.throughput, &row.eval}) {
      for (const std::string& file : files_of(*target)) add_rows(file, {row.entry->key});
    }
  }
}

void Scope::add_own_cell(const std::string& path, std::string_view key) {
  if (!names(path)) return;
  affecting_.insert(path);
  keys_.emplace(key);
}

bool Scope::contains_cell(std::string_view cell) const {
  return contains_key(key_of(cell));
}

bool Scope::names(std::string_view path) const {
  return std::any_of(paths_.begin(), paths_.end(),
                     [&](const std::string& named) { return lies_below(path, named); });
}

bool Scope::contains(const findings::Finding& finding) const {
  if (everything_) return true;
  const auto lies_in_scope = [this](const text::Span& span) {
    return span.valid() && names(span.file->path());
  };
  if (lies_in_scope(finding.primary)) return true;
  if (std::any_of(finding.related.begin(), finding.related.end(),
                  [&](const findings::Related& place) { return lies_in_scope(place.span); })) {
    return true;
  }
  return std::any_of(finding.cells.begin(), finding.cells.end(),
                     [this](const std::string& cell) { return contains_cell(cell); });
}

}  // namespace recipelint::app
