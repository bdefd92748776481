#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace recipelint::yaml {

struct Null {
  friend bool operator==(Null, Null) = default;
};

/// An integer that does not fit 64 bits; the decimal digits as Python would print it.
struct BigInteger {
  std::string digits;
  friend bool operator==(const BigInteger&, const BigInteger&) = default;
};

/// A date or a date with time; the text as written (nothing here computes with dates of YAML
/// files).
struct Timestamp {
  std::string text;
  friend bool operator==(const Timestamp&, const Timestamp&) = default;
};

/// The value of a scalar as PyYAML's safe_load gives it.
using Scalar = std::variant<Null, bool, std::int64_t, BigInteger, double, Timestamp, std::string>;

/// Resolves a plain (unquoted) scalar by PyYAML's YAML 1.1 rules. `=`, `<<` and impossible dates,
/// which PyYAML refuses, give the text as a string here; the document parser refuses them.
Scalar resolve_plain(std::string_view text);

/// "null", "bool", "int", "float", "date" or "str", as Python would name the type.
std::string_view type_name(const Scalar& scalar);

}  // namespace recipelint::yaml
