#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/findings/finding.h"
#include "analyzer/layout/cell_results.h"
#include "rules/rule.h"

namespace recipelint::rules {

/// What the evaluations of cells say about one place.
struct PlacedDiagnostic {
  /// As the first of the cells has it; `certain` if that is so in one of them. That a cell ends
  /// with an error on all of its ways is certain even if the host decides which of several it is.
  layout::Diagnostic diagnostic;
  /// Names of those cells in which it is certain, or of all if it is in none; sorted.
  std::vector<std::string> cells;
  /// The environment of one of them is known, not guessed.
  bool environment_known = false;
  /// All of them are scripts that are run by hand, in a folder that only the user knows.
  bool by_hand = true;
};

/// Whether the variables that the script of a cell starts with are those that its launcher sets: it
/// has rules of its own, and they are of the layout of the repository. A script that is run by hand
/// has none.
bool knows_environment(const layout::EvaluatedCell& cell);

/// Whether a script ends with an error before it starts anything, on all of its ways, and all of it
/// was understood: what was not may be what goes on.
bool ends_for_certain(const layout::CellLaunches& launches);

/// Whether the diagnostic is why a cell ends, on one of its ways at least: it stands where the cell
/// ends, or an exit trap ends it elsewhere and says so.
bool explains_end(const layout::Diagnostic& diagnostic, const layout::CellLaunches& launches);

/// The diagnostics of these kinds, one for each place and subject, in the order of places.
std::vector<PlacedDiagnostic> placed_diagnostics(const RuleContext& context,
                                                 std::span<const layout::DiagnosticKind> kinds);

/// A finding at that place for those cells, without its message.
findings::Finding finding_at(const PlacedDiagnostic& placed, std::string_view rule,
                             findings::Level level);

/// Sorts, and drops repetitions.
void make_set(std::vector<std::string>& names);

}  // namespace recipelint::rules
