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

bool lies_in(const text::Span& inner, const text::Span& outer) {
  return inner.file == outer.file && inner.begin >= outer.begin && inner.end <= outer.end;
}

void add(const layout::EvaluatedCell& cell, Diagnostic diagnostic,
         std::map<Place, PlacedDiagnostic>& places) {
  const layout::CellLaunches& launches = *cell.launches;
  diagnostic.certain =
      diagnostic.certain || (ends_for_certain(launches) && explains_end(diagnostic, launches));
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

bool ends_for_certain(const layout::CellLaunches& launches) {
  return launches.status == layout::CellLaunches::Status::kRejected &&
         std::none_of(launches.diagnostics.begin(), launches.diagnostics.end(),
                      [](const Diagnostic& diagnostic) {
                        return diagnostic.kind == DiagnosticKind::kUnparsed ||
                               diagnostic.kind == DiagnosticKind::kUnmodelled;
                      });
}

bool explains_end(const Diagnostic& diagnostic, const layout::CellLaunches& launches) {
  return std::any_of(
      launches.reasons.begin(), launches.reasons.end(), [&](const layout::Reason& reason) {
        return lies_in(diagnostic.span, reason.span) ||
               (!diagnostic.message.empty() && reason.cause.starts_with(diagnostic.message));
      });
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
