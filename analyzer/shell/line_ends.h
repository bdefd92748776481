#pragma once

#include <string>

#include "analyzer/shell/session.h"

namespace recipelint::shell {

/// Reports a script whose lines end in CRLF. It is evaluated as if they ended in LF, while bash
/// takes the carriage return as part of the last word of each line, and so refuses most of such
/// scripts. `path` is relative to the root. The subject of the diagnostic is kCrlfSubject.
void report_line_ends(Session& session, const World& world, const std::string& path);

inline constexpr const char* kCrlfSubject = "CRLF";

}  // namespace recipelint::shell
