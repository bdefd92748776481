#pragma once

#include <compare>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "analyzer/facts/catalog.h"
#include "analyzer/launch/launch.h"
#include "analyzer/layout/cell_results.h"
#include "analyzer/serving/server_config.h"
#include "analyzer/serving/situation.h"

namespace recipelint::serving::memory {
struct Topology;
}

namespace recipelint::serving {

/// A server that a cell starts.
struct Server {
  const launch::Launch* launch = nullptr;
  ServerConfig config;
};

/// What the servers of a cell depend on besides their launches.
struct Setup {
  std::string_view image;
  const facts::Gpu* gpu = nullptr;           // null: not known
  const facts::Model* model = nullptr;       // of the row; null: not known
  const Environment* environment = nullptr;  // null: nothing is known about it

  friend auto operator<=>(const Setup&, const Setup&) = default;
};
/// What the search space says about a cell.
Setup setup_of(const layout::EvaluatedCell& cell, const facts::ModelFacts& facts);

/// Decodes those of the launches that start servers. They must outlive the result.
std::vector<Server> decode_servers(const layout::CellLaunches& launches, const Setup& setup,
                                   const facts::Catalog& facts);

/// The servers of one cell.
struct CellServers {
  const layout::EvaluatedCell* cell = nullptr;
  Setup setup;
  /// In the order of the launches. Cells that start the same in the same situation share them.
  std::span<const Server> servers;
};

/// The configurations of all servers that the cells of a workspace start. Nothing is decoded before
/// somebody asks, and equal launches once.
class Servers {
 public:
  /// All of them must outlive it. Decodes on `threads` threads, 0 for one per processor.
  Servers(const layout::CellResults& cells, const facts::Catalog& facts, unsigned threads = 0);
  ~Servers();
  Servers(const Servers&) = delete;
  Servers& operator=(const Servers&) = delete;

  /// One for each of CellResults::all(), in that order. Safe to call from several threads.
  std::span<const CellServers> all() const;
  /// What all of them take of the memory of their GPUs; see memory::find_topologies().
  std::span<const memory::Topology> topologies() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The GPU that a runner label or the name of a launcher speaks of ("cluster:gb200-nv"); null if it
/// names none, or several.
const facts::Gpu* find_named_gpu(const facts::ModelFacts& facts, std::string_view name);

}  // namespace recipelint::serving
