#pragma once

#include <vector>

#include "analyzer/space/problem.h"
#include "analyzer/space/search_space.h"

namespace recipelint::space {

/// What a change did to the changelog.
struct ChangelogChange {
  /// The entries that it added, wherever they stand, in the order of the file. Pointers into the
  /// newer changelog.
  std::vector<const ChangelogEntry*> added;
  std::vector<Problem> problems;
};

/// Compares a changelog with an older revision of itself, by the rules of InferenceX's
/// `process_changelog.py` and `validate_perf_changelog.py`. The file is a running log, so a change
/// may append entries, each behind exactly one empty line, or correct the pr-link of older ones,
/// and nothing else: not both at once, and no byte of the history may change. Entries that are
/// gone, changed or moved are errors, since the gate of a pull request refuses deleted lines. What
/// only the tool for merges refuses is a warning: entries before older ones, other bytes, and a new
/// pr-link that is neither a placeholder nor a pull request of the repository that the older links
/// name.
ChangelogChange compare_changelogs(const Changelog& before, const Changelog& now);

}  // namespace recipelint::space
