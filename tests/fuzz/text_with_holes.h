#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "analyzer/shell/value.h"

namespace recipelint::fuzz {

/// Stands for an unknown piece in an input.
inline constexpr char kUnknown = '\x01';

inline shell::Value text_with_holes(std::string_view text) {
  shell::Value value;
  while (!text.empty()) {
    const auto end = std::min(text.find(kUnknown), text.size());
    value.append(shell::Value::of(std::string(text.substr(0, end))));
    if (end < text.size()) value.append(shell::Value::unknown("input"));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return value;
}

}  // namespace recipelint::fuzz
