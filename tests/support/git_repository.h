#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace recipelint::testing {

/// A git repository in a folder that disappears with the object, made with the git program and no
/// configuration but its own. A failing git throws.
class GitRepository {
 public:
  /// `arguments` go to `git init`: {"--object-format=sha256"}.
  explicit GitRepository(const std::vector<std::string>& arguments = {});

  std::string path() const { return folder_.path().string(); }
  /// Writes a file of the work tree.
  void write(std::string_view name, std::string_view bytes) const { folder_.write(name, bytes); }
  /// Runs git in the work tree; gives what it prints, without the last line break.
  std::string git(const std::vector<std::string>& arguments) const;
  /// Commits all that is there; gives the commit's id.
  std::string commit(const std::string& message = "change") const;
  /// Puts the files of a folder there, in place of all others, and commits them.
  std::string commit_folder(const std::string& folder) const;
  void replace_files(const std::string& folder) const;

 private:
  TemporaryFolder folder_;
  mutable int commits_ = 0;
};

}  // namespace recipelint::testing
