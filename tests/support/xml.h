#pragma once

#include <string>
#include <string_view>

namespace recipelint::testing {

/// Why a document is not well-formed XML 1.0 in UTF-8, or "" if it is. Knows what reports use: a
/// declaration, elements, attributes, character data and the five named entities.
std::string xml_error(std::string_view document);

}  // namespace recipelint::testing
