#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/git/file.h"
#include "analyzer/git/object_id.h"
#include "analyzer/text/result.h"

namespace recipelint::git {

enum class ObjectType : std::uint8_t { kCommit, kTree, kBlob, kTag };

struct Object {
  ObjectType type = ObjectType::kBlob;
  std::string bytes;
};

/// Objects of more bytes are refused, as files of more bytes are on disk.
inline constexpr std::size_t kLargestObject = std::size_t{64} << 20u;

/// One pack with its index, version 2 (git's gitformat-pack.txt). Everything in it is taken for
/// hostile: sizes, offsets and delta chains are bounded. Safe to use from several threads.
class Pack {
 public:
  /// `path` without its extension. Fails if the index is of another version or not an index.
  static text::Result<std::unique_ptr<Pack>> open(const std::string& path, std::size_t id_size);

  /// Where an object is; nullopt if it is not in this pack.
  std::optional<std::uint64_t> find(const ObjectId& id) const;
  /// The ids that start with these hexadecimal digits, at most `most` of them.
  std::vector<ObjectId> with_prefix(std::string_view digits, std::size_t most) const;
  /// The object at an offset that find() gave; nullopt if it is damaged or too large.
  std::optional<Object> read(std::uint64_t offset) const;

 private:
  /// What stands before the compressed bytes of an entry.
  struct Entry {
    unsigned type = 0;       // as in the file
    std::uint64_t size = 0;  // inflated
    std::uint64_t data = 0;  // offset of the compressed bytes
    std::uint64_t base = 0;  // offset of the object that a delta is for
  };
  using Bytes = std::shared_ptr<const std::string>;
  struct Cached {
    ObjectType type = ObjectType::kBlob;
    Bytes bytes;
  };

  Pack(std::shared_ptr<const File> index, std::shared_ptr<const File> data, std::size_t id_size);

  std::uint32_t fanout(unsigned first_byte) const;
  ObjectId id_at(std::uint32_t position) const;
  std::uint32_t lower_bound(std::string_view bytes) const;
  std::optional<std::uint64_t> offset_at(std::uint32_t position) const;
  std::optional<Entry> entry_at(std::uint64_t offset) const;
  std::optional<Cached> cached(std::uint64_t offset) const;
  void keep(std::uint64_t offset, const Cached& object) const;

  std::shared_ptr<const File> index_;
  std::shared_ptr<const File> data_;
  std::size_t id_size_;
  std::uint32_t count_ = 0;
  mutable std::mutex mutex_;
  mutable std::map<std::uint64_t, Cached> cache_;
  mutable std::size_t cached_bytes_ = 0;
};

/// Applies a delta to its base; nullopt if it is damaged.
std::optional<std::string> apply_delta(std::string_view base, std::string_view delta);

}  // namespace recipelint::git
