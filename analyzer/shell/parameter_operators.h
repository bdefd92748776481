#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "analyzer/shell/ast.h"
#include "analyzer/shell/expansion_sinks.h"
#include "analyzer/shell/value.h"

namespace recipelint::shell {

/// ${v#p}, ${v##p}, ${v%p}, ${v%%p}.
Value remove_pattern(const Value& value, const PatternText& pattern, ParameterOperator op,
                     PatternOptions options);
/// ${v/p/r} and its variants.
Value replace_pattern(const Value& value, const PatternText& pattern, const Value& replacement,
                      ParameterOperator op, PatternOptions options);
/// ${v^p}, ${v^^p}, ${v,p}, ${v,,p}; an empty pattern matches every character.
Value change_case(const Value& value, const PatternText& pattern, ParameterOperator op,
                  PatternOptions options);
/// Characters [offset, offset + length) with bash's rules for negative numbers; `length` counts
/// from the end if negative. nullopt-like failure: a negative result of the subtraction gives
/// unknown text with that cause.
Value substring_of(const Value& value, std::int64_t offset, const std::int64_t* length);
/// ${v@U}, ${v@L}, ${v@u}, ${v@Q}, ${v@E}; other letters leave the value alone.
Value transform_value(const Value& value, char letter);

}  // namespace recipelint::shell
