#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/layout/workspace.h"
#include "rules/cell_diagnostics.h"
#include "rules/pages.h"
#include "rules/shell/shell_flow.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using layout::CellLaunches;
using layout::Diagnostic;
using layout::DiagnosticKind;
using layout::EvaluatedCell;
using layout::Reason;
using layout::RowLaunch;
using layout::Site;
using layout::Target;

constexpr std::string_view kId = "RL6005";

/// Cells that end in the same way.
struct Refusal {
  const CellLaunches* launches = nullptr;
  std::vector<const EvaluatedCell*> cells;
};

// Other rules report these, at the same place.
bool has_rule_of_its_own(DiagnosticKind kind) {
  constexpr std::array kKinds = {
      DiagnosticKind::kMissingSource,    DiagnosticKind::kUnsetVariable,
      DiagnosticKind::kRequiredVariable, DiagnosticKind::kArithmetic,
      DiagnosticKind::kIntegerExpected,  DiagnosticKind::kCommandNotFound};
  return std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end();
}

bool is_explained(const CellLaunches& launches) {
  return std::any_of(
      launches.diagnostics.begin(), launches.diagnostics.end(), [&](const Diagnostic& diagnostic) {
        return has_rule_of_its_own(diagnostic.kind) && explains_end(diagnostic, launches);
      });
}

bool is_refused(const EvaluatedCell& cell) {
  const CellLaunches& launches = *cell.launches;
  return cell.row() != nullptr && ends_for_certain(launches) && !launches.reasons.empty() &&
         cell.target().kind == Target::Kind::kScript && !is_explained(launches);
}

std::string place_text(const text::Span& span) {
  if (!span.valid()) return {};
  return fmt::format("{}:{}", span.file->path(), span.file->position(span.begin).line);
}

/// Script and ways to end.
std::string group_of(const EvaluatedCell& cell) {
  std::string key = cell.target().script;
  for (const Reason& reason : cell.launches->reasons) {
    key += fmt::format("\n{} {}", place_text(reason.span), reason.cause);
  }
  return key;
}

Finding finding_of(const Refusal& refusal) {
  const EvaluatedCell& first = *refusal.cells.front();
  const Reason& reason = refusal.launches->reasons.front();
  const bool is_sure =
      std::any_of(refusal.cells.begin(), refusal.cells.end(),
                  [](const EvaluatedCell* cell) { return knows_environment(*cell); });
  Finding finding;
  finding.rule = kId;
  finding.level = is_sure ? Level::kError : Level::kNote;
  finding.message = fmt::format(
      "The script '{}' ends with an error for {} cell{} of its own before it starts anything: {}.",
      first.target().script, refusal.cells.size(), refusal.cells.size() == 1 ? "" : "s",
      reason.cause);
  finding.primary = reason.span.valid() ? reason.span : first.row()->row->span();
  for (std::size_t i = 1; i < refusal.launches->reasons.size(); ++i) {
    const Reason& other = refusal.launches->reasons[i];
    if (other.span.valid()) finding.related.push_back({other.span, "or here: " + other.cause});
  }
  const space::Row* previous = nullptr;
  for (const EvaluatedCell* cell : refusal.cells) {
    const space::Row* row = cell->row()->row;
    if (row != previous) finding.related.push_back({row->span(), "a cell of this row"});
    previous = row;
    finding.cells.push_back(cell->name());
  }
  make_set(finding.cells);
  finding.remedies = {"Let the script serve these cells.",
                      "Remove the cells from the search space."};
  finding.identity = first.target().script + " " + reason.cause;
  return finding;
}

/// The field of a row that its launcher refuses and does not know: its value does not even occur in
/// the launcher's text. What is known about launchers can be older than they are, so that this is
/// asked of the launcher itself. Null if there is none.
const space::String* unknown_to_launcher(const Site& site, const RowLaunch& row,
                                         text::SourceStore& sources) {
  const auto file = sources.load(text::join_path(
      site.files.root, site.profile->folders.launcher_path(row.throughput.runner.launcher)));
  if (!file) return nullptr;
  for (const space::String* field :
       {&row.entry->model_prefix, &row.entry->framework, &row.entry->precision}) {
    const std::string_view value = field->value_or("");
    const bool is_reason =
        row.throughput.rejected.find(fmt::format("'{}'", value)) != std::string::npos;
    if (is_reason && (*file)->bytes().find(value) == std::string_view::npos) return field;
  }
  return nullptr;
}

bool is_refused_by_launcher(const Site& site, const RowLaunch& row) {
  const Target& target = row.throughput;
  return target.kind == Target::Kind::kRejected && target.recipe.rule == nullptr &&
         target.launcher_known &&
         site.matrix[row.first].config->generation != space::Generation::kOlder;
}

void check_launchers(const Site& site, text::SourceStore& sources, findings::FindingSink& sink) {
  const space::Entry* previous = nullptr;
  for (const RowLaunch& row : site.rows) {
    if (row.entry == previous || !is_refused_by_launcher(site, row)) continue;
    const space::String* field = unknown_to_launcher(site, row, sources);
    if (field == nullptr) continue;
    previous = row.entry;
    const std::string& launcher = row.throughput.runner.launcher;
    Finding finding;
    finding.rule = kId;
    finding.level = Level::kWarning;
    finding.message = fmt::format(
        "The launcher '{}' ends with an error for this key: {}. '{}' does not occur in it.",
        launcher, row.throughput.rejected, **field);
    finding.primary = field->span();
    finding.cells = {std::string(row.entry->key)};
    finding.remedies = {fmt::format("Write a name that the launcher '{}' knows.", launcher),
                        "Teach it to the launcher."};
    finding.identity = launcher + " " + std::string(**field);
    sink.report(std::move(finding));
  }
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  for (const Site& site : context.workspace.sites()) {
    check_launchers(site, context.workspace.sources(), sink);
  }
  std::map<std::string, Refusal> refusals;
  for (const EvaluatedCell& cell : context.cells.all()) {
    if (!is_refused(cell)) continue;
    Refusal& refusal = refusals[group_of(cell)];
    if (refusal.launches == nullptr) refusal.launches = cell.launches;
    refusal.cells.push_back(&cell);
  }
  for (const auto& [group, refusal] : refusals) sink.report(finding_of(refusal));
}

}  // namespace

Rule cell_refused() {
  return {
      kId,
      "cell-refused",
      Level::kError,
      Precision::kHigh,
      "A script ends with an error for one of the cells that run it, or the launcher for a key.",
      embedded_pages("cell_refused.md"),
      run};
}

}  // namespace recipelint::rules
