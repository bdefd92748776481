#pragma once

#include <optional>

#include "analyzer/facts/date.h"
#include "analyzer/facts/release.h"

namespace recipelint::facts {

/// The day that a release number stands for. Where an engine is used from builds of a day more than
/// from releases, tables name the day (UTC) on which something came to main: 2026.7.23. Nullopt for
/// the number of a real release.
std::optional<Date> day_of(const Release& release);

}  // namespace recipelint::facts
