#pragma once

#include "rules/rule.h"

namespace recipelint::rules {

// The rules of group 1xxx; see rules/images/images.h for why these are functions.
Rule unparsed_shell();  // RL1001
Rule analysis_limit();  // RL1003

}  // namespace recipelint::rules
