#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "analyzer/text/result.h"

namespace recipelint::git {

/// A file of a git directory, read at any place. Safe to use from several threads.
class File {
 public:
  /// Fails if there is no regular file of this name.
  static text::Result<std::shared_ptr<const File>> open(const std::string& path);
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File();

  std::uint64_t size() const { return size_; }
  /// Up to `count` bytes from `offset`; fewer at the end of the file, or if it cannot be read.
  std::string read(std::uint64_t offset, std::size_t count) const;

 private:
  File(int descriptor, std::uint64_t size) : descriptor_(descriptor), size_(size) {}

  int descriptor_;
  std::uint64_t size_;
};

/// A whole small file, such as HEAD: fails above 64 MiB, or if there is no regular file.
text::Result<std::string> read_small_file(const std::string& path);

}  // namespace recipelint::git
