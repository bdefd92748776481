#pragma once

#include <vector>

#include "analyzer/findings/finding.h"
#include "analyzer/text/origin.h"

namespace recipelint::rules {

/// The way of a value from the search space to the argument, source first. Empty if it came from
/// one place only: then there is no way to show.
std::vector<findings::FlowStep> flow_of(const text::Origin& origin);

}  // namespace recipelint::rules
