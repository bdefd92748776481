#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/app/analysis.h"
#include "analyzer/git/git_tree.h"
#include "analyzer/git/repository.h"
#include "analyzer/report/report.h"

namespace recipelint::app {

/// An older revision of a repository, read from its git objects.
struct Revision {
  std::unique_ptr<git::Repository> git;
  LoadedRepository repository;
  /// What the user should know about the choice; a line, or empty.
  std::string note;
};

/// The revision that --diff-base names: where the history of what is checked out left that of
/// `options.diff_base`, so that what happened there since is no part of the change. It is judged
/// with the configuration of today. A shallow clone may not know that commit; then the named one
/// itself is taken, and a note says so. Fails if there is no git repository or no such revision.
text::Result<std::unique_ptr<Revision>> load_revision(const LoadedRepository& now,
                                                      const CheckOptions& options);

/// The commit that is checked out in a root that is the top of a git work tree, with the address of
/// `origin` (credentials left out); nullopt if it has none.
std::optional<report::VersionControl> version_control_of(const std::string& root);

/// "git@host:owner/repo.git", "https://user:secret@host/owner/repo.git" ->
/// "https://host/owner/repo"; empty for what is not on a server.
std::string repository_uri(std::string_view remote);

}  // namespace recipelint::app
