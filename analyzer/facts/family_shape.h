#pragma once

#include <string>

#include "analyzer/facts/models.h"

namespace recipelint::facts {

/// What the shape of a family lacks for the formulas of its attention, or what in it does not fit
/// together; empty if it is complete.
std::string wrong_shape(const ModelFamily& family);

}  // namespace recipelint::facts
