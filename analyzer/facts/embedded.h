#pragma once

#include <string_view>

namespace recipelint::facts {

/// The bytes of a data file by its name ("images.yaml"); empty for an unknown name. Decompresses it
/// on first use; valid as long as the program runs. Safe to call from several threads.
std::string_view embedded_data(std::string_view file_name);

}  // namespace recipelint::facts
