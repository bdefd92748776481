#pragma once

#include <memory>
#include <string>

#include "analyzer/app/analysis.h"
#include "analyzer/app/options.h"
#include "analyzer/layout/pull_request_contract.h"
#include "analyzer/text/result.h"
#include "analyzer/text/source_file.h"

namespace recipelint::app {

/// The name that findings about the title of a pull request have for a file.
inline constexpr std::string_view kTitleName = "pull-request-title";

/// The text of a pull request, in files that findings can point into. What was not given is null.
struct PullRequestText {
  std::unique_ptr<const text::SourceFile> title;
  std::unique_ptr<const text::SourceFile> body;
};

/// What the command line gives. The body may lie anywhere, and goes by its path below `root` if it
/// lies there; fails if it cannot be read.
text::Result<PullRequestText> read_pull_request(const CheckOptions& options,
                                                const std::string& root);

/// What the repository demands: what its configuration says, else what its profile knows if a file
/// of the tree states it.
layout::PullRequestContract pull_request_contract(const LoadedRepository& repository);

}  // namespace recipelint::app
