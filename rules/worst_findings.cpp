#include "rules/worst_findings.h"

#include <utility>
#include <vector>

#include "rules/cell_diagnostics.h"

namespace recipelint::rules {

bool WorstFindings::Place::operator<(const Place& other) const {
  const auto order = text::compare(span, other.span);
  return order != 0 ? order < 0 : identity < other.identity;
}

void WorstFindings::add(findings::Finding finding, std::int64_t measure, std::string cell) {
  add(std::move(finding), measure, std::move(cell), nullptr);
}

void WorstFindings::add(findings::Finding finding, std::int64_t measure, std::string cell,
                        Remedies remedies) {
  const Place place{finding.primary, finding.identity};
  const auto found = findings_.find(place);
  if (found == findings_.end()) {
    finding.cells = {std::move(cell)};
    findings_.emplace(place, Worst{std::move(finding), measure, std::move(remedies)});
    return;
  }
  Worst& worst = found->second;
  if (finding.level < worst.finding.level) return;
  std::vector<std::string> cells;
  if (finding.level == worst.finding.level) cells = std::move(worst.finding.cells);
  const bool worse = finding.level > worst.finding.level || measure > worst.measure;
  if (worse) worst = {std::move(finding), measure, std::move(remedies)};
  worst.finding.cells = std::move(cells);
  worst.finding.cells.push_back(std::move(cell));
}

void WorstFindings::report(findings::FindingSink& sink) {
  for (auto& [place, worst] : findings_) {
    make_set(worst.finding.cells);
    if (worst.remedies) worst.finding.remedies = worst.remedies();
    sink.report(std::move(worst.finding));
  }
  findings_.clear();
}

}  // namespace recipelint::rules
