#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace recipelint::shell {

/// "-eq" and its kin of test and [[; any other operator counts as "-ge".
bool compare_numbers(std::string_view op, std::int64_t left, std::int64_t right);
/// What test takes for an integer: decimal, perhaps with a sign, perhaps between blanks.
std::optional<std::int64_t> decimal(std::string_view text);

}  // namespace recipelint::shell
