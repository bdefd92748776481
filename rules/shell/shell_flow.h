#pragma once

#include "rules/rule.h"

namespace recipelint::rules {

// The rules of group 6xxx; see rules/images/images.h for why these are functions.
Rule dead_value();            // RL6001
Rule unset_variable();        // RL6002
Rule stray_command();         // RL6003
Rule helper_contract();       // RL6004
Rule cell_refused();          // RL6005
Rule repeated_flag();         // RL6006
Rule environment_contract();  // RL6007
Rule bad_arithmetic();        // RL6008
Rule invalid_document();      // RL6009

}  // namespace recipelint::rules
