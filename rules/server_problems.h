#pragma once

#include <string_view>

#include "analyzer/findings/finding.h"
#include "rules/rule.h"

namespace recipelint::rules {

/// Reports what decoding the servers of all cells found wrong under this rule: one finding for each
/// place and subject, at the highest level that one of its cells gives. One level lower for
/// launches that only happen if the host decides so.
void report_server_problems(const RuleContext& context, std::string_view rule,
                            findings::FindingSink& sink);

}  // namespace recipelint::rules
