#pragma once

#include "rules/rule.h"

namespace recipelint::rules {

// The rules of group 3xxx: one function each, which catalog.cpp calls when the table of all rules
// is first asked for. Values made by functions have no order of initialization to go wrong.
Rule mutable_image_tag();   // RL3001
Rule expiring_image_tag();  // RL3002
Rule image_mismatch();      // RL3003
Rule image_form();          // RL3004

}  // namespace recipelint::rules
