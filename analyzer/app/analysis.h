#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/app/baseline.h"
#include "analyzer/app/configuration.h"
#include "analyzer/app/options.h"
#include "analyzer/app/scope.h"
#include "analyzer/facts/catalog.h"
#include "analyzer/findings/notification.h"
#include "analyzer/layout/workspace.h"
#include "analyzer/report/report.h"
#include "analyzer/text/file_tree.h"
#include "analyzer/text/result.h"
#include "analyzer/text/source_store.h"
#include "rules/rule.h"
#include "rules/selection.h"

namespace recipelint::app {

/// A repository that was read, with everything that spans of it point into.
struct LoadedRepository {
  /// Where it lies on disk: absolute, without symbolic links.
  std::string root;
  std::unique_ptr<text::FileTree> tree;
  std::unique_ptr<text::SourceStore> sources;
  /// A further folder in which recipes are looked up. Its files are called as if the user had named
  /// them: relative to the root if the folder lies in it, else with the folder as it was given.
  struct RecipePath {
    std::unique_ptr<text::DiskTree> tree;
    std::unique_ptr<text::SourceStore> sources;
  };
  std::vector<RecipePath> recipe_paths;
  Configuration configuration;
  std::unique_ptr<layout::Workspace> workspace;
  /// What the user named, relative to the root and normalized; empty: the root.
  std::vector<std::string> named;
  /// Named paths that are neither files nor folders, each with the reason.
  std::vector<findings::Notification> unreadable;
};

/// Finds the root of the given paths, reads what lies below it. Fails, for exit code 2, if there is
/// no such root, its configuration is wrong, a path lies outside it, or nothing below it is
/// recognised.
text::Result<LoadedRepository> load_repository(const SharedOptions& options);

/// Reads the workspace of an older revision, whose tree and configuration are set, as `now` was
/// read. Fails if `options` does.
std::optional<text::Error> load_older_workspace(LoadedRepository& old, const LoadedRepository& now,
                                                const SharedOptions& options);

/// What rules said about a repository, and what should come of it.
struct Analysis {
  report::Report report;
  /// Something could not be read or analysed at all: exit code 3.
  bool incomplete = false;
  /// Named files that no cell has to do with.
  std::vector<std::string> unaffecting;
  /// All findings but those that comments suppress, for a new baseline.
  Baseline found;
};

/// The facts to judge with: the embedded ones, with those of the configuration before them. Fails
/// with the place of what is wrong in that file.
text::Result<std::unique_ptr<const facts::Catalog>> load_facts(const LoadedRepository& repository);

/// What the user asked for, with the cells that read what was named.
Scope scope_of(const LoadedRepository& repository, const facts::Catalog& facts, unsigned threads);

/// What could not be read below the root so far, each at Level::kError.
std::vector<findings::Notification> unreadable_input(const LoadedRepository& repository);
/// For commands without a report: says in one line each what could not be read or parsed. Gives the
/// exit code.
int say_what_was_unreadable(const LoadedRepository& repository, std::ostream& out);

struct PullRequestText;

/// What is known already, and so not reported.
struct Known {
  const Baseline& baseline;
  /// An older revision, with what the same rules say about it; null without --diff-base.
  const LoadedRepository* older = nullptr;
  const Analysis* older_analysis = nullptr;
};

/// Runs the selected rules over a repository, and over the text of a pull request, which must
/// outlive the result.
Analysis analyse(const LoadedRepository& repository, const CheckOptions& options,
                 const rules::Selection& selection, const facts::Catalog& facts,
                 const Known& known, const PullRequestText& pull_request);

/// Whether there is anything in a workspace that rules could judge.
bool recognised(const layout::Workspace& workspace);

}  // namespace recipelint::app
