#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/space/problem.h"
#include "analyzer/yaml/document.h"

namespace recipelint::space {

/// RL9002 for each key that a mapping of the document repeats.
void report_duplicate_keys(const yaml::Document& document, std::vector<Problem>& problems);

/// Puts the problems from index `begin` on into the order of their places.
void sort_from(std::vector<Problem>& problems, std::size_t begin);

}  // namespace recipelint::space
