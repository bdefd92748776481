#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <ostream>

#include "analyzer/app/commands.h"
#include "rules/rule.h"
#include "rules/selection.h"

namespace recipelint::app {
namespace {

void write_rules_json(std::ostream& out) {
  auto rules = nlohmann::ordered_json::array();
  for (const rules::Rule& rule : rules::catalog()) {
    rules.push_back({{"id", rule.id},
                     {"name", rule.name},
                     {"group", rules::group_of(rule)},
                     {"level", findings::to_string(rule.level)},
                     {"precision", rules::to_string(rule.precision)},
                     {"summary", rule.summary}});
  }
  out << rules.dump(2) << '\n';
}

}  // namespace

int run_explain(const ExplainOptions& options, const Streams& streams) {
  const auto selection = rules::Selection::make({options.rule}, {});
  const rules::Rule* rule = rules::find_rule(options.rule);
  if (rule == nullptr) {
    const std::string message =
        selection
            ? fmt::format("'{}' is a group; name one rule (see: recipelint rules)", options.rule)
            : selection.error().message;
    return usage_failure({message, {}}, streams);
  }
  streams.out << rule->page;
  return kClean;
}

int run_rules(const RulesOptions& options, const Streams& streams) {
  if (options.json) {
    write_rules_json(streams.out);
    return kClean;
  }
  std::size_t width = 0;
  for (const rules::Rule& rule : rules::catalog()) width = std::max(width, rule.name.size());
  for (const rules::Rule& rule : rules::catalog()) {
    streams.out << fmt::format("{}  {:<7}  {:<{}}  {}\n", rule.id, findings::to_string(rule.level),
                               rule.name, width, rule.summary);
  }
  return kClean;
}

}  // namespace recipelint::app
