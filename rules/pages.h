#pragma once

#include <string_view>

namespace recipelint::rules {

/// The Markdown page of a rule by its file name ("mutable_image_tag.md"); empty for an unknown
/// name.
std::string_view embedded_pages(std::string_view file_name);

}  // namespace recipelint::rules
