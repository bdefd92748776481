#pragma once

#include <span>
#include <string_view>

namespace recipelint::space {

/// The candidate that is closest to a misspelled name (optimal string alignment: insertions,
/// deletions, substitutions and swaps of neighbours count 1), the first of equally close ones.
/// Empty if none is close enough to be what was meant: more than a third of the name's letters
/// differ.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace recipelint::space
