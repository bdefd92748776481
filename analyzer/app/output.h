#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>

#include "analyzer/text/result.h"

namespace recipelint::app {

/// Writes a whole document to a file, or nothing: it is written beside the file under another name
/// first and takes its place when it is complete. Fails with the cause.
std::optional<text::Error> write_file(const std::string& path,
                                      const std::function<void(std::ostream&)>& write);

}  // namespace recipelint::app
