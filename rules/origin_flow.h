#pragma once

#include <vector>

#include "analyzer/findings/finding.h"
#include "analyzer/text/origin.h"

namespace recipelint::rules {

/// The way of a value, source first: the row, the environment of the script, its assignments, and
/// where it is launched with it (`use`: the option, or the command). Empty if all of it is one
/// place: then there is no way to show.
std::vector<findings::FlowStep> flow_of(const text::Origin& origin, text::Span use);

}  // namespace recipelint::rules
