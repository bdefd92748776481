#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analyzer/yaml/scalar.h"

namespace recipelint::yaml {

/// The tags that PyYAML's safe_load has constructors for, and the two (`<<` and `=`) that mean
/// something only as a key.
enum class Tag : std::uint8_t {
  kStr,
  kNull,
  kBool,
  kInt,
  kFloat,
  kTimestamp,
  kBinary,
  kMerge,
  kValue,
  kSeq,
  kOmap,
  kPairs,
  kMap,
  kSet,
};

/// Longest integer in decimal digits: where Python refuses to convert between int and str.
inline constexpr std::size_t kLongestInteger = 4300;

/// The tag that PyYAML's implicit resolvers give a plain scalar.
Tag resolve_tag(std::string_view plain);

/// The tag of a full name ("tag:yaml.org,2002:int"); nullopt if safe_load does not know it.
std::optional<Tag> tag_by_name(std::string_view name);

/// What PyYAML's constructor of a scalar tag makes of `text`; nullopt where it raises. The tag may
/// have been resolved or written (`!!int "5"`), so `text` can be anything. Of the texts that
/// Python's int() and float() take only with a written tag, those with blanks, a second sign or a
/// second prefix are refused too. `!!binary` gives the base64 text. Only for scalar tags.
std::optional<Scalar> construct(Tag tag, std::string_view text);

}  // namespace recipelint::yaml
