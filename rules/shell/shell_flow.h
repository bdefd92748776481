#pragma once

#include "rules/rule.h"

namespace recipelint::rules {

// The rules of group 6xxx; see rules/images/images.h for why these are functions.
Rule unset_variable();    // RL6002
Rule stray_command();     // RL6003
Rule cell_refused();      // RL6005
Rule repeated_flag();     // RL6006
Rule bad_arithmetic();    // RL6008
Rule invalid_document();  // RL6009

}  // namespace recipelint::rules
