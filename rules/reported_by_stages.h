#pragma once

#include "rules/rule.h"

namespace recipelint::rules {

/// Rules whose findings a stage of the analysis makes while it reads: they have a page and a place
/// in the catalog, and nothing to run.
Rule unparsed_yaml();
Rule unused_ignore();
Rule ignore_without_reason();
Rule unknown_runner();
Rule schema();
Rule duplicate_key();
Rule duplicate_point();
Rule topology_row();

}  // namespace recipelint::rules
