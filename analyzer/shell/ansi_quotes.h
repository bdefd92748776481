#pragma once

#include <string>
#include <string_view>

namespace recipelint::shell {

/// The text that $'...' stands for, given what is between the quotes. As in bash, the text ends at
/// an escape that gives NUL.
std::string decode_ansi_quotes(std::string_view quoted);

}  // namespace recipelint::shell
