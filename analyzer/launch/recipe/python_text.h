#pragma once

#include <optional>
#include <string>

#include "analyzer/launch/recipe/merged_node.h"
#include "analyzer/yaml/scalar.h"

namespace recipelint::launch::recipe {

/// What Python's str() makes of a value that safe_load gave: "True", "0.9", "1e-05".
std::string python_str(const yaml::Scalar& scalar);
/// repr() of a double: the shortest decimal that reads back as it.
std::string python_repr(double number);

/// The scalar as YAML that reads back as the same value; strings are quoted unless they are plain
/// words.
std::string flow_scalar(const yaml::Scalar& scalar);
/// The value as a line of YAML that reads back as the same value, in flow style.
std::string flow_yaml(const MergedNode& node);

}  // namespace recipelint::launch::recipe
