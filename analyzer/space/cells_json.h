#pragma once

#include <iosfwd>
#include <span>

#include "analyzer/space/expand.h"

namespace recipelint::space {

/// JSON Lines, one object per matrix row: the fields of `generate_sweep_configs.py full-sweep` with
/// its names, values and order, then `key`, `file` and `line` (where the row stands). Numbers and
/// booleans that are written as something else stay as written, as the generator leaves them.
void write_cells_json(std::span<const MatrixRow> matrix, std::ostream& out);

}  // namespace recipelint::space
