#include "analyzer/facts/embedded.h"

#define ZLIB_CONST  // what is read stays const
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>

namespace recipelint::facts {

/// As embed.cmake lays it out; empty for an unknown name.
std::string_view embedded_compressed_data(std::string_view file_name);

namespace {

constexpr std::size_t kTrailerSize = 8;  // of a member of RFC 1952: CRC and size
constexpr std::size_t kSizeBegin = 4;

std::size_t size_in_trailer(std::string_view trailer) {
  std::size_t size = 0;
  for (std::size_t i = kTrailerSize; i > kSizeBegin; --i) {
    size = size << 8 | static_cast<std::uint8_t>(trailer[i - 1]);
  }
  return size;
}

/// The build compressed it: what cannot be read is a defect of the program.
std::string decompressed(std::string_view member) {
  if (member.size() < kTrailerSize) throw std::logic_error("an embedded data file is cut off");
  const std::string_view deflated = member.substr(0, member.size() - kTrailerSize);
  std::string bytes(size_in_trailer(member.substr(deflated.size())), '\0');
  z_stream stream = {};
  if (::inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  stream.next_in = reinterpret_cast<const Bytef*>(deflated.data());
  stream.avail_in = static_cast<uInt>(deflated.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  const int code = ::inflate(&stream, Z_FINISH);
  ::inflateEnd(&stream);
  if (code != Z_STREAM_END || stream.avail_out != 0) {
    throw std::logic_error("an embedded data file is damaged");
  }
  return bytes;
}

}  // namespace

std::string_view embedded_data(std::string_view file_name) {
  static std::mutex mutex;
  static std::map<std::string, std::string, std::less<>> contents;
  const std::string_view member = embedded_compressed_data(file_name);
  if (member.empty()) return {};
  const std::lock_guard lock(mutex);
  auto found = contents.find(file_name);
  if (found == contents.end()) {
    found = contents.emplace(std::string(file_name), decompressed(member)).first;
  }
  return found->second;
}

}  // namespace recipelint::facts
