#include "analyzer/git/inflate.h"

#include <zlib.h>

#include <algorithm>

namespace recipelint::git {
namespace {

constexpr std::size_t kChunk = 1u << 15u;

/// Feeds a stream from a file, chunk by chunk.
class Inflater {
 public:
  Inflater(const File& file, std::uint64_t offset) : file_(file), offset_(offset) {
    ready_ = ::inflateInit(&stream_) == Z_OK;
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() {
    if (ready_) ::inflateEnd(&stream_);
  }

  /// Appends what fits into `room` bytes; false if the stream is damaged or cut short.
  bool append(std::string& out, std::size_t room) {
    const std::size_t before = out.size();
    out.resize(before + room);
    stream_.next_out = reinterpret_cast<Bytef*>(out.data() + before);
    stream_.avail_out = static_cast<uInt>(room);
    bool sound = ready_;
    while (sound && !ended_ && stream_.avail_out > 0) sound = step();
    out.resize(out.size() - stream_.avail_out);
    return sound;
  }
  /// Whether the stream is at its end, reading what is left of it.
  bool ends_here() {
    Bytef nothing = 0;
    stream_.next_out = &nothing;
    stream_.avail_out = 1;
    while (!ended_ && stream_.avail_out > 0) {
      if (!step()) return false;
    }
    return ended_ && stream_.avail_out == 1;
  }
  bool ended() const { return ended_; }

 private:
  bool step() {
    if (stream_.avail_in == 0) {
      input_ = file_.read(offset_, kChunk);
      if (input_.empty()) return false;
      offset_ += input_.size();
      stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
      stream_.avail_in = static_cast<uInt>(input_.size());
    }
    const int code = ::inflate(&stream_, Z_NO_FLUSH);
    ended_ = code == Z_STREAM_END;
    return ended_ || code == Z_OK || code == Z_BUF_ERROR;
  }

  const File& file_;
  std::uint64_t offset_;
  std::string input_;
  z_stream stream_{};
  bool ready_ = false;
  bool ended_ = false;
};

}  // namespace

std::optional<std::string> inflate_exactly(const File& file, std::uint64_t offset,
                                           std::size_t size) {
  Inflater inflater(file, offset);
  std::string bytes;
  if (!inflater.append(bytes, size) || bytes.size() != size) return std::nullopt;
  if (!inflater.ends_here()) return std::nullopt;
  return bytes;
}

std::optional<std::string> inflate_all(const File& file, std::size_t most) {
  Inflater inflater(file, 0);
  std::string bytes;
  while (!inflater.ended()) {
    if (bytes.size() >= most) return std::nullopt;
    const std::size_t room = std::min(most - bytes.size(), std::max(kChunk, bytes.size()));
    if (!inflater.append(bytes, room)) return std::nullopt;
  }
  return bytes;
}

}  // namespace recipelint::git
