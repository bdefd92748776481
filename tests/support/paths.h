#pragma once

#include <string>

namespace recipelint::testing {

/// The root of the source tree, and the built program.
std::string source_dir();
std::string program_path();

}  // namespace recipelint::testing
