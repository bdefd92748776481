#include "rules/server_problems.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
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

bool lies_in(const text::Span& inner, const text::Span& outer) {
  return inner.file == outer.file && inner.begin >= outer.begin && inner.end <= outer.end;
}

/// The place of an option that a variable brings in is where the command takes it. A computed word
/// has no bytes of its own: the command that it belongs to has.
text::Span span_of(const Problem& problem, const Server& server) {
  const launch::Launch& launch = *server.launch;
  if (problem.word && problem.span.valid() && *problem.word < launch.argv.size()) {
    std::string buffer;
    const auto& word = launch.argv[*problem.word];
    const text::Span place = launch.place_of(*problem.word);
    const bool is_option = word.is_known() && word.view(buffer).starts_with('-');
    if (is_option && place.valid() && !lies_in(problem.span, place)) return place;
  }
  return problem.span.valid() ? problem.span : launch.span;
}

/// The first place on the way of a word that spells it; `otherwise` if none does.
text::Span written_at(const text::Origin& origin, const std::string& word, text::Span otherwise) {
  for (const text::OriginLink* link = origin.nearest(); link != nullptr; link = link->earlier) {
    if (!link->span.valid()) continue;
    const auto at = link->span.bytes().find(word);
    if (at == std::string_view::npos) continue;
    const std::uint32_t begin = link->span.begin + static_cast<std::uint32_t>(at);
    return {link->span.file, begin, begin + static_cast<std::uint32_t>(word.size())};
  }
  return otherwise;
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
  if (problem.word && problem.span.valid() && problem.span != finding.primary) {
    finding.related.insert(finding.related.begin(),
                           {written_at(server.launch->argv[*problem.word].origin(),
                                       server.launch->argv[*problem.word].text(), problem.span),
                            "written here"});
  }
  if (problem.word) {
    finding.flow = flow_of(server.launch->argv[*problem.word].origin(), finding.primary);
  }
  finding.remedies = problem.remedies;
  finding.facts = problem.facts;
  finding.identity = problem.subject;
  return finding;
}

}  // namespace

void report_server_problems(const RuleContext& context, std::string_view rule,
                            findings::FindingSink& sink, const ProblemFilter& filter) {
  std::map<Place, Finding> findings;
  for (const serving::CellServers& cell : context.servers.all()) {
    for (const Server& server : cell.servers) {
      for (const Problem& problem : server.config.problems) {
        const text::Span span = span_of(problem, server);
        if (problem.rule != rule || !span.valid()) continue;
        if (filter && !filter(server, problem)) continue;
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
