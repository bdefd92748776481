#pragma once

#include <string>

#include "analyzer/text/result.h"

namespace recipelint::app {

/// The bytes of the file at a path of the command line, which may lie anywhere.
text::Result<std::string> read_anywhere(const std::string& path);

}  // namespace recipelint::app
