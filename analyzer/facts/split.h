#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace recipelint::facts {

/// The parts of a text between separators; none of an empty text.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

}  // namespace recipelint::facts
