#pragma once

#include <memory>
#include <string_view>

#include "analyzer/shell/ast.h"
#include "analyzer/text/source_file.h"

namespace recipelint::shell {

/// Parses a whole script. Never fails: what cannot be understood becomes an Unparsed statement and
/// a problem. `file` must outlive the script.
std::shared_ptr<const Script> parse_script(const text::SourceFile& file);

/// Parses a text that exists only at run time (of bash -c, eval or trap). Every span of the result
/// is `blame`, whose file must outlive the script; `text` need not.
std::shared_ptr<const Script> parse_text(std::string_view text, text::Span blame);

}  // namespace recipelint::shell
