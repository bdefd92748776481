#pragma once

#include <string_view>

namespace recipelint::facts {

/// The bytes of a data file by its name ("images.yaml"); empty for an unknown name.
std::string_view embedded_data(std::string_view file_name);

}  // namespace recipelint::facts
