#pragma once

#include <string>
#include <vector>

namespace recipelint::bench {

/// The files that a check of the repository at `root` parses: the YAML that a default run reads and
/// the scripts that its cells reach. Sorted, relative to the root; empty if there is nothing.
std::vector<std::string> parsed_files(const std::string& root);

}  // namespace recipelint::bench
