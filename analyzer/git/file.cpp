#include "analyzer/git/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "analyzer/text/file_tree.h"

namespace recipelint::git {

text::Result<std::shared_ptr<const File>> File::open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) {
    return text::Error{fmt::format("cannot read '{}': {}", path, std::strerror(errno)), {}};
  }
  struct stat info {};
  if (::fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(descriptor);
    return text::Error{fmt::format("cannot read '{}': it is not a regular file", path), {}};
  }
  return std::shared_ptr<const File>(
      new File(descriptor, static_cast<std::uint64_t>(info.st_size)));
}

File::~File() {
  ::close(descriptor_);
}

std::string File::read(std::uint64_t offset, std::size_t count) const {
  std::string bytes(count, '\0');
  std::size_t used = 0;
  while (used < count) {
    const ssize_t got =
        ::pread(descriptor_, bytes.data() + used, count - used, static_cast<off_t>(offset + used));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    used += static_cast<std::size_t>(got);
  }
  bytes.resize(used);
  return bytes;
}

text::Result<std::string> read_small_file(const std::string& path) {
  const auto file = File::open(path);
  if (!file) return file.error();
  const std::uint64_t size = (*file)->size();
  if (size > text::DiskTree::kLargestFileBytes) {
    return text::Error{fmt::format("cannot read '{}': it has {} bytes", path, size), {}};
  }
  return (*file)->read(0, static_cast<std::size_t>(size));
}

}  // namespace recipelint::git
