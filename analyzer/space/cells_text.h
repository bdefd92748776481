#pragma once

#include <iosfwd>
#include <span>

#include "analyzer/space/expand.h"

namespace recipelint::space {

/// A table for people, at most 100 columns wide unless a name is longer: a heading per entry, under
/// it a line per row of the search space with its lengths, topology, concurrencies (an evaluated
/// one with '*') and place, and a line with the totals.
void write_cells_text(std::span<const MatrixRow> matrix, std::ostream& out);

}  // namespace recipelint::space
