#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/layout/workspace.h"

namespace recipelint::layout {

/// The words of a text that stand for something that is filled in before it is used: "__HF_HOME__",
/// two underscores on both sides of capital letters.
std::vector<std::string> placeholders_in(std::string_view text);

/// Whether something that prepares the recipes of a site could fill in a placeholder: a file in the
/// folder of its launchers, or a workflow of the repository, mentions it, or builds such words of
/// parts (`__${NAME}__`, `__[A-Z_]*__`). What cannot be read counts.
bool may_be_filled_in(const Workspace& workspace, const Site& site, std::string_view placeholder);

}  // namespace recipelint::layout
