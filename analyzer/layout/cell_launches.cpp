#include "analyzer/layout/cell_launches.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <span>
#include <utility>

#include "analyzer/launch/recipe/srt_command.h"
#include "analyzer/launch/recognize.h"
#include "analyzer/layout/host_answers.h"
#include "analyzer/layout/script_flows.h"
#include "analyzer/shell/host_script.h"

namespace recipelint::layout {
namespace {

/// Where a script that is run by hand sees the repository.
constexpr std::string_view kWorkspace = "/workspace";

void add_reason(std::vector<Reason>& reasons, Reason reason) {
  if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) {
    reasons.push_back(std::move(reason));
  }
}

void add_unknown_words(const launch::Launch& launch, std::vector<Reason>& reasons) {
  for (const shell::Value& word : launch.argv) {
    for (const shell::Piece& piece : word.pieces()) {
      if (!piece.known) add_reason(reasons, {piece.text, piece.origin.span()});
    }
  }
}

CellLaunches::Status to_status(shell::Evaluation::Outcome outcome) {
  switch (outcome) {
    case shell::Evaluation::Outcome::kComplete:
      return CellLaunches::Status::kComplete;
    case shell::Evaluation::Outcome::kPartial:
      return CellLaunches::Status::kPartial;
    case shell::Evaluation::Outcome::kRejected:
      return CellLaunches::Status::kRejected;
    case shell::Evaluation::Outcome::kMissing:
      return CellLaunches::Status::kMissing;
  }
  return CellLaunches::Status::kMissing;
}

/// The last line that it printed, without blanks around it.
std::string printed_in_words(const shell::WorldEnd& end) {
  constexpr std::string_view kBlanks = " \t\r\n";
  constexpr std::size_t kLongest = 200;
  const std::string_view text = end.printed;
  const auto last = text.find_last_not_of(kBlanks);
  if (last == std::string_view::npos) return {};
  const auto line_break = text.rfind('\n', last);
  const auto begin =
      text.find_first_not_of(kBlanks, line_break == std::string_view::npos ? 0 : line_break);
  return std::string(text.substr(begin, std::min(last + 1 - begin, kLongest)));
}

std::string end_in_words(const shell::WorldEnd& end) {
  if (!end.reason.empty()) return end.reason;
  if (!end.status.known) return end.status.cause;
  const std::string said = printed_in_words(end);
  return said.empty() ? fmt::format("exit status {}", end.status.value)
                      : fmt::format("exit status {} after printing '{}'", end.status.value, said);
}

void explain(const shell::Evaluation& evaluation, CellLaunches& result) {
  for (const launch::Launch& launch : result.launches) add_unknown_words(launch, result.reasons);
  for (const shell::Diagnostic& diagnostic : evaluation.diagnostics) {
    const bool cut_short = diagnostic.kind == shell::DiagnosticKind::kLimit ||
                           diagnostic.kind == shell::DiagnosticKind::kUnparsed ||
                           diagnostic.kind == shell::DiagnosticKind::kUnmodelled;
    if (!cut_short) continue;
    add_reason(result.reasons, {diagnostic.message, diagnostic.span});
    if (result.status == CellLaunches::Status::kComplete) {
      result.status = CellLaunches::Status::kPartial;
    }
  }
  if (result.status != CellLaunches::Status::kRejected) return;
  for (const shell::WorldEnd& end : evaluation.ends) {
    add_reason(result.reasons, {end_in_words(end), end.span});
  }
}

/// An exit that the script wants, not one that something forces.
bool is_deliberate(const shell::WorldEnd& end) {
  return end.span.valid() && end.reason.empty() && end.status.known;
}

const shell::CommandUse* find_command(const shell::Evaluation& evaluation,
                                      std::span<const std::string_view> names) {
  const auto found = std::find_if(
      evaluation.commands.begin(), evaluation.commands.end(), [&](const auto& command) {
        return std::find(names.begin(), names.end(), command.name) != names.end();
      });
  return found == evaluation.commands.end() ? nullptr : &*found;
}

/// What takes the servers to other machines, or out of sight.
const shell::CommandUse* find_submission(const shell::Evaluation& evaluation) {
  constexpr std::array<std::string_view, 4> kSubmitters = {"sbatch", "srun", "ssh", "kubectl"};
  constexpr std::array<std::string_view, 1> kScripts = {shell::kHostScript};
  const shell::CommandUse* submission = find_command(evaluation, kSubmitters);
  return submission != nullptr ? submission : find_command(evaluation, kScripts);
}

/// A row that runs on several nodes wants servers. A script that starts none which could be found
/// hands over to something that is not evaluated, unless it says itself that it ends.
void note_missing_servers(const shell::Evaluation& evaluation, CellLaunches& result) {
  const bool judged = result.status == CellLaunches::Status::kComplete ||
                      result.status == CellLaunches::Status::kPartial;
  if (!judged || std::any_of(result.launches.begin(), result.launches.end(), launch::is_server)) {
    return;
  }
  const shell::CommandUse* submission = find_submission(evaluation);
  const bool ends = submission == nullptr &&
                    std::all_of(evaluation.ends.begin(), evaluation.ends.end(), is_deliberate);
  if (ends) return;
  result.status = CellLaunches::Status::kPartial;
  if (submission != nullptr) {
    add_reason(result.reasons, {fmt::format("what {} starts is not evaluated", submission->name),
                                submission->span});
  } else {
    add_reason(result.reasons, {"no server that the script starts was found", {}});
  }
}

/// Whether a cell that starts no server can be as it should.
enum class Servers { kMayBeMissing, kExpected };

CellLaunches to_launches(shell::Evaluation evaluation, Servers servers) {
  CellLaunches result;
  result.status = to_status(evaluation.outcome);
  result.launches = launch::launches_of(evaluation);
  result.installs = launch::installs_of(evaluation);
  explain(evaluation, result);
  if (servers == Servers::kExpected) note_missing_servers(evaluation, result);
  result.files = std::move(evaluation.files);
  result.diagnostics = std::move(evaluation.diagnostics);
  result.steps = evaluation.steps;
  return result;
}

bool lacks_sourced_file(const CellLaunches& launches) {
  return std::any_of(launches.diagnostics.begin(), launches.diagnostics.end(),
                     [](const shell::Diagnostic& diagnostic) {
                       return diagnostic.kind == shell::DiagnosticKind::kMissingSource;
                     });
}

/// Launchers that keep models in folders of their own say so in MODEL_PATH.
ModelFolder model_folder(const space::MatrixRow& row, const LaunchPlan& plan) {
  const auto path = plan.environment.find("MODEL_PATH");
  if (path == plan.environment.end() || !path->second.is_known()) return {};
  return {path->second.text(), std::string(row.entry->model.value_or(""))};
}

/// The path as the launcher writes it behind "bash", relative to the repository.
std::string path_below(const std::string& root, const std::string& path) {
  return root.empty() ? path : path.substr(root.size() + 1);
}

/// A matrix row by its row and first concurrency.
using RowPoint = std::pair<const space::Row*, std::int64_t>;

std::set<RowPoint> evaluated_rows(const Site& site) {
  std::set<RowPoint> rows;
  for (const space::MatrixRow& row : site.eval_rows) {
    rows.emplace(row.row, row.concurrencies.front().value);
  }
  return rows;
}

}  // namespace

std::string_view to_string(CellLaunches::Status status) {
  switch (status) {
    case CellLaunches::Status::kComplete:
      return "complete";
    case CellLaunches::Status::kPartial:
      return "partial";
    case CellLaunches::Status::kRejected:
      return "rejected";
    case CellLaunches::Status::kMissing:
      return "missing";
  }
  return "";
}

CellLaunches CellEvaluator::evaluate(const Site& site, const Cell& cell,
                                     text::OriginPool& pool) const {
  const Target& target = site.row_of(cell.matrix_row).target(cell.mode);
  switch (target.kind) {
    case Target::Kind::kScript: {
      text::OriginInterner origins(pool);
      shell::SharedEvaluations evaluations;
      return evaluate_script(site, cell, workspace_.plan(site, cell, pool), origins, evaluations);
    }
    case Target::Kind::kRecipe:
      return submit_recipe(site, cell, target, pool);
    case Target::Kind::kRejected: {
      CellLaunches result;
      result.status = CellLaunches::Status::kRejected;
      result.reasons.push_back({target.rejected, {}});
      return result;
    }
    case Target::Kind::kNothing:
      break;
  }
  CellLaunches result;
  result.status = CellLaunches::Status::kMissing;
  return result;
}

CellLaunches CellEvaluator::evaluate(const Site& site, const Cell& cell, const LaunchPlan& plan,
                                     text::OriginInterner& origins,
                                     shell::SharedEvaluations& evaluations) const {
  return evaluate_script(site, cell, plan, origins, evaluations);
}

std::string CellEvaluator::likeness(const Site& site, const Cell& cell, const LaunchPlan& plan) {
  const ModelFolder folder = model_folder(site.matrix[cell.matrix_row], plan);
  // No path of a repository has a NUL byte.
  std::string text = site.files.root;
  for (const std::string& part :
       {site.row_of(cell.matrix_row).target(cell.mode).script, folder.path, folder.model}) {
    text += '\0';
    text += part;
  }
  for (const std::string& mount : site.profile->folders.mounts) {
    text += '\0';
    text += mount;
  }
  return text;
}

CellLaunches CellEvaluator::evaluate_script(const Site& site, const Cell& cell,
                                            const LaunchPlan& plan, text::OriginInterner& origins,
                                            shell::SharedEvaluations& evaluations) const {
  const Target& target = site.row_of(cell.matrix_row).target(cell.mode);
  CellLaunches result;
  if (target.script_exists || target.script_kind == text::EntryKind::kUnreadable) {
    const auto file = scripts_.files().load(target.script);
    if (!file) {
      result.status = CellLaunches::Status::kPartial;
      result.reasons.push_back({file.error().message, {}});
      return result;
    }
  } else {
    result.status = CellLaunches::Status::kMissing;
    const std::string cause =
        target.script_kind == text::EntryKind::kMissing
            ? fmt::format("no script '{}'", target.script)
            : fmt::format("'{}' {}", target.script, text::in_words(target.script_kind));
    result.reasons.push_back({cause, {}});
    return result;
  }
  const bool on_several_nodes = site.matrix[cell.matrix_row].multi_node();
  return to_launches(run_script(site, cell, plan, input_for(target.script, plan.environment),
                                origins, evaluations),
                     on_several_nodes ? Servers::kExpected : Servers::kMayBeMissing);
}

shell::Evaluation CellEvaluator::run_script(const Site& site, const Cell& cell,
                                            const LaunchPlan& plan, shell::EvaluationInput input,
                                            text::OriginInterner& origins,
                                            shell::SharedEvaluations& evaluations) const {
  const HostAnswers host(models_, model_folder(site.matrix[cell.matrix_row], plan));
  input.host = &host;
  input.invoked_as = path_below(site.files.root, input.script);
  const std::vector<std::string>& mounts = site.profile->folders.mounts;
  input.working_directory = mounts.front();
  for (const std::string& path : mounts) input.mounts.push_back({path, site.files.root});
  shell::Evaluation evaluation = evaluations.evaluate(input, origins);
  const Target& target = site.row_of(cell.matrix_row).target(cell.mode);
  const bool is_known = target.launcher_known && site.matrix[cell.matrix_row].config->generation !=
                                                     space::Generation::kOlder;
  if (flows_ != nullptr) flows_->add(input, evaluation, is_known);
  return evaluation;
}

std::optional<shell::Evaluation> CellEvaluator::trace(const Site& site, const Cell& cell,
                                                      const LaunchPlan& plan,
                                                      text::OriginInterner& origins,
                                                      shell::SharedEvaluations& evaluations) const {
  const Target& target = site.row_of(cell.matrix_row).target(cell.mode);
  if (!target.script_exists || !scripts_.files().load(target.script)) return std::nullopt;
  shell::EvaluationInput input = input_for(target.script, plan.environment);
  input.wanted = nullptr;
  return run_script(site, cell, plan, std::move(input), origins, evaluations);
}

shell::EvaluationInput CellEvaluator::input_for(const std::string& script,
                                                const Variables& environment) const {
  shell::EvaluationInput input;
  input.scripts = &scripts_;
  input.script = script;
  for (const auto& [name, value] : environment) input.environment.push_back({name, value});
  input.wanted = [](std::span<const shell::Value> argv) {
    return launch::recognize(argv).has_value();
  };
  input.noted = launch::is_install;
  return input;
}

CellLaunches CellEvaluator::evaluate(const BareScript& script, text::OriginPool& pool) const {
  CellLaunches result = evaluate_in("", script, pool);
  const std::string folder(text::parent_path(script.target.script));
  if (folder.empty() || !lacks_sourced_file(result)) return result;
  CellLaunches other = evaluate_in(folder, script, pool);
  return lacks_sourced_file(other) ? result : other;
}

CellLaunches CellEvaluator::evaluate_in(const std::string& folder, const BareScript& script,
                                        text::OriginPool& pool) const {
  const std::string& path = script.target.script;
  shell::EvaluationInput input = input_for(path, given_variables(*script.run, pool));
  const HostAnswers host(models_);
  input.host = &host;
  input.absent = shell::EvaluationInput::Absent::kUnknown;
  input.invoked_as = path_below(folder, path);
  input.mounts = {{std::string(kWorkspace), ""}};
  input.working_directory = text::join_path(kWorkspace, folder);
  text::OriginInterner origins(pool);
  shell::Evaluation evaluation = shell::evaluate(input, origins);
  if (flows_ != nullptr) flows_->add(input, evaluation, false);
  return to_launches(std::move(evaluation), Servers::kMayBeMissing);
}

CellLaunches CellEvaluator::evaluate(const RecipeRun& run, text::OriginPool& pool) const {
  CellLaunches result;
  result.launches = launch::recipe::srt_launches(*run.variant, {}, pool);
  for (const launch::Launch& launch : result.launches) add_unknown_words(launch, result.reasons);
  if (result.launches.empty()) {
    result.reasons.push_back({"the recipe starts no worker", run.variant->root.span()});
  }
  if (!result.reasons.empty()) result.status = CellLaunches::Status::kPartial;
  return result;
}

CellLaunches CellEvaluator::submit_recipe(const Site& site, const Cell& cell, const Target& target,
                                          text::OriginPool& pool) const {
  CellLaunches result;
  for (std::vector<launch::Launch>& variant : workspace_.recipe_launches(site, cell, pool)) {
    std::move(variant.begin(), variant.end(), std::back_inserter(result.launches));
  }
  if (target.recipe.place == RecipePlace::kUnreadable) {
    result.status = CellLaunches::Status::kPartial;
    result.reasons.push_back(
        {fmt::format("recipe '{}' may not be read", target.recipe.path), target.recipe.span});
    return result;
  }
  if (result.launches.empty()) {
    result.status = CellLaunches::Status::kMissing;
    result.reasons.push_back(
        {fmt::format("recipe '{}' is not in this repository", target.recipe.name),
         target.recipe.span});
    return result;
  }
  for (const launch::Launch& launch : result.launches) add_unknown_words(launch, result.reasons);
  if (!result.reasons.empty()) result.status = CellLaunches::Status::kPartial;
  return result;
}

std::vector<Cell> cells_of(const Site& site, Mode mode) {
  std::vector<Cell> cells;
  const bool selects = mode == Mode::kEval;
  const std::set<RowPoint> selected = selects ? evaluated_rows(site) : std::set<RowPoint>();
  for (std::size_t i = 0; i < site.matrix.size(); ++i) {
    const space::MatrixRow& row = site.matrix[i];
    if (selects && !selected.contains({row.row, row.concurrencies.front().value})) continue;
    for (std::size_t c = 0; c < row.concurrencies.size(); ++c) cells.push_back({i, c, mode});
  }
  return cells;
}

}  // namespace recipelint::layout
