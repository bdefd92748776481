#pragma once

#include "rules/rule.h"

namespace recipelint::rules {

// The rules of group 7xxx; see rules/images/images.h for why these are functions.
Rule mtp_chat_template();    // RL7001
Rule acceptance_length();    // RL7002
Rule prefix_cache_policy();  // RL7003
Rule unpinned_install();     // RL7004
Rule client_concurrency();   // RL7005
Rule retired_scenario();     // RL7006
Rule pull_request_text();    // RL9006

}  // namespace recipelint::rules
