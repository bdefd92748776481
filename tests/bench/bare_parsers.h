#pragma once

#include <string>
#include <string_view>

/// The parsers that recipelint is built on, without anything around them.
namespace recipelint::bench {

bool is_script(std::string_view path);
/// tree-sitter's tree of a bash script; gives its number of nodes.
std::size_t parse_bare_script(const std::string& bytes);
/// yaml-cpp's events; stops at the first error.
void read_bare_yaml(const std::string& bytes);

}  // namespace recipelint::bench
