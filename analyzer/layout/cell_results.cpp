#include "analyzer/layout/cell_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace recipelint::layout {
namespace {

constexpr std::size_t kMostThreads = 64;

/// One evaluation, for the cells that share it.
struct Job {
  const Site* site = nullptr;
  Cell cell;
  /// Only for a script.
  std::optional<LaunchPlan> plan;
  CellLaunches result;
};

void add_text(std::string& key, std::string_view text) {
  key += std::to_string(text.size());
  key += ':';
  key += text;
}

/// All that the evaluation of a script depends on.
std::string input_key(const Site& site, const Target& target, const LaunchPlan& plan) {
  std::string key;
  add_text(key, site.files.root);
  add_text(key, target.script);
  for (const auto& [name, value] : plan.environment) {
    add_text(key, name);
    key += std::to_string(value.pieces().size());
    for (const shell::Piece& piece : value.pieces()) {
      key += piece.known ? 'k' : static_cast<char>('0' + static_cast<int>(piece.shape));
      add_text(key, piece.text);
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

}  // namespace

std::string EvaluatedCell::name() const {
  const space::MatrixRow& fields = row();
  std::string name =
      fmt::format("{}|{}|{}", fields.entry->key, scenario_name(fields), topology_name(fields));
  if (fields.spec_decoding() != "none") name += fmt::format("|{}", fields.spec_decoding());
  if (fields.kv_offloading() != "none") name += fmt::format("|kv-{}", fields.kv_offloading());
  name += fmt::format("|c{}", fields.concurrencies[cell.concurrency].value);
  if (cell.mode == Mode::kEval) name += "|eval";
  return name;
}

struct CellResults::State {
  State(const Workspace& the_workspace, unsigned wanted_threads)
      : workspace(the_workspace), threads(wanted_threads) {}

  void evaluate();
  void add_cells(const Site& site, Mode mode);
  Job& job_for(const Site& site, const Cell& cell);
  void run_jobs();

  const Workspace& workspace;
  const unsigned threads;
  std::once_flag once;
  std::atomic<bool> done = false;

  std::optional<shell::ScriptCache> scripts;
  // Of the environments, and one for each thread.
  std::deque<text::OriginPool> pools;
  // A deque, so that jobs keep their addresses.
  std::deque<Job> jobs;
  std::map<std::string, Job*> jobs_by_input;
  std::vector<EvaluatedCell> cells;
};

Job& CellResults::State::job_for(const Site& site, const Cell& cell) {
  Job job{&site, cell, std::nullopt, {}};
  const Target& target = site.row_of(cell.matrix_row).target(cell.mode);
  if (target.kind != Target::Kind::kScript) return jobs.emplace_back(std::move(job));
  job.plan = workspace.plan(site, cell, pools.front());
  Job*& known = jobs_by_input[input_key(site, target, *job.plan)];
  if (known == nullptr) known = &jobs.emplace_back(std::move(job));
  return *known;
}

void CellResults::State::add_cells(const Site& site, Mode mode) {
  for (const Cell& cell : cells_of(site, mode)) {
    cells.push_back({&site, cell, &job_for(site, cell).result});
  }
}

void CellResults::State::run_jobs() {
  const CellEvaluator evaluator(workspace, *scripts);
  std::atomic<std::size_t> next = 0;
  const auto work = [&](text::OriginPool& pool) {
    for (std::size_t i = next++; i < jobs.size(); i = next++) {
      Job& job = jobs[i];
      job.result = job.plan ? evaluator.evaluate(*job.site, job.cell, *job.plan, pool)
                            : evaluator.evaluate(*job.site, job.cell, pool);
    }
  };
  const std::size_t wanted = threads != 0 ? threads : std::thread::hardware_concurrency();
  const std::size_t most = std::clamp<std::size_t>(jobs.size(), 1, kMostThreads);
  const std::size_t count = std::clamp<std::size_t>(wanted, 1, most);
  std::vector<std::thread> helpers;
  for (std::size_t i = 1; i < count; ++i) {
    helpers.emplace_back(work, std::ref(pools.emplace_back()));
  }
  work(pools.emplace_back());
  for (std::thread& helper : helpers) helper.join();
}

void CellResults::State::evaluate() {
  if (!workspace.sites().empty()) {
    scripts.emplace(workspace.sources());
    pools.emplace_back();
    for (const Site& site : workspace.sites()) {
      add_cells(site, Mode::kThroughput);
      add_cells(site, Mode::kEval);
    }
    run_jobs();
  }
  jobs_by_input.clear();
  done = true;
}

CellResults::CellResults(const Workspace& workspace, unsigned threads)
    : state_(std::make_unique<State>(workspace, threads)) {}

CellResults::~CellResults() = default;

std::span<const EvaluatedCell> CellResults::all() const {
  std::call_once(state_->once, [&] { state_->evaluate(); });
  return state_->cells;
}

bool CellResults::evaluated() const {
  return state_->done;
}

}  // namespace recipelint::layout
