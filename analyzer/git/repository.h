#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/git/object_id.h"
#include "analyzer/git/objects.h"
#include "analyzer/text/result.h"

namespace recipelint::git {

/// What is needed of a commit.
struct Commit {
  ObjectId tree;
  std::vector<ObjectId> parents;
  std::int64_t time = 0;  // of the committer, seconds since 1970
};

/// A git repository, read through its files: the git program, whose configuration can start other
/// programs, never runs. Linked work trees, packed references and borrowed objects are understood.
class Repository {
 public:
  /// The repository whose work tree holds `folder` (absolute): the nearest `.git` at or above it.
  /// Fails if there is none, or if it is kept in a way that is not understood.
  static text::Result<Repository> find(const std::string& folder);

  /// Where the work tree begins.
  const std::string& work_tree() const { return work_tree_; }
  const Objects& objects() const { return *objects_; }

  /// The commit that a revision names: a branch, tag or remote branch, a full reference, an id or
  /// the start of one, with any number of "~N", "^N" and "^{commit}" behind it. Fails with what to
  /// do about it.
  text::Result<ObjectId> resolve(std::string_view revision) const;
  text::Result<Commit> commit(const ObjectId& id) const;
  /// The best common ancestor of two commits; the newest if there are several. Nullopt if there is
  /// none, or the history is not all there.
  std::optional<ObjectId> merge_base(const ObjectId& a, const ObjectId& b) const;

  /// The branch that is checked out ("main"); empty if none is.
  std::string branch() const;
  /// A value of the repository's own configuration file; nullopt if it is not there. `section` is
  /// as written in lower case: `remote "origin"`, `extensions`.
  std::optional<std::string> configured(std::string_view section, std::string_view key) const;

 private:
  Repository() = default;
  std::optional<std::string> reference_file(const std::string& name) const;
  std::optional<ObjectId> packed_reference(std::string_view name) const;
  std::optional<ObjectId> reference(const std::string& name, int depth) const;
  std::optional<ObjectId> named(std::string_view name) const;
  text::Result<ObjectId> base_of(std::string_view name) const;
  text::Result<ObjectId> peeled(ObjectId id) const;
  text::Result<ObjectId> step(const ObjectId& id, std::string_view& suffix) const;

  std::string work_tree_;
  std::string git_folder_;     // HEAD of this work tree
  std::string common_folder_;  // objects and references
  std::string packed_references_;
  std::string configuration_;
  std::unique_ptr<Objects> objects_;
};

/// The value of a key in the text of a git configuration file; the last one counts.
std::optional<std::string> configuration_value(std::string_view text, std::string_view section,
                                               std::string_view key);

}  // namespace recipelint::git
