#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rules/cell_diagnostics.h"
#include "rules/rule.h"

namespace recipelint::rules {

/// An option of an engine that an unset variable leaves without its value.
struct LostValue {
  std::string option;
  std::string_view engine;
};

/// `placed` is of the kind kUnsetExpansion. Nullopt if the expansion is not all of the value of an
/// option that one of the cells starts an engine with.
std::optional<LostValue> lost_value(const RuleContext& context, const PlacedDiagnostic& placed);

}  // namespace recipelint::rules
