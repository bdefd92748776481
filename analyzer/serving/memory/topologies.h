#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts/catalog.h"
#include "analyzer/layout/cell_results.h"
#include "analyzer/serving/memory/memory_fit.h"
#include "analyzer/serving/servers.h"

namespace recipelint::serving::memory {

/// The search-space key of a cell; the path of a script that is run by hand.
std::string_view owner_of(const layout::EvaluatedCell& cell);

/// Servers of one owner that need and have the same memory.
struct Topology {
  const CellServers* first = nullptr;  // the first cell with such a server
  const Server* server = nullptr;      // that server
  MemoryQuestion question;
  MemoryFit fit;
  std::vector<const layout::EvaluatedCell*> cells;  // in their order, each once

  /// Names of the cells, sorted.
  std::vector<std::string> cell_names() const;
};

/// What the servers of these cells take, one for each that differs, in the order of the cells.
/// Answers equal questions once.
std::vector<Topology> find_topologies(std::span<const CellServers> cells,
                                      const facts::Catalog& catalog);

}  // namespace recipelint::serving::memory
