#pragma once

#include <string_view>

namespace recipelint::yaml {

/// Whether PyYAML resolves a plain scalar to a date or a date with time; by its shape alone, so
/// `2020-13-01` is one.
bool is_timestamp(std::string_view text);

/// Whether PyYAML's constructor makes a date of `text`. It takes `2001-1-1` too, which the resolver
/// does not, and refuses dates and times that do not exist.
bool is_valid_timestamp(std::string_view text);

}  // namespace recipelint::yaml
