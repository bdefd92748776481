#pragma once

#include "rules/rule.h"

namespace recipelint::rules {

Rule changelog_entry();  // RL9005

}  // namespace recipelint::rules
