#pragma once

#include <functional>
#include <string_view>

#include "analyzer/findings/finding.h"
#include "rules/rule.h"

namespace recipelint::serving {
struct Problem;
struct Server;
}  // namespace recipelint::serving

namespace recipelint::rules {

/// Which problems to report.
using ProblemFilter = std::function<bool(const serving::Server&, const serving::Problem&)>;

/// Reports what decoding the servers of all cells found wrong under this rule: one finding for each
/// place and subject, at the highest level that one of its cells gives. One level lower for
/// launches that only happen if the host decides so. Without a filter all are reported.
void report_server_problems(const RuleContext& context, std::string_view rule,
                            findings::FindingSink& sink, const ProblemFilter& filter = {});

}  // namespace recipelint::rules
