#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace recipelint::report {

using Json = nlohmann::ordered_json;

inline constexpr int kCompact = -1;
inline constexpr int kIndented = 2;

/// The document as text. Input that is not UTF-8 is shown with U+FFFD.
inline std::string to_text(const Json& document, int indentation) {
  return document.dump(indentation, ' ', false, Json::error_handler_t::replace);
}

}  // namespace recipelint::report
