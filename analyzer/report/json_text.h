#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace recipelint::report {

using Json = nlohmann::ordered_json;

inline constexpr int kCompact = -1;
inline constexpr int kIndented = 2;

/// The document as ASCII text, so that no character of the input can act on a terminal. Input that
/// is not UTF-8 is shown with U+FFFD.
inline std::string to_text(const Json& document, int indentation) {
  constexpr bool kEscapeAllButAscii = true;
  return document.dump(indentation, ' ', kEscapeAllButAscii, Json::error_handler_t::replace);
}

}  // namespace recipelint::report
