#pragma once

#include <string_view>

namespace recipelint::shell {

/// What a CommandUse is called that stands for a script which a shell was to run and which is not in
/// the tree, or whose path is not known.
inline constexpr std::string_view kHostScript = "a script of the host";

}  // namespace recipelint::shell
