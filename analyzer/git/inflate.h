#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "analyzer/git/file.h"

namespace recipelint::git {

/// The zlib stream at a place of a file, which must give exactly `size` bytes; nullopt otherwise.
std::optional<std::string> inflate_exactly(const File& file, std::uint64_t offset,
                                           std::size_t size);

/// The zlib stream that a whole file is; nullopt if it is damaged or gives more than `most` bytes.
std::optional<std::string> inflate_all(const File& file, std::size_t most);

}  // namespace recipelint::git
