#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/git/object_id.h"
#include "analyzer/git/pack.h"

namespace recipelint::git {

/// The objects of a repository: loose ones, packs, and those of the repositories that it borrows
/// from (`objects/info/alternates`). Safe to use from several threads.
class Objects {
 public:
  /// `folder` is the "objects" of a git directory. What cannot be read in it is left out.
  Objects(const std::string& folder, std::size_t id_size);

  /// Fails, naming the object, if it is missing or damaged.
  text::Result<Object> read(const ObjectId& id) const;
  bool has(const ObjectId& id) const;
  /// The ids that start with these lower-case hexadecimal digits (at least four), each once; more
  /// than one if the digits do not tell.
  std::vector<ObjectId> with_prefix(std::string_view digits) const;

 private:
  void add_folder(const std::string& folder, int depth);
  std::optional<Object> read_loose(const ObjectId& id) const;

  std::size_t id_size_;
  std::vector<std::string> folders_;
  std::vector<std::unique_ptr<Pack>> packs_;
};

}  // namespace recipelint::git
