#pragma once

#include <span>
#include <string>
#include <string_view>

namespace recipelint::shell {

/// What is wrong with the numbers of a call that the real command certainly refuses: "'seq' cannot
/// count in steps of '0'". Empty if nothing is, or if that is not certain.
std::string refused_numbers(std::string_view name, std::span<const std::string> arguments);

}  // namespace recipelint::shell
