#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analyzer/app/options.h"
#include "analyzer/facts/catalog.h"
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
  std::unique_ptr<text::DiskTree> tree;
  std::unique_ptr<text::SourceStore> sources;
  std::unique_ptr<layout::Workspace> workspace;
  /// What the user named, relative to the root and normalized; empty: the root.
  std::vector<std::string> named;
  /// Named paths that do not exist.
  std::vector<std::string> missing;
};

/// Finds the root of the given paths, reads what lies below it. Fails, for exit code 2, if there is
/// no such root, a path lies outside it, or nothing below it is recognised.
text::Result<LoadedRepository> load_repository(const SharedOptions& options);

/// What rules said about a repository, and what should come of it.
struct Analysis {
  report::Report report;
  /// Something could not be read or analysed at all: exit code 3.
  bool incomplete = false;
  /// Named files that no cell has to do with.
  std::vector<std::string> unaffecting;
};

/// Runs the selected rules over a repository.
Analysis analyse(const LoadedRepository& repository, const CheckOptions& options,
                 const rules::Selection& selection, const facts::Catalog& facts);

}  // namespace recipelint::app
