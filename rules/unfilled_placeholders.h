#pragma once

#include "rules/rule.h"

namespace recipelint::rules {

/// Reports placeholders in what recipe files start, words such as "__HF_HOME__" that nothing of the
/// repository fills in: the process gets them as they are.
void report_unfilled_placeholders(std::string_view rule, const RuleContext& context,
                                  findings::FindingSink& sink);

}  // namespace recipelint::rules
