#pragma once

#include "rules/rule.h"

namespace recipelint::rules {

// The rules of group 8xxx; see rules/images/images.h for why these are functions.
Rule unknown_flag();                  // RL8001
Rule outdated_flag();                 // RL8002
Rule invalid_value();                 // RL8003
Rule conflicting_flags();             // RL8004
Rule unknown_environment_variable();  // RL8005

}  // namespace recipelint::rules
