#include "analyzer/layout/field_trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "analyzer/layout/environment.h"
#include "analyzer/text/source_store.h"

namespace recipelint::layout {
namespace {

/// More than any entry of a benchmark has; bounds the work that hostile input makes.
constexpr std::size_t kMostCells = 128;
constexpr std::size_t kMostValues = 8;

constexpr std::string_view kPrefill = "prefill.";
constexpr std::string_view kDecode = "decode.";

void copy_worker_field(std::string_view field, const space::Field<space::Worker>& from,
                       space::Field<space::Worker>& to) {
  if (!from.value || !to.value) return;
  if (field == "num-worker") to.value->num_worker = from->num_worker;
  if (field == "tp") to.value->tp = from->tp;
  if (field == "pp") to.value->pp = from->pp;
  if (field == "dcp-size") to.value->dcp_size = from->dcp_size;
  if (field == "pcp-size") to.value->pcp_size = from->pcp_size;
  if (field == "ep") to.value->ep = from->ep;
  if (field == "dp-attn") to.value->dp_attn = from->dp_attn;
}

/// Copies one field from a row to another, absent or not.
void copy_field(std::string_view field, const space::Row& from, space::Row& to) {
  if (field.starts_with(kPrefill)) {
    return copy_worker_field(field.substr(kPrefill.size()), from.prefill, to.prefill);
  }
  if (field.starts_with(kDecode)) {
    return copy_worker_field(field.substr(kDecode.size()), from.decode, to.decode);
  }
  if (field == "tp") to.tp = from.tp;
  if (field == "pp") to.pp = from.pp;
  if (field == "dcp-size") to.dcp_size = from.dcp_size;
  if (field == "pcp-size") to.pcp_size = from.pcp_size;
  if (field == "ep") to.ep = from.ep;
  if (field == "dp-attn") to.dp_attn = from.dp_attn;
  if (field == "spec-decoding") to.spec_decoding = from.spec_decoding;
  if (field == "kv-offloading") to.kv_offloading = from.kv_offloading;
  if (field == "kv-offload-backend.name") to.kv_offload_backend = from.kv_offload_backend;
}

/// A row without the field is a row as well, but for those that every row needs or that come with
/// another one.
bool can_be_absent(std::string_view field) {
  const bool is_of_worker = field.starts_with(kPrefill) || field.starts_with(kDecode);
  if (is_of_worker) {
    return field.ends_with(".pp") || field.ends_with(".dcp-size") || field.ends_with(".pcp-size");
  }
  return field != "tp" && field != "kv-offloading" && field != "kv-offload-backend.name";
}

std::optional<std::string> text_of(const EvaluatedCell& cell, std::string_view field) {
  const auto found = cell.field(field);
  if (!found) return std::nullopt;
  return found->text;
}

/// A text that is glued from what comes from several places names the run: it is not the field.
bool names_the_run(const shell::Value& value) {
  std::set<std::pair<const text::SourceFile*, std::size_t>> places;
  for (const shell::Piece& piece : value.pieces()) {
    const text::Span span = piece.origin.span();
    if (span.valid()) places.emplace(span.file, span.begin);
  }
  return places.size() > 1;
}

bool same_words(const std::vector<shell::Value>& a, const std::vector<shell::Value>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), shell::same_text);
}

bool same_launch(const launch::Launch& a, const launch::Launch& b) {
  const auto same_variable = [](const auto& x, const auto& y) {
    return x.first == y.first && shell::same_text(x.second, y.second);
  };
  const auto same_file = [](const launch::ConfigFile& x, const launch::ConfigFile& y) {
    return x.path == y.path && shell::same_text(x.content, y.content);
  };
  return a.program == b.program && a.certain == b.certain && same_words(a.argv, b.argv) &&
         std::equal(a.environment.begin(), a.environment.end(), b.environment.begin(),
                    b.environment.end(), same_variable) &&
         std::equal(a.config_files.begin(), a.config_files.end(), b.config_files.begin(),
                    b.config_files.end(), same_file);
}

bool same_launches(const CellLaunches& a, const CellLaunches& b) {
  return a.status == b.status && std::equal(a.launches.begin(), a.launches.end(),
                                            b.launches.begin(), b.launches.end(), same_launch);
}

bool same_files(const shell::Shared<shell::VirtualFiles>& a,
                const shell::Shared<shell::VirtualFiles>& b) {
  if (!a || !b) return !a == !b;
  return std::equal(a->begin(), a->end(), b->begin(), b->end(), [](const auto& x, const auto& y) {
    return x.first == y.first && x.second->kind == y.second->kind &&
           shell::same_text(x.second->content, y.second->content);
  });
}

bool same_traces(const shell::Evaluation& a, const shell::Evaluation& b) {
  if (a.outcome != b.outcome || a.certain != b.certain) return false;
  return std::equal(a.executions.begin(), a.executions.end(), b.executions.begin(),
                    b.executions.end(), [](const auto& x, const auto& y) {
                      return shell::same_execution(*x, *y) &&
                             x->removed_environment == y->removed_environment &&
                             same_files(x->files, y->files);
                    });
}

/// Why the evaluation says nothing about what the field does; empty if it does.
std::string cause_of_doubt(const CellLaunches& launches) {
  for (const Diagnostic& diagnostic : launches.diagnostics) {
    if (diagnostic.kind == DiagnosticKind::kLimit || diagnostic.kind == DiagnosticKind::kUnparsed ||
        diagnostic.kind == DiagnosticKind::kUnmodelled) {
      return diagnostic.message;
    }
  }
  const bool serves = std::any_of(
      launches.launches.begin(), launches.launches.end(), [](const launch::Launch& launch) {
        return launch.certain && launch.role != launch::Role::kRouter &&
               launch.role != launch::Role::kClient && launch.role != launch::Role::kCompanion;
      });
  return serves ? std::string() : std::string("what the script starts");
}

bool is_part_of_a_name(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Whether the name stands in the text, not only as a piece of a longer one.
bool mentions(std::string_view text, std::string_view name) {
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || !is_part_of_a_name(text[at - 1]);
    if (begins && (end == text.size() || !is_part_of_a_name(text[end]))) return true;
  }
  return false;
}

}  // namespace

/// What trials of cells that run one script have in common: most of them go the same way.
struct FieldTrials::Family {
  const Site* site = nullptr;
  std::string script;
  text::OriginPool pool;
  text::OriginInterner origins{pool};
  /// By CellEvaluator::likeness().
  std::map<std::string, shell::SharedEvaluations> launches;
  std::map<std::string, shell::SharedEvaluations> traces;
  /// Of rows as they are.
  std::map<const EvaluatedCell*, LaunchPlan> plans;
};

/// A cell whose row has another value of the field.
struct FieldTrials::Change {
  const EvaluatedCell* cell = nullptr;
  /// What the launcher would do; its environment differs in the field alone.
  LaunchPlan plan;
  std::set<std::string> variables;
};

struct FieldTrials::Comparison {
  FieldTrials& trials;
  Family& family;
  std::string_view field;
  std::span<const EvaluatedCell* const> cells;
  FieldTrial trial;

  std::vector<const space::Row*> values() const;
  const LaunchPlan& plan_of(const EvaluatedCell& cell) const;
  std::optional<Change> change(const EvaluatedCell& cell, const space::Row& value) const;
  bool launches_differ(const Change& change) const;
  std::optional<shell::Evaluation> trace(const EvaluatedCell& cell, const LaunchPlan& plan) const;
  bool traces_differ(const Change& change);
  bool helper_reads(const Change& change, const shell::Evaluation& trace) const;
  bool file_mentions(const std::string& path, const Change& change) const;
  bool decides_launcher(const Change& change) const;
  void run();
};

/// A row, or worker, without any field.
space::Row row_without_fields() {
  space::Row row;
  row.prefill.value.emplace();
  row.decode.value.emplace();
  return row;
}

/// One row for each value that the field has, and one that has none.
std::vector<const space::Row*> FieldTrials::Comparison::values() const {
  static const space::Row kAbsent = row_without_fields();
  std::map<std::string, const space::Row*> by_text;
  for (const EvaluatedCell* cell : cells) {
    if (const auto text = text_of(*cell, field)) by_text.emplace(*text, cell->row()->row);
  }
  std::vector<const space::Row*> rows;
  for (const auto& [text, row] : by_text) rows.push_back(row);
  if (can_be_absent(field)) rows.push_back(&kAbsent);
  return rows;
}

const LaunchPlan& FieldTrials::Comparison::plan_of(const EvaluatedCell& cell) const {
  const auto [plan, added] = family.plans.try_emplace(&cell);
  if (added) plan->second = trials.workspace_.plan(*cell.site, cell.cell, family.pool);
  return plan->second;
}

/// Nullopt if the row has that value already.
std::optional<FieldTrials::Change> FieldTrials::Comparison::change(const EvaluatedCell& cell,
                                                                   const space::Row& value) const {
  space::Row row = *cell.row()->row;
  copy_field(field, value, row);
  space::MatrixRow matrix_row = *cell.row();
  matrix_row.row = &row;
  const RowFields changed(matrix_row, cell.cell.concurrency);
  const auto before = text_of(cell, field);
  const auto after = changed.find(field);
  if (!before || (after && after->text == *before)) return std::nullopt;

  Change result;
  result.cell = &cell;
  const Runner& runner = cell.site->row_of(cell.cell.matrix_row).throughput.runner;
  result.plan = plan_launch(*cell.site->profile, runner, changed, cell.cell.mode, family.pool);
  const LaunchPlan& original = plan_of(cell);
  for (auto& [name, variable] : result.plan.environment) {
    const auto old = original.environment.find(name);
    if (old == original.environment.end()) continue;
    if (shell::same_text(variable, old->second)) continue;
    if (names_the_run(old->second)) {
      variable = old->second;
    } else {
      result.variables.insert(name);
    }
  }
  return result;
}

bool FieldTrials::Comparison::decides_launcher(const Change& change) const {
  return change.plan.rejected || change.plan.scripts != change.cell->target().candidates;
}

bool FieldTrials::Comparison::launches_differ(const Change& change) const {
  const EvaluatedCell& cell = *change.cell;
  const auto likeness = CellEvaluator::likeness(*cell.site, cell.cell, change.plan);
  const CellLaunches launches = trials.evaluator_.evaluate(
      *cell.site, cell.cell, change.plan, family.origins, family.launches[likeness]);
  return !same_launches(launches, *cell.launches);
}

/// The repository's own file of that name, as the script sees it.
bool FieldTrials::Comparison::file_mentions(const std::string& path, const Change& change) const {
  constexpr std::string_view kMounts[] = {"/workspace/", "/ix/"};
  std::string below = path;
  for (const std::string_view mount : kMounts) {
    if (path.starts_with(mount)) below = path.substr(mount.size());
  }
  if (below.empty() || below.starts_with('/')) return false;
  const std::string file = text::join_path(change.cell->site->files.root, below);
  auto& scripts = *trials.scripts_;
  if (scripts.tree().kind(file) != text::EntryKind::kFile) return false;
  const auto loaded = scripts.files().load(file);
  // What cannot be read may use it.
  if (!loaded) return true;
  return std::any_of(
      change.variables.begin(), change.variables.end(),
      [&](const std::string& name) { return mentions(loaded.value()->bytes(), name); });
}

/// A program that is not evaluated inherits the variable and may read it: a helper of the
/// repository, or a text for an interpreter.
bool FieldTrials::Comparison::helper_reads(const Change& change,
                                           const shell::Evaluation& trace) const {
  for (const auto& execution : trace.executions) {
    std::string buffer;
    for (const shell::Value& word : execution->argv) {
      const std::string_view text = word.view(buffer);
      for (const std::string& name : change.variables) {
        if (mentions(text, name)) return true;
      }
      if (word.is_known() && file_mentions(std::string(text), change)) return true;
    }
  }
  const auto script = trials.scripts_->files().load(change.cell->target().script);
  if (!script) return true;
  return std::any_of(change.variables.begin(), change.variables.end(), [&](const auto& name) {
    const std::string_view bytes = script.value()->bytes();
    return bytes.find('"' + name + '"') != std::string_view::npos ||
           bytes.find('\'' + name + '\'') != std::string_view::npos;
  });
}

std::optional<shell::Evaluation> FieldTrials::Comparison::trace(const EvaluatedCell& cell,
                                                                const LaunchPlan& plan) const {
  const auto likeness = CellEvaluator::likeness(*cell.site, cell.cell, plan);
  return trials.evaluator_.trace(*cell.site, cell.cell, plan, family.origins,
                                 family.traces[likeness]);
}

bool FieldTrials::Comparison::traces_differ(const Change& change) {
  const auto before = trace(*change.cell, plan_of(*change.cell));
  const auto after = trace(*change.cell, change.plan);
  if (!before || !after) {
    trial.cause = "the script";
    return false;
  }
  if (helper_reads(change, *before))
    trial.cause = "what a helper of the script does with the field";
  return !same_traces(*before, *after);
}

void FieldTrials::Comparison::run() {
  const auto rows = values();
  if (cells.size() > kMostCells || rows.size() > kMostValues) {
    trial.cause = "too many rows to try them all";
    return;
  }
  bool changed = false;
  // Cheap first: most fields show in what is launched.
  for (const bool all_commands : {false, true}) {
    for (const EvaluatedCell* cell : cells) {
      trial.cause = cause_of_doubt(*cell->launches);
      if (!trial.cause.empty()) return;
      for (const space::Row* row : rows) {
        const auto one = change(*cell, *row);
        if (!one) continue;
        changed = true;
        trial.variables.insert(one->variables.begin(), one->variables.end());
        const bool differs =
            decides_launcher(*one) || (all_commands ? traces_differ(*one) : launches_differ(*one));
        if (differs) {
          trial.verdict = FieldTrial::Verdict::kMatters;
          return;
        }
        if (!trial.cause.empty()) return;
      }
    }
  }
  if (!changed) {
    trial.cause = "the rows have no other value";
    return;
  }
  trial.verdict = FieldTrial::Verdict::kIgnored;
}

FieldTrials::FieldTrials(const Workspace& workspace, const facts::ModelFacts& models)
    : workspace_(workspace),
      scripts_(std::make_unique<shell::ScriptCache>(workspace.sources())),
      evaluator_(workspace, *scripts_, models) {}

FieldTrials::~FieldTrials() = default;

FieldTrials::Family& FieldTrials::family_of(const EvaluatedCell& cell) {
  const std::string& script = cell.target().script;
  if (!family_ || family_->site != cell.site || family_->script != script) {
    family_ = std::make_unique<Family>();
    family_->site = cell.site;
    family_->script = script;
  }
  return *family_;
}

FieldTrial FieldTrials::run(std::string_view field, std::span<const EvaluatedCell* const> cells) {
  if (cells.empty()) return {};
  Comparison comparison{*this, family_of(*cells.front()), field, cells, {}};
  comparison.run();
  return std::move(comparison.trial);
}

}  // namespace recipelint::layout
