#include "rules/cell_diagnostics.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace recipelint::rules {
namespace {

using layout::Diagnostic;
using layout::DiagnosticKind;

struct Place {
  text::Span span;
  DiagnosticKind kind;
  std::string subject;

  bool operator<(const Place& other) const {
    const auto order = text::compare(span, other.span);
    if (order != 0) return order < 0;
    return std::tie(kind, subject) < std::tie(other.kind, other.subject);
  }
};

void add(const layout::EvaluatedCell& cell, Diagnostic diagnostic,
         std::map<Place, PlacedDiagnostic>& places) {
  // A bound can be reached where no statement stands.
  if (!diagnostic.span.valid() && cell.row() != nullptr) diagnostic.span = cell.row()->row->span();
  if (!diagnostic.span.valid()) return;
  const Place place{diagnostic.span, diagnostic.kind, diagnostic.subject};
  const auto [found, added] = places.emplace(place, PlacedDiagnostic{diagnostic, {}, false, true});
  PlacedDiagnostic& placed = found->second;
  if (placed.diagnostic.certain && !diagnostic.certain) return;
  if (!placed.diagnostic.certain && diagnostic.certain) placed = {diagnostic, {}, false, true};
  placed.cells.push_back(cell.name());
  placed.environment_known = placed.environment_known || knows_environment(cell);
  placed.by_hand = placed.by_hand && cell.row() == nullptr;
}

}  // namespace

void make_set(std::vector<std::string>& names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

bool knows_environment(const layout::EvaluatedCell& cell) {
  return cell.row() != nullptr && cell.target().launcher_known &&
         cell.row()->config->generation != space::Generation::kOlder;
}

std::vector<PlacedDiagnostic> placed_diagnostics(const RuleContext& context,
                                                 std::span<const DiagnosticKind> kinds) {
  std::map<Place, PlacedDiagnostic> places;
  for (const layout::EvaluatedCell& cell : context.cells.all()) {
    for (const Diagnostic& diagnostic : cell.launches->diagnostics) {
      const bool wanted = std::find(kinds.begin(), kinds.end(), diagnostic.kind) != kinds.end();
      if (wanted) add(cell, diagnostic, places);
    }
  }
  std::vector<PlacedDiagnostic> ordered;
  for (auto& [place, placed] : places) {
    make_set(placed.cells);
    ordered.push_back(std::move(placed));
  }
  return ordered;
}

findings::Finding finding_at(const PlacedDiagnostic& placed, std::string_view rule,
                             findings::Level level) {
  findings::Finding finding;
  finding.rule = rule;
  finding.level = level;
  finding.primary = placed.diagnostic.span;
  finding.cells = placed.cells;
  finding.identity = placed.diagnostic.subject;
  return finding;
}

}  // namespace recipelint::rules
