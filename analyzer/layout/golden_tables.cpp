#include "analyzer/layout/golden_tables.h"

#include <string>
#include <string_view>

namespace recipelint::layout {
namespace {

constexpr std::string_view kFolder = "golden_al_distribution";

bool is_yaml(std::string_view name) {
  return name.ends_with(".yaml") || name.ends_with(".yml");
}

}  // namespace

std::vector<facts::GoldenTable> golden_tables(const Workspace& workspace, const Site& site) {
  const std::string folder = text::join_path(site.files.root, kFolder);
  text::SourceStore& sources = workspace.sources();
  if (sources.tree().kind(folder) != text::EntryKind::kFolder) {
    return facts::embedded_golden_tables();
  }
  std::vector<facts::GoldenTable> tables;
  for (const text::FolderEntry& entry : sources.tree().list(folder)) {
    if (entry.kind != text::EntryKind::kFile || !is_yaml(entry.name)) continue;
    const auto file = sources.load(text::join_path(folder, entry.name));
    if (!file) continue;
    auto read = facts::read_golden_tables(**file);
    if (!read) continue;
    tables.insert(tables.end(), read->begin(), read->end());
  }
  return tables;
}

}  // namespace recipelint::layout
