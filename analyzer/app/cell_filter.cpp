#include "analyzer/app/cell_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ostream>

#include "analyzer/space/key_pattern.h"

namespace recipelint::app {

text::Result<CellFilter> CellFilter::make(const SharedOptions& options) {
  CellFilter filter;
  filter.keys_ = options.keys;
  for (const std::string& field : options.cell) {
    const auto equals = field.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return text::Error{
          fmt::format("--cell '{}' is no FIELD=VALUE; write for example conc=64,tp=8", field), {}};
    }
    filter.fields_.emplace_back(field.substr(0, equals), field.substr(equals + 1));
  }
  return filter;
}

bool CellFilter::accepts_key(std::string_view key) const {
  return keys_.empty() || std::any_of(keys_.begin(), keys_.end(), [&](const std::string& glob) {
           return space::matches_glob(glob, key);
         });
}

bool CellFilter::accepts(const space::MatrixRow& row, std::size_t concurrency) const {
  if (!accepts_key(row.entry->key)) return false;
  const layout::RowFields fields(row, concurrency);
  return accepts_fields([&](const std::string& name) { return fields.find(name); });
}

bool CellFilter::accepts(const layout::RecipeCell& cell) const {
  return accepts_key(cell.run->key) &&
         accepts_fields([&](const std::string& name) { return cell.field(name); });
}

template <typename Find>
bool CellFilter::accepts_fields(const Find& find) const {
  return std::all_of(fields_.begin(), fields_.end(), [&](const auto& wanted) {
    const auto field = find(wanted.first);
    return field && field->text == wanted.second;
  });
}

bool CellFilter::accepts_any(const space::MatrixRow& row) const {
  for (std::size_t i = 0; i < row.concurrencies.size(); ++i) {
    if (accepts(row, i)) return true;
  }
  return false;
}

std::vector<std::string> keys_that_match_nothing(const SharedOptions& options,
                                                 const layout::Workspace& workspace) {
  const auto matches = [&](const std::string& glob) {
    for (const layout::Site& site : workspace.sites()) {
      for (const space::MasterConfig& master : site.space.masters) {
        const bool found = std::any_of(
            master.entries.begin(), master.entries.end(),
            [&](const space::Entry& entry) { return space::matches_glob(glob, entry.key); });
        if (found) return true;
      }
    }
    return std::any_of(
        workspace.recipe_runs().begin(), workspace.recipe_runs().end(),
        [&](const layout::RecipeRun& run) { return space::matches_glob(glob, run.key); });
  };
  std::vector<std::string> globs;
  std::copy_if(options.keys.begin(), options.keys.end(), std::back_inserter(globs),
               [&](const std::string& glob) { return !matches(glob); });
  return globs;
}

void say_which_keys_match_nothing(const SharedOptions& options, const layout::Workspace& workspace,
                                  std::ostream& out) {
  for (const std::string& glob : keys_that_match_nothing(options, workspace)) {
    out << fmt::format("recipelint: no key matches --keys '{}'\n", glob);
  }
}

}  // namespace recipelint::app
