#pragma once

#include "analyzer/shell/value.h"

namespace recipelint::launch::recipe {

/// The JSON of `--speculative-config` with synthetic rejection sampling at an acceptance length, as
/// InferenceX's injector writes it: the keys in their order, the two new ones at the end, no
/// blanks. Text that is no JSON object, or is not known, is given back unchanged.
shell::Value with_synthetic_acceptance(const shell::Value& speculative_config,
                                       const shell::Value& length);

/// A number with six significant digits and no needless ones, as Python's "g" prints it; text that
/// is no number, or is not known, is given back unchanged.
shell::Value shortest_number(const shell::Value& number);

}  // namespace recipelint::launch::recipe
