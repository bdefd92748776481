#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace recipelint::report {

/// The first paragraph of prose of a Markdown page on one line, cut after `most_bytes` at the end
/// of a word; headings, lists, quotes, tables and code blocks are passed over. Empty if there is
/// none.
std::string first_paragraph(std::string_view page, std::size_t most_bytes);

/// What follows the line that is exactly `heading` ("## What it finds"); the whole page without
/// one.
std::string_view below_heading(std::string_view page, std::string_view heading);

}  // namespace recipelint::report
