#pragma once

#include <memory>
#include <string_view>

#include "analyzer/shell/ast.h"
#include "analyzer/text/source_file.h"

namespace recipelint::shell {

/// Parses a whole script. Never fails: what cannot be understood becomes an Unparsed statement and a
/// problem. `file` must outlive the script.
std::shared_ptr<const Script> parse_script(const text::SourceFile& file);

}  // namespace recipelint::shell
