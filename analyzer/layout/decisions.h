#pragma once

#include "analyzer/layout/profile.h"

namespace recipelint::layout {

/// Finds the variables on which it depends which script or recipe a row starts, or that it is
/// rejected: those that deciding guards and templates read, and those that give these their values,
/// in whatever order the steps are. Marks the steps and assignments that decide or set one of them
/// lists the names in Profile::deciding, and sets Profile::mode_decides.
void mark_decisions(Profile& profile);

}  // namespace recipelint::layout
