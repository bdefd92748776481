#pragma once

#include "analyzer/app/options.h"
#include "analyzer/layout/bare_script.h"
#include "analyzer/text/result.h"

namespace recipelint::app {

/// What the options --set, --image, --gpu and --model say about the run of a script. Fails on
/// values that are none.
text::Result<layout::GivenRun> given_run(const SharedOptions& options);

/// Adds what --cell says, which without a search space describes the cell instead of choosing
/// some. Fails on a field that is none of layout::kGivenFields, and on values that are none.
text::Result<layout::GivenRun> with_cell_fields(layout::GivenRun run, const SharedOptions& options);

}  // namespace recipelint::app
