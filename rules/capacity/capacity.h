#pragma once

#include "rules/rule.h"

namespace recipelint::rules {

// The rules of group 2xxx; see rules/images/images.h for why these are functions.
Rule spec_decode_cudagraph_coverage();  // RL2001
Rule rank_sequence_headroom();          // RL2002
Rule kv_memory_fit();                   // RL2003
Rule weights_do_not_fit();              // RL2004
Rule step_token_budget();               // RL2005
Rule committed_length();                // RL2006
Rule host_memory_budget();              // RL2007
Rule graphs_disabled();                 // RL2008

}  // namespace recipelint::rules
