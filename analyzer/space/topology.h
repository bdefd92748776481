#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analyzer/space/expand.h"
#include "analyzer/yaml/document.h"

namespace recipelint::space {

/// Numbers that are equal for two rows exactly if the rows differ in nothing but concurrency and
/// evaluation: what the generator calls one parallelism configuration.
std::vector<std::uint32_t> topology_ids(std::span<const MatrixRow> matrix);

/// Appends a text that is equal for two nodes exactly if Python finds their values equal: the order
/// of mapping keys does not count, and 1, 1.0 and true are one value.
void append_canonical(std::string& out, yaml::Node node);

}  // namespace recipelint::space
