#include "analyzer/serving/servers.h"

#include <cctype>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "analyzer/serving/decode.h"
#include "analyzer/serving/memory/topologies.h"
#include "analyzer/text/parallel.h"

namespace recipelint::serving {
namespace {

struct Job {
  const layout::CellLaunches* launches = nullptr;
  Setup setup;
  std::vector<Server> servers;
};

bool is_name_byte(char byte) {
  return std::isalnum(static_cast<unsigned char>(byte)) != 0;
}

/// The launcher is nearer to the machine than the label.
const facts::Gpu* gpu_of(const layout::EvaluatedCell& cell, const facts::ModelFacts& facts) {
  const auto* gpu = find_named_gpu(facts, cell.target().runner.launcher);
  return gpu != nullptr ? gpu : find_named_gpu(facts, cell.runner());
}

}  // namespace

Setup setup_of(const layout::EvaluatedCell& cell, const facts::ModelFacts& facts) {
  return {cell.image(), gpu_of(cell, facts), facts.find_model(cell.model()), cell.environment};
}

std::vector<Server> decode_servers(const layout::CellLaunches& launches, const Setup& setup,
                                   const facts::Catalog& facts) {
  std::vector<Server> servers;
  for (const launch::Launch& launch : launches.launches) {
    if (!is_server(launch)) continue;
    const Situation situation{facts.version_of(setup.image, to_string(launch.engine)), setup.gpu,
                              setup.model, setup.environment};
    if (auto config = decode(launch, situation, facts)) {
      servers.push_back({&launch, std::move(*config)});
    }
  }
  return servers;
}

struct Servers::State {
  State(const layout::CellResults& the_results, const facts::Catalog& the_facts,
        unsigned wanted_threads)
      : results(the_results), facts(the_facts), threads(wanted_threads) {}

  void decode();

  const layout::CellResults& results;
  const facts::Catalog& facts;
  const unsigned threads;
  std::once_flag once;
  std::deque<Job> jobs;  // a deque, so that jobs keep their addresses
  std::vector<CellServers> cells;
  std::once_flag topologies_once;
  std::vector<memory::Topology> topologies;
};

void Servers::State::decode() {
  std::map<std::pair<const layout::CellLaunches*, Setup>, Job*> known;
  std::vector<const Job*> job_of_cell;
  for (const layout::EvaluatedCell& cell : results.all()) {
    const Setup setup = setup_of(cell, facts.models());
    Job*& job = known[{cell.launches, setup}];
    if (job == nullptr) job = &jobs.emplace_back(Job{cell.launches, setup, {}});
    job_of_cell.push_back(job);
    cells.push_back({&cell, setup, {}});
  }
  text::run_in_parallel(jobs.size(), threads, [&](std::size_t i) {
    jobs[i].servers = decode_servers(*jobs[i].launches, jobs[i].setup, facts);
  });
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i].servers = job_of_cell[i]->servers;
}

Servers::Servers(const layout::CellResults& cells, const facts::Catalog& facts, unsigned threads)
    : state_(std::make_unique<State>(cells, facts, threads)) {}

Servers::~Servers() = default;

std::span<const CellServers> Servers::all() const {
  std::call_once(state_->once, [&] { state_->decode(); });
  return state_->cells;
}

std::span<const memory::Topology> Servers::topologies() const {
  std::call_once(state_->topologies_once,
                 [&] { state_->topologies = memory::find_topologies(all(), state_->facts); });
  return state_->topologies;
}

const facts::Gpu* find_named_gpu(const facts::ModelFacts& facts, std::string_view name) {
  const facts::Gpu* found = nullptr;
  for (std::size_t begin = 0; begin < name.size(); ++begin) {
    std::size_t end = begin;
    while (end < name.size() && is_name_byte(name[end])) ++end;
    const auto* gpu = facts.find_gpu(name.substr(begin, end - begin));
    if (gpu != nullptr && found != nullptr && gpu != found) return nullptr;
    if (gpu != nullptr) found = gpu;
    begin = end;
  }
  return found;
}

}  // namespace recipelint::serving
