#pragma once

#include <string_view>

namespace recipelint::space {

/// Whether a key of the changelog stands for this entry: '*' is any text, all else is literal.
bool matches_changelog_key(std::string_view pattern, std::string_view key);

/// Whether a pattern of `--config-keys` stands for this entry, as Python's fnmatch has it on Linux:
/// '*', '?', and '[...]' with ranges and '!'.
bool matches_glob(std::string_view pattern, std::string_view key);

}  // namespace recipelint::space
