#include <fmt/format.h>

#include <algorithm>
#include <map>
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
using layout::RowLaunch;
using layout::Site;
using layout::Target;

constexpr std::string_view kId = "RL5001";

/// A script that does not exist, and the rows that would run it.
struct Missing {
  const Target* target = nullptr;
  /// The primary launcher of the label runs it; otherwise only another family does.
  bool primary = false;
  /// All rows are of an earlier layout, whose launchers may have looked elsewhere.
  bool older = true;
  std::vector<const RowLaunch*> rows;
  std::size_t cells = 0;
};

bool is_missing(const Target& target) {
  return target.kind == Target::Kind::kScript && !target.script_exists &&
         target.script_kind != text::EntryKind::kUnreadable;
}

/// For a launcher without rules of its own the naming is a guess, which one hit must confirm.
bool is_confirmed(const Site& site, const Target& target) {
  if (target.launcher_known) return true;
  return std::any_of(site.rows.begin(), site.rows.end(), [&](const RowLaunch& row) {
    return row.throughput.runner.launcher == target.runner.launcher && row.throughput.script_exists;
  });
}

bool is_older(const Site& site, const RowLaunch& row) {
  return site.matrix[row.first].config->generation == space::Generation::kOlder;
}

std::map<std::string, Missing> missing_scripts(const Site& site) {
  std::map<std::string, Missing> found;
  const auto add = [&](const RowLaunch& row, const Target& target, bool primary) {
    if (!is_missing(target) || !is_confirmed(site, target)) return;
    Missing& missing = found[target.script];
    if (missing.target == nullptr || primary) missing.target = &target;
    missing.primary = missing.primary || primary;
    missing.older = missing.older && is_older(site, row);
    if (!missing.rows.empty() && missing.rows.back() == &row) return;
    missing.rows.push_back(&row);
    missing.cells += row.count;
  };
  for (const RowLaunch& row : site.rows) {
    add(row, row.throughput, true);
    for (const Target& target : row.elsewhere) add(row, target, false);
  }
  return found;
}

/// A script of the same folder whose name begins like that of the missing one: the one with the
/// longest common beginning that reaches beyond model and precision; "" if there is none.
std::string similar_script(const text::FileTree& tree, const std::string& script) {
  const std::string folder(text::parent_path(script));
  const std::string_view name = text::base_name(script);
  const std::size_t model = name.find('_');
  const std::size_t precision = model == std::string_view::npos ? model : name.find('_', model + 1);
  std::size_t longest = precision == std::string_view::npos ? name.size() : precision + 1;
  std::string best;
  for (const text::FolderEntry& entry : tree.list(folder)) {
    if (entry.kind != text::EntryKind::kFile || !entry.name.ends_with(".sh")) continue;
    const auto [end, unused] =
        std::mismatch(name.begin(), name.end(), entry.name.begin(), entry.name.end());
    const auto common = static_cast<std::size_t>(end - name.begin());
    if (common <= longest) continue;
    longest = common;
    best = text::join_path(folder, entry.name);
  }
  return best;
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string message_of(const Missing& missing) {
  const Target& target = *missing.target;
  std::string message = fmt::format("The script '{}' {}, but the launcher '{}' runs it for {}.",
                                    target.script, text::in_words(target.script_kind),
                                    target.runner.launcher, counted(missing.cells, "cell"));
  if (target.candidates.size() > 1) {
    message += fmt::format(" It looks for '{}' first.", target.candidates.front());
  }
  if (!missing.primary) message += " Other launchers of the runner label run another script.";
  return message;
}

Finding finding_of(const Missing& missing, const text::FileTree& tree) {
  const Target& target = *missing.target;
  Finding finding;
  finding.rule = kId;
  const bool sure = target.launcher_known && !missing.older;
  finding.level = !sure ? Level::kNote : missing.primary ? Level::kError : Level::kWarning;
  finding.message = message_of(missing);
  finding.primary = missing.rows.front()->entry->key_span();
  for (const RowLaunch* row : missing.rows) {
    finding.related.push_back({row->row->span(), "this row runs it"});
    finding.cells.emplace_back(row->entry->key);
  }
  std::sort(finding.cells.begin(), finding.cells.end());
  finding.cells.erase(std::unique(finding.cells.begin(), finding.cells.end()), finding.cells.end());
  if (const std::string similar = similar_script(tree, target.script); !similar.empty()) {
    finding.remedies.push_back(
        fmt::format("Change the fields of the row so that the launcher finds '{}'.", similar));
  }
  finding.remedies.push_back(fmt::format("Add '{}'.", target.script));
  finding.remedies.emplace_back("Remove the rows.");
  finding.identity = target.script;
  return finding;
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  for (const Site& site : context.workspace.sites()) {
    for (const auto& [script, missing] : missing_scripts(site)) {
      sink.report(finding_of(missing, context.workspace.sources().tree()));
    }
  }
}

}  // namespace

Rule missing_script() {
  return {kId,
          "missing-script",
          Level::kError,
          Precision::kVeryHigh,
          "A row of the search space runs a script that does not exist.",
          embedded_pages("missing_script.md"),
          run};
}

}  // namespace recipelint::rules
