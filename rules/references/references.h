#pragma once

#include "rules/rule.h"

namespace recipelint::rules {

// The rules of group 5xxx; see rules/images/images.h for why these are functions.
Rule missing_script();        // RL5001
Rule missing_recipe_file();   // RL5002
Rule unreached_file();        // RL5004
Rule missing_sourced_file();  // RL5005

}  // namespace recipelint::rules
