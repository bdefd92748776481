#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/layout/workspace.h"
#include "analyzer/text/file_tree.h"
#include "rules/pages.h"
#include "rules/references/references.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using layout::Mode;
using layout::RecipePlace;
using layout::RecipeReference;
using layout::RowLaunch;
using layout::Site;
using layout::Target;

constexpr std::string_view kId = "RL5002";

/// References to one recipe file, or to files of one upstream version.
struct References {
  std::vector<const RecipeReference*> references;
  std::vector<std::string> keys;
  std::set<std::string> names;
};

void finish(Finding& finding, References& found) {
  std::sort(found.keys.begin(), found.keys.end());
  found.keys.erase(std::unique(found.keys.begin(), found.keys.end()), found.keys.end());
  finding.cells = std::move(found.keys);
  finding.primary = found.references.front()->span;
}

Finding missing_file(const std::string& path, const text::FileTree& tree, References& found) {
  const RecipeReference& first = *found.references.front();
  Finding finding;
  finding.rule = kId;
  finding.level = Level::kError;
  finding.message = fmt::format("The recipe file '{}' {}.", path, text::in_words(tree.kind(path)));
  if (first.name != path) {
    finding.message += fmt::format(
        " The launcher copies that folder of this repository to where it reads '{}'.", first.name);
  }
  for (std::size_t i = 1; i < found.references.size(); ++i) {
    finding.related.push_back({found.references[i]->span, "named here as well"});
  }
  finding.remedies = {fmt::format("Add '{}'.", path), "Name a recipe that exists.",
                      "Remove the rows."};
  finding.identity = path;
  finish(finding, found);
  return finding;
}

Finding upstream_files(const std::string& checkout, References& found) {
  const std::size_t count = found.names.size();
  Finding finding;
  finding.rule = kId;
  finding.level = Level::kNote;
  finding.message = fmt::format(
      "{} recipe file{} not in this repository, so what {} cannot be checked: the launcher takes "
      "{} from {}.",
      count, count == 1 ? " is" : "s are", count == 1 ? "it launches" : "they launch",
      count == 1 ? "it" : "them", checkout.empty() ? "elsewhere" : fmt::format("'{}'", checkout));
  finding.remedies = {
      "Check that version out and name its folder with '--recipe-path DIR'.",
      "Keep the recipes in this repository, where a change of them can be reviewed."};
  finding.identity = "upstream " + checkout;
  finish(finding, found);
  return finding;
}

Finding no_recipe(const Site& site, const RowLaunch& row) {
  const bool older = site.matrix[row.first].config->generation == space::Generation::kOlder;
  Finding finding;
  finding.rule = kId;
  finding.level = older ? Level::kNote : Level::kError;
  finding.message = fmt::format(
      "The row names no recipe file: the launcher '{}' reads {} from additional-settings, which do "
      "not have it.",
      row.throughput.runner.launcher, row.throughput.recipe.rule->setting);
  finding.primary = row.row->span();
  finding.cells = {std::string(row.entry->key)};
  finding.remedies = {
      fmt::format("Add \"{}=recipes/<file>.yaml\" to the additional-settings of "
                  "prefill.",
                  row.throughput.recipe.rule->setting)};
  finding.identity = row.throughput.recipe.rule->setting;
  return finding;
}

/// Throughput mode, and eval mode where it names another file.
std::vector<const RecipeReference*> references_of(const RowLaunch& row) {
  std::vector<const RecipeReference*> references = {&row.throughput.recipe};
  if (row.eval.recipe.written != row.throughput.recipe.written) {
    references.push_back(&row.eval.recipe);
  }
  return references;
}

void check_site(const Site& site, const text::FileTree& tree, findings::FindingSink& sink) {
  std::map<std::string, References> missing;
  std::map<std::string, References> upstream;
  for (const RowLaunch& row : site.rows) {
    const Target& target = row.throughput;
    if (target.kind == Target::Kind::kRejected && target.recipe.rule != nullptr) {
      sink.report(no_recipe(site, row));
    }
    for (const RecipeReference* reference : references_of(row)) {
      const bool is_missing = reference->place == RecipePlace::kMissing;
      if (!is_missing && reference->place != RecipePlace::kUpstream) continue;
      References& found = is_missing ? missing[reference->path] : upstream[reference->checkout];
      found.references.push_back(reference);
      found.keys.emplace_back(row.entry->key);
      found.names.insert(reference->name);
    }
  }
  for (auto& [path, found] : missing) sink.report(missing_file(path, tree, found));
  for (auto& [checkout, found] : upstream) sink.report(upstream_files(checkout, found));
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  for (const Site& site : context.workspace.sites()) {
    check_site(site, context.workspace.sources().tree(), sink);
  }
}

}  // namespace

Rule missing_recipe_file() {
  return {kId,
          "missing-recipe-file",
          Level::kError,
          Precision::kHigh,
          "A row names a recipe file or variant that does not exist, or that lies outside of the "
          "repository.",
          embedded_pages("missing_recipe_file.md"),
          run};
}

}  // namespace recipelint::rules
