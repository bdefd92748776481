#pragma once

#include <string_view>

namespace recipelint::report {

/// A strict order for names that people read, in which "conc8" comes before "conc16": runs of
/// digits compare as numbers, everything else bytewise.
bool before_by_number(std::string_view a, std::string_view b);

}  // namespace recipelint::report
