#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analyzer/text/source_file.h"
#include "analyzer/yaml/failure.h"

namespace recipelint::yaml {

/// Turns an error of yaml-cpp at an offset of the file into a sentence that names the likely cause,
/// at the bytes to blame. `open_bracket`: the innermost bracket that is open there.
Failure explain_syntax_error(const text::SourceFile& file, std::string_view message,
                             std::uint32_t at, std::optional<std::uint32_t> open_bracket);

}  // namespace recipelint::yaml
