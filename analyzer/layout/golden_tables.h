#pragma once

#include <vector>

#include "analyzer/facts/golden_lengths.h"
#include "analyzer/layout/workspace.h"

namespace recipelint::layout {

/// The golden acceptance lengths that hold for a site: those of its folder `golden_al_distribution`,
/// or the embedded ones if it has none. Files that are no YAML are left out.
std::vector<facts::GoldenTable> golden_tables(const Workspace& workspace, const Site& site);

}  // namespace recipelint::layout
