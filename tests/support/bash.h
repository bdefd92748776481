#pragma once

#include <string>
#include <string_view>

namespace recipelint::testing {

/// What the real bash prints (both streams) when it runs `script`. bash is the judge of how a
/// script parses, so a test that needs it fails without it.
std::string run_bash(std::string_view script);

/// bash's own rendering of the parse tree of `statements`: the body of a function, as "declare -f"
/// prints it. Ends in an error message if bash rejects the text.
std::string bash_rendering(std::string_view statements);

/// Whether bash prints the commands in $(...) from its parse tree (5.2 and later), not as written.
bool bash_renders_substitutions();

}  // namespace recipelint::testing
