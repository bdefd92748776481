#include "rules/server_problems.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/serving/servers.h"
#include "rules/cell_diagnostics.h"
#include "rules/origin_flow.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using serving::Problem;
using serving::Server;
using serving::Severity;

struct Place {
  text::Span span;
  std::string subject;

  bool operator<(const Place& other) const {
    const auto order = text::compare(span, other.span);
    if (order != 0) return order < 0;
    return subject < other.subject;
  }
};

Level level_of(const Problem& problem, const Server& server) {
  const bool lowered = !server.launch->certain;
  switch (problem.severity) {
    case Severity::kError:
      return lowered ? Level::kWarning : Level::kError;
    case Severity::kWarning:
      return lowered ? Level::kNote : Level::kWarning;
    case Severity::kNote:
      break;
  }
  return Level::kNote;
}

/// A computed word has no bytes of its own: the command that it belongs to has.
text::Span span_of(const Problem& problem, const Server& server) {
  return problem.span.valid() ? problem.span : server.launch->span;
}

Finding to_finding(const Problem& problem, const Server& server) {
  Finding finding;
  finding.rule = problem.rule;
  finding.level = level_of(problem, server);
  finding.message = problem.message;
  finding.primary = span_of(problem, server);
  for (const serving::RelatedPlace& place : problem.related) {
    finding.related.push_back({place.span, place.label});
  }
  if (problem.word) {
    finding.flow = flow_of(server.launch->argv[*problem.word].origin());
  }
  finding.remedies = problem.remedies;
  finding.facts = problem.facts;
  finding.identity = problem.subject;
  return finding;
}

}  // namespace

void report_server_problems(const RuleContext& context, std::string_view rule,
                            findings::FindingSink& sink) {
  std::map<Place, Finding> findings;
  for (const serving::CellServers& cell : context.servers.all()) {
    for (const Server& server : cell.servers) {
      for (const Problem& problem : server.config.problems) {
        const text::Span span = span_of(problem, server);
        if (problem.rule != rule || !span.valid()) continue;
        Finding& finding = findings[{span, problem.subject}];
        if (finding.rule.empty() || level_of(problem, server) > finding.level) {
          auto cells = std::move(finding.cells);
          finding = to_finding(problem, server);
          finding.cells = std::move(cells);
        }
        finding.cells.push_back(cell.cell->name());
      }
    }
  }
  for (auto& [place, finding] : findings) {
    make_set(finding.cells);
    sink.report(std::move(finding));
  }
}

}  // namespace recipelint::rules
