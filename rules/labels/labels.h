#pragma once

#include "rules/rule.h"

namespace recipelint::rules {

// The rules of group 4xxx; see rules/images/images.h for why these are functions.
Rule parallelism_label();    // RL4001
Rule speculation_label();    // RL4002
Rule ignored_field();        // RL4003
Rule concurrency_list();     // RL4004
Rule worker_count();         // RL4005
Rule kv_offload_label();     // RL4006
Rule topology_arithmetic();  // RL4007

}  // namespace recipelint::rules
