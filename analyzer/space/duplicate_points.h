#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/space/expand.h"
#include "analyzer/space/problem.h"

namespace recipelint::space {

/// RL9003 for points that the matrix has more than once: within the concurrencies of a row, between
/// rows of an entry (one problem per pair of rows), and between entries (one per pair of entries).
/// `topologies` are topology_ids(matrix).
void report_duplicate_points(std::span<const MatrixRow> matrix,
                             std::span<const std::uint32_t> topologies,
                             std::vector<Problem>& problems);

}  // namespace recipelint::space
