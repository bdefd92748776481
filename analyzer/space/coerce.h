#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analyzer/space/decimal.h"
#include "analyzer/yaml/scalar.h"

namespace recipelint::space {

// What pydantic's lax mode, with which the validator reads its fields, makes of a YAML scalar. Each
// function gives nullopt where pydantic refuses the scalar.

/// Integers, booleans, floats without a fraction, and texts such as "8", " +8 ", "1_000" and "8.0".
/// Also nullopt for an integer that pydantic takes but that does not fit 64 bits.
std::optional<std::int64_t> lax_integer(const yaml::Scalar& scalar);
/// Integers only.
std::optional<std::int64_t> strict_integer(const yaml::Scalar& scalar);
/// Booleans, 0 and 1, and "yes", "no", "on", "off", "true", "false", "y", "n", "t", "f", "1", "0"
/// in any case.
std::optional<bool> lax_boolean(const yaml::Scalar& scalar);
/// A Literal[True] or Literal[False] compares with ==, which 0, 1, 0.0 and 1.0 pass.
std::optional<bool> literal_boolean(const yaml::Scalar& scalar);
/// Numbers and texts that hold one; the value as Decimal(str(value)). Not booleans: pydantic takes
/// them, but Decimal does not.
std::optional<Decimal> lax_decimal(const yaml::Scalar& scalar);

/// Python's truth value.
bool is_truthy(const yaml::Scalar& scalar);
/// Python's str() of the value.
std::string python_str(const yaml::Scalar& scalar);
/// The value for a message: "the string 'x'", "the integer 8", "null".
std::string describe(const yaml::Scalar& scalar);

}  // namespace recipelint::space
