#include "analyzer/layout/cell_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/layout/script_flows.h"
#include "analyzer/text/parallel.h"

namespace recipelint::layout {
namespace {

/// Cells are planned and evaluated in groups: only the plans of one group are in memory.
constexpr std::size_t kCellsPerGroup = 512;

/// One evaluation, for the cells that share it: of a script that is run by hand, or of a cell of a
/// site.
struct Job {
  const BareScript* bare = nullptr;
  const RecipeRun* recipe = nullptr;
  const Site* site = nullptr;
  Cell cell;
  /// Only for a script, and only until it is evaluated.
  std::optional<LaunchPlan> plan;
  /// Only with a plan: the evaluations that it can share.
  std::size_t family = 0;
  /// What the script starts with; what the launches inherit unless they say otherwise.
  Variables environment;
  CellLaunches result;
};

/// The plan of a cell that runs a script, and all that its evaluation depends on.
struct PlannedCell {
  std::optional<LaunchPlan> plan;
  std::string input;
};

/// A pool with what adds to it.
struct Origins {
  text::OriginPool pool;
  text::OriginInterner interner{pool};
};

/// Origins, of which each thread that needs some takes its own.
class OriginStock {
 public:
  class Lease {
   public:
    explicit Lease(OriginStock& stock) : stock_(stock), origins_(stock.take()) {}
    ~Lease() { stock_.put_back(origins_); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Origins* operator->() { return &origins_; }

   private:
    OriginStock& stock_;
    Origins& origins_;
  };

 private:
  Origins& take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return all_.emplace_back();
    Origins& origins = *free_.back();
    free_.pop_back();
    return origins;
  }
  void put_back(Origins& origins) {
    const std::lock_guard lock(mutex_);
    free_.push_back(&origins);
  }

  std::mutex mutex_;
  // A deque, so that they keep their addresses.
  std::deque<Origins> all_;
  std::vector<Origins*> free_;
};

void add_text(std::string& key, std::string_view text) {
  key += std::to_string(text.size());
  key += ':';
  key += text;
}

/// All that the evaluation of a script depends on, as a text to compare.
std::string input_key(const Site& site, const Cell& cell, const Target& target,
                      const LaunchPlan& plan) {
  std::string key;
  add_text(key, site.matrix[cell.matrix_row].entry->model.value_or(""));
  add_text(key, site.files.root);
  add_text(key, target.script);
  for (const auto& [name, value] : plan.environment) {
    add_text(key, name);
    key += std::to_string(value.pieces().size());
    for (const shell::Piece& piece : value.pieces()) {
      key += piece.known ? 'k' : static_cast<char>('0' + static_cast<int>(piece.shape));
      add_text(key, piece.text.get());
    }
  }
  return key;
}

/// The size of one dimension of parallelism, if it is more than one.
void add_size(std::string& name, std::string_view separator, std::string_view dimension,
              std::int64_t size) {
  if (size > 1) name += fmt::format("{}{}{}", separator, dimension, size);
}

std::string worker_name(char role, const space::Worker& worker) {
  std::string name =
      fmt::format("{}{}tp{}", worker.num_worker.value_or(1), role, worker.tp.value_or(1));
  add_size(name, "", "pp", worker.pp.value_or(1));
  add_size(name, "", "ep", worker.ep.value_or(1));
  if (worker.dp_attn.value_or(false)) name += "dpa";
  return name;
}

std::string topology_name(const space::MatrixRow& row) {
  const space::Row& fields = *row.row;
  if (row.multi_node() && fields.prefill && fields.decode) {
    return worker_name('p', *fields.prefill) + "|" + worker_name('d', *fields.decode);
  }
  std::string name = fmt::format("tp{}", fields.tp.value_or(1));
  add_size(name, "|", "pp", row.pp());
  add_size(name, "|", "dcp", row.dcp_size());
  add_size(name, "|", "pcp", row.pcp_size());
  add_size(name, "|", "ep", row.ep());
  if (row.dp_attn()) name += "|dpa";
  return name;
}

std::string scenario_name(const space::MatrixRow& row) {
  if (row.agentic()) return "agentic";
  return fmt::format("{}x{}", row.scenario->isl.value_or(0), row.scenario->osl.value_or(0));
}

/// What was said about a cell without a row.
std::string_view given(const EvaluatedCell& cell, std::string_view field) {
  if (cell.recipe != nullptr) {
    const auto found = cell.recipe->run->fields.find(field);
    return found == cell.recipe->run->fields.end() ? std::string_view() : found->second.text;
  }
  const auto found = cell.bare->run->fields.find(field);
  return found == cell.bare->run->fields.end() ? std::string_view() : found->second;
}

std::string recipe_cell_name(const RecipeCell& cell) {
  std::string name = cell.run->key;
  const auto isl = cell.field("isl");
  const auto osl = cell.field("osl");
  if (isl && osl) name += fmt::format("|{}x{}", isl->text, osl->text);
  if (cell.concurrency) name += fmt::format("|c{}", cell.concurrency->value);
  return name;
}

}  // namespace

std::string_view EvaluatedCell::image() const {
  return site != nullptr ? row()->entry->image.value_or("") : given(*this, "image");
}

std::string_view EvaluatedCell::model() const {
  return site != nullptr ? row()->entry->model.value_or("") : given(*this, "model");
}

std::string_view EvaluatedCell::runner() const {
  if (site != nullptr) return row()->entry->runner.value_or("");
  return given(*this, recipe != nullptr ? "runner" : "gpu");
}

std::string_view EvaluatedCell::owner() const {
  if (site != nullptr) return row()->entry->key;
  return recipe != nullptr ? recipe->run->key : bare->target.script;
}

std::optional<FieldText> EvaluatedCell::field(std::string_view field_name) const {
  if (site != nullptr) return RowFields(*row(), cell.concurrency).find(field_name);
  if (recipe != nullptr) return recipe->field(field_name);
  const auto found = bare->run->fields.find(field_name);
  if (found == bare->run->fields.end()) return std::nullopt;
  return FieldText{found->second, {}};
}

std::optional<std::int64_t> EvaluatedCell::number(std::string_view field_name) const {
  const std::optional<FieldText> found = field(field_name);
  if (!found) return std::nullopt;
  const char* const end = found->text.data() + found->text.size();
  std::int64_t number = 0;
  const auto [stop, error] = std::from_chars(found->text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

std::string EvaluatedCell::name() const {
  if (recipe != nullptr) return recipe_cell_name(*recipe);
  if (site == nullptr) return bare->target.script;
  const space::MatrixRow& fields = *row();
  std::string name =
      fmt::format("{}|{}|{}", fields.entry->key, scenario_name(fields), topology_name(fields));
  if (fields.spec_decoding() != "none") name += fmt::format("|{}", fields.spec_decoding());
  if (fields.kv_offloading() != "none") name += fmt::format("|kv-{}", fields.kv_offloading());
  name += fmt::format("|c{}", fields.concurrencies[cell.concurrency].value);
  if (cell.mode == Mode::kEval) name += "|eval";
  return name;
}

struct CellResults::State {
  State(const Workspace& the_workspace, const facts::Catalog& the_facts, unsigned wanted_threads,
        KeyFilter wanted_keys)
      : workspace(the_workspace),
        facts(the_facts),
        threads(wanted_threads),
        wanted(std::move(wanted_keys)) {}

  void evaluate();
  void list_cells(const Site& site, Mode mode);
  void list_cells(const RecipeRun& run);
  PlannedCell plan(const EvaluatedCell& cell);
  std::size_t family_of(const EvaluatedCell& cell, const LaunchPlan& plan);
  Job& job_for(const EvaluatedCell& cell, PlannedCell planned);
  void run_job(const CellEvaluator& evaluator, Job& job);
  void evaluate_group(const CellEvaluator& evaluator, std::span<EvaluatedCell> group);

  const Workspace& workspace;
  const facts::Catalog& facts;
  const unsigned threads;
  const KeyFilter wanted;
  std::once_flag once;
  std::atomic<bool> done = false;

  std::optional<shell::ScriptCache> scripts;
  // Apart from each other, so that which origins are equal does not depend on who planned what.
  OriginStock plan_origins;
  OriginStock evaluation_origins;
  // A deque, so that jobs keep their addresses.
  std::deque<Job> jobs;
  std::unordered_map<std::string, Job*> jobs_by_input;
  std::unordered_map<const RecipeRun*, Job*> jobs_by_recipe;
  std::deque<RecipeCell> recipe_cells;
  /// Of one group, for cells that run one script: what their evaluations share. Each is used by one
  /// thread.
  std::deque<shell::SharedEvaluations> families;
  std::unordered_map<std::string, std::size_t> family_ids;
  std::vector<EvaluatedCell> cells;
  std::once_flag flows_once;
  std::optional<FlowRecorder> recorder;
  std::vector<ScriptFlow> flows;
};

void CellResults::State::list_cells(const Site& site, Mode mode) {
  for (const Cell& cell : cells_of(site, mode)) {
    const std::string_view key = site.matrix[cell.matrix_row].entry->key;
    if (!wanted || wanted(key)) cells.push_back({.site = &site, .cell = cell});
  }
}

void CellResults::State::list_cells(const RecipeRun& run) {
  if (wanted && !wanted(run.key)) return;
  for (const RecipeCell& cell : cells_of(run)) {
    cells.push_back({.recipe = &recipe_cells.emplace_back(cell)});
  }
}

PlannedCell CellResults::State::plan(const EvaluatedCell& cell) {
  PlannedCell planned;
  if (cell.site == nullptr || cell.target().kind != Target::Kind::kScript) return planned;
  OriginStock::Lease origins(plan_origins);
  planned.plan = workspace.plan(*cell.site, cell.cell, origins->pool);
  planned.input = input_key(*cell.site, cell.cell, cell.target(), *planned.plan);
  return planned;
}

std::size_t CellResults::State::family_of(const EvaluatedCell& cell, const LaunchPlan& plan) {
  const auto [found, added] =
      family_ids.emplace(CellEvaluator::likeness(*cell.site, cell.cell, plan), families.size());
  if (added) families.emplace_back();
  return found->second;
}

Job& CellResults::State::job_for(const EvaluatedCell& cell, PlannedCell planned) {
  const auto add = [&](const RecipeRun* recipe) -> Job& {
    Job& job = jobs.emplace_back();
    job.bare = cell.bare;
    job.recipe = recipe;
    job.site = cell.site;
    job.cell = cell.cell;
    job.plan = std::move(planned.plan);
    return job;
  };
  if (cell.recipe != nullptr) {
    Job*& known = jobs_by_recipe[cell.recipe->run];
    if (known == nullptr) known = &add(cell.recipe->run);
    return *known;
  }
  if (!planned.plan) return add(nullptr);
  Job*& known = jobs_by_input[std::move(planned.input)];
  if (known == nullptr) {
    const std::size_t family = family_of(cell, *planned.plan);
    known = &add(nullptr);
    known->family = family;
  }
  return *known;
}

void CellResults::State::run_job(const CellEvaluator& evaluator, Job& job) {
  OriginStock::Lease origins(evaluation_origins);
  if (job.bare != nullptr) {
    job.result = evaluator.evaluate(*job.bare, origins->pool);
  } else if (job.recipe != nullptr) {
    job.result = evaluator.evaluate(*job.recipe, origins->pool);
  } else if (job.plan) {
    job.result =
        evaluator.evaluate(*job.site, job.cell, *job.plan, origins->interner, families[job.family]);
    job.environment = std::move(job.plan->environment);
  } else {
    job.result = evaluator.evaluate(*job.site, job.cell, origins->pool);
  }
  job.plan.reset();
}

void CellResults::State::evaluate_group(const CellEvaluator& evaluator,
                                        std::span<EvaluatedCell> group) {
  std::vector<PlannedCell> planned(group.size());
  text::run_in_parallel(group.size(), threads, [&](std::size_t i) { planned[i] = plan(group[i]); });
  const std::size_t first = jobs.size();
  for (std::size_t i = 0; i < group.size(); ++i) {
    const Job& job = job_for(group[i], std::move(planned[i]));
    group[i].launches = &job.result;
    const bool runs_script = group[i].target().kind == Target::Kind::kScript;
    if (runs_script && group[i].site != nullptr) group[i].environment = &job.environment;
  }
  // Jobs of one family one after the other, all others in any order.
  std::vector<std::vector<Job*>> batches;
  std::unordered_map<std::size_t, std::size_t> batch_of;
  for (std::size_t i = first; i < jobs.size(); ++i) {
    Job& job = jobs[i];
    const bool is_new = !job.plan || batch_of.emplace(job.family, batches.size()).second;
    if (is_new) batches.emplace_back();
    batches[job.plan ? batch_of.at(job.family) : batches.size() - 1].push_back(&job);
  }
  text::run_in_parallel(batches.size(), threads, [&](std::size_t i) {
    for (Job* job : batches[i]) run_job(evaluator, *job);
  });
  // Cells of one script mostly follow each other: what is kept for more would only take memory.
  families.clear();
  family_ids.clear();
}

void CellResults::State::evaluate() {
  for (const Site& site : workspace.sites()) {
    list_cells(site, Mode::kThroughput);
    list_cells(site, Mode::kEval);
  }
  for (const RecipeRun& run : workspace.recipe_runs()) list_cells(run);
  for (const BareScript& script : workspace.bare_scripts()) cells.push_back({.bare = &script});
  if (!cells.empty()) {
    scripts.emplace(workspace.sources());
    recorder.emplace(*scripts);
    const CellEvaluator evaluator(workspace, *scripts, facts.models(), &*recorder);
    for (std::size_t i = 0; i < cells.size(); i += kCellsPerGroup) {
      const std::size_t count = std::min(kCellsPerGroup, cells.size() - i);
      evaluate_group(evaluator, std::span(cells).subspan(i, count));
    }
  }
  jobs_by_input.clear();
  jobs_by_recipe.clear();
  done = true;
}

CellResults::CellResults(const Workspace& workspace, const facts::Catalog& facts, unsigned threads,
                         KeyFilter wanted)
    : state_(std::make_unique<State>(workspace, facts, threads, std::move(wanted))) {}

CellResults::~CellResults() = default;

std::span<const EvaluatedCell> CellResults::all() const {
  std::call_once(state_->once, [&] { state_->evaluate(); });
  return state_->cells;
}

std::span<const ScriptFlow> CellResults::flows() const {
  all();
  std::call_once(state_->flows_once, [&] {
    if (state_->recorder) state_->flows = state_->recorder->flows();
    state_->recorder.reset();
  });
  return state_->flows;
}

bool CellResults::evaluated() const {
  return state_->done;
}

}  // namespace recipelint::layout
