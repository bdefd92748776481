#include "analyzer/app/scope.h"

#include <fmt/format.h>

#include <algorithm>

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
  if (target.recipe.place == layout::RecipePlace::kInTree) files.push_back(target.recipe.path);
  return files;
}

std::string launcher_path(const layout::Site& site, const layout::Target& target) {
  return text::join_path(text::join_path(site.files.root, site.profile->folders.launchers),
                         fmt::format("launch_{}.sh", target.runner.launcher));
}

}  // namespace

Scope::Scope(const layout::Workspace& workspace, const std::vector<std::string>& paths)
    : sources_(workspace.sources()), paths_(paths) {
  everything_ = paths.empty() || std::find(paths.begin(), paths.end(), "") != paths.end();
  if (everything_) return;
  for (const layout::Site& site : workspace.sites()) add_site(site);
  for (const layout::BareScript& script : workspace.bare_scripts()) add_script(script);
  for (const std::string& path : paths) {
    const bool is_file = workspace.sources().tree().kind(path) == text::EntryKind::kFile;
    if (is_file && !affecting_.contains(path)) unaffecting_.push_back(path);
  }
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
      for (const std::string& file : files_of(*target)) {
        add_rows(file, {row.entry->key});
        for (const std::string& used : named_scripts_used_by(file)) {
          add_rows(used, {row.entry->key});
        }
      }
    }
  }
}

void Scope::add_script(const layout::BareScript& script) {
  const std::string& path = script.target.script;
  if (!names(path)) return;
  affecting_.insert(path);
  keys_.insert(path);
}

const std::vector<std::string>& Scope::named_scripts_used_by(const std::string& file) {
  const auto [found, is_new] = used_by_.try_emplace(file);
  const auto script = is_new ? sources_.load(file) : text::Error{};
  if (!script) return found->second;
  for (const std::string& path : paths_) {
    if (!path.ends_with(".sh") || path == file) continue;
    const bool mentioned = (*script)->bytes().find(text::base_name(path)) != std::string_view::npos;
    if (mentioned) found->second.push_back(path);
  }
  return found->second;
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
                     [this](const std::string& cell) { return keys_.contains(key_of(cell)); });
}

}  // namespace recipelint::app
