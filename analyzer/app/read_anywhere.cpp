#include "analyzer/app/read_anywhere.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "analyzer/text/file_tree.h"

namespace recipelint::app {

text::Result<std::string> read_anywhere(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path resolved = fs::canonical(path, error);
  if (error) {
    return text::Error{fmt::format("cannot read '{}': {}", path, error.message()), {}};
  }
  if (fs::is_directory(resolved, error)) {
    return text::Error{fmt::format("cannot read '{}': it is a folder", path), {}};
  }
  const auto folder = text::DiskTree::open(resolved.parent_path().string());
  if (!folder) return folder.error();
  return folder->read(resolved.filename().string());
}

}  // namespace recipelint::app
