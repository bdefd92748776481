#include "analyzer/git/pack.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "analyzer/git/inflate.h"

namespace recipelint::git {
namespace {

constexpr std::string_view kIndexMagic("\377tOc\0\0\0\2", 8);
constexpr std::uint64_t kFanoutBytes = 256 * 4;
constexpr std::uint64_t kTables = 8 + kFanoutBytes;
constexpr std::uint32_t kLargeOffset = 0x80000000u;
/// git itself makes chains of at most 4095 deltas.
constexpr std::size_t kDeepestChain = 4095;
/// Of one object with all that it is made from: a few bytes can stand for a chain of large objects.
constexpr std::uint64_t kMostChainBytes = std::uint64_t{1} << 30u;
constexpr std::size_t kMostCachedBytes = std::size_t{32} << 20u;
constexpr unsigned kOffsetDelta = 6;
constexpr unsigned kReferenceDelta = 7;

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char c : bytes) value = value << 8u | static_cast<unsigned char>(c);
  return value;
}

std::optional<ObjectType> type_of(unsigned number) {
  switch (number) {
    case 1:
      return ObjectType::kCommit;
    case 2:
      return ObjectType::kTree;
    case 3:
      return ObjectType::kBlob;
    case 4:
      return ObjectType::kTag;
    default:
      return std::nullopt;
  }
}

/// Takes bytes from the front of a text; zeros, and failed(), when there are none left.
class ByteReader {
 public:
  explicit ByteReader(std::string_view text) : text_(text) {}

  unsigned next() {
    if (at_ == text_.size()) {
      failed_ = true;
      return 0;
    }
    return static_cast<unsigned char>(text_[at_++]);
  }
  std::string_view take(std::uint64_t count) {
    if (count > text_.size() - at_) {
      failed_ = true;
      return {};
    }
    const auto size = static_cast<std::size_t>(count);
    at_ += size;
    return text_.substr(at_ - size, size);
  }
  /// Seven bits a byte, the least significant first.
  std::uint64_t size(std::uint64_t value, unsigned shift) {
    while (true) {
      const unsigned byte = next();
      value |= static_cast<std::uint64_t>(byte & 0x7Fu) << shift;
      if ((byte & 0x80u) == 0) return value;
      shift += 7;
      if (shift > 56) {
        failed_ = true;
        return 0;
      }
    }
  }
  std::size_t position() const { return at_; }
  bool at_end() const { return at_ == text_.size(); }
  bool failed() const { return failed_; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

/// The little-endian number of which `mask` says which bytes are there.
std::uint64_t sparse_number(ByteReader& bytes, unsigned mask, unsigned byte_count) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < byte_count; ++i) {
    if ((mask >> i & 1u) != 0) value |= static_cast<std::uint64_t>(bytes.next()) << (8 * i);
  }
  return value;
}

}  // namespace

std::optional<std::string> apply_delta(std::string_view base, std::string_view delta) {
  ByteReader bytes(delta);
  const std::uint64_t base_size = bytes.size(0, 0);
  const std::uint64_t size = bytes.size(0, 0);
  if (bytes.failed() || base_size != base.size() || size > kLargestObject) return std::nullopt;
  std::string out;
  out.reserve(static_cast<std::size_t>(size));
  while (!bytes.at_end()) {
    const unsigned command = bytes.next();
    std::string_view piece;
    if ((command & 0x80u) != 0) {
      const std::uint64_t offset = sparse_number(bytes, command, 4);
      std::uint64_t length = sparse_number(bytes, command >> 4u & 7u, 3);
      if (length == 0) length = 0x10000;
      if (offset > base.size() || length > base.size() - offset) return std::nullopt;
      piece = base.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
    } else {
      if (command == 0) return std::nullopt;
      piece = bytes.take(command);
    }
    if (bytes.failed() || piece.size() > size - out.size()) return std::nullopt;
    out.append(piece);
  }
  if (out.size() != size) return std::nullopt;
  return out;
}

text::Result<std::unique_ptr<Pack>> Pack::open(const std::string& path, std::size_t id_size) {
  auto index = File::open(path + ".idx");
  if (!index) return index.error();
  auto data = File::open(path + ".pack");
  if (!data) return data.error();
  std::unique_ptr<Pack> pack(new Pack(*std::move(index), *std::move(data), id_size));
  const std::uint64_t least = kTables + std::uint64_t{pack->count_} * (id_size + 8);
  if (pack->index_->read(0, kIndexMagic.size()) != kIndexMagic || pack->index_->size() < least) {
    return text::Error{fmt::format("cannot read '{}.idx': it is no pack index of version 2", path),
                       {}};
  }
  return pack;
}

Pack::Pack(std::shared_ptr<const File> index, std::shared_ptr<const File> data, std::size_t id_size)
    : index_(std::move(index)), data_(std::move(data)), id_size_(id_size) {
  count_ = fanout(255);
}

std::uint32_t Pack::fanout(unsigned first_byte) const {
  return static_cast<std::uint32_t>(big_endian(index_->read(8 + first_byte * 4, 4)));
}

ObjectId Pack::id_at(std::uint32_t position) const {
  return ObjectId::from_bytes(index_->read(kTables + std::uint64_t{position} * id_size_, id_size_));
}

/// The first position whose id is not before `bytes` (at least one byte).
std::uint32_t Pack::lower_bound(std::string_view bytes) const {
  const auto first = static_cast<unsigned char>(bytes.front());
  std::uint32_t low = first == 0 ? 0 : std::min(fanout(first - 1u), count_);
  std::uint32_t high = std::min(fanout(first), count_);
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (id_at(middle).bytes().substr(0, bytes.size()) < bytes) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

std::optional<std::uint64_t> Pack::find(const ObjectId& id) const {
  if (id.empty()) return std::nullopt;
  const std::uint32_t position = lower_bound(id.bytes());
  if (position >= count_ || id_at(position) != id) return std::nullopt;
  return offset_at(position);
}

std::vector<ObjectId> Pack::with_prefix(std::string_view digits, std::size_t most) const {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes.push_back(static_cast<char>(hex_value(digits[i]) * 16 + hex_value(digits[i + 1])));
  }
  std::vector<ObjectId> found;
  if (bytes.empty()) return found;
  for (std::uint32_t at = lower_bound(bytes); at < count_ && found.size() < most; ++at) {
    const ObjectId id = id_at(at);
    if (!id.bytes().starts_with(bytes)) break;
    if (id.hex().starts_with(digits)) found.push_back(id);
  }
  return found;
}

std::optional<std::uint64_t> Pack::offset_at(std::uint32_t position) const {
  const std::uint64_t small = kTables + std::uint64_t{count_} * (id_size_ + 4);
  const std::string bytes = index_->read(small + std::uint64_t{position} * 4, 4);
  if (bytes.size() != 4) return std::nullopt;
  const auto offset = static_cast<std::uint32_t>(big_endian(bytes));
  if ((offset & kLargeOffset) == 0) return offset;
  const std::uint64_t large = small + std::uint64_t{count_} * 4;
  const std::string wide = index_->read(large + std::uint64_t{offset & ~kLargeOffset} * 8, 8);
  if (wide.size() != 8) return std::nullopt;
  return big_endian(wide);
}

std::optional<Pack::Entry> Pack::entry_at(std::uint64_t offset) const {
  constexpr std::size_t kLongestHead = 64;
  const std::string head = data_->read(offset, kLongestHead);
  ByteReader bytes(head);
  Entry entry;
  const unsigned first = bytes.next();
  entry.type = first >> 4u & 7u;
  entry.size = first & 15u;
  if ((first & 0x80u) != 0) entry.size = bytes.size(entry.size, 4);
  if (entry.type == kOffsetDelta) {
    // Each further byte also counts the numbers that fewer bytes can say.
    unsigned byte = bytes.next();
    std::uint64_t back = byte & 0x7Fu;
    while ((byte & 0x80u) != 0 && !bytes.failed()) {
      byte = bytes.next();
      back = (back + 1) << 7u | (byte & 0x7Fu);
    }
    if (back == 0 || back > offset) return std::nullopt;
    entry.base = offset - back;
  } else if (entry.type == kReferenceDelta) {
    const auto base = find(ObjectId::from_bytes(bytes.take(id_size_)));
    if (!base) return std::nullopt;
    entry.base = *base;
  }
  if (bytes.failed() || entry.size > kLargestObject) return std::nullopt;
  entry.data = offset + bytes.position();
  return entry;
}

std::optional<Pack::Cached> Pack::cached(std::uint64_t offset) const {
  const std::lock_guard lock(mutex_);
  const auto found = cache_.find(offset);
  return found == cache_.end() ? std::nullopt : std::optional(found->second);
}

void Pack::keep(std::uint64_t offset, const Cached& object) const {
  const std::lock_guard lock(mutex_);
  if (cached_bytes_ + object.bytes->size() > kMostCachedBytes) {
    cache_.clear();
    cached_bytes_ = 0;
  }
  if (object.bytes->size() > kMostCachedBytes) return;
  if (cache_.emplace(offset, object).second) cached_bytes_ += object.bytes->size();
}

std::optional<Object> Pack::read(std::uint64_t offset) const {
  // From the object down to the one that is whole, or known already.
  std::vector<std::pair<std::uint64_t, Entry>> deltas;
  std::optional<Cached> object;
  std::uint64_t chain_bytes = 0;
  for (std::uint64_t at = offset; !object;) {
    object = cached(at);
    if (object) break;
    const auto entry = entry_at(at);
    if (!entry || deltas.size() > kDeepestChain) return std::nullopt;
    if (entry->type == kOffsetDelta || entry->type == kReferenceDelta) {
      deltas.emplace_back(at, *entry);
      at = entry->base;
      continue;
    }
    const auto type = type_of(entry->type);
    auto bytes = inflate_exactly(*data_, entry->data, static_cast<std::size_t>(entry->size));
    if (!type || !bytes) return std::nullopt;
    object = Cached{*type, std::make_shared<const std::string>(*std::move(bytes))};
    keep(at, *object);
  }
  for (auto delta = deltas.rbegin(); delta != deltas.rend(); ++delta) {
    const Entry& entry = delta->second;
    const auto changes = inflate_exactly(*data_, entry.data, static_cast<std::size_t>(entry.size));
    auto bytes = changes ? apply_delta(*object->bytes, *changes) : std::nullopt;
    if (bytes) chain_bytes += changes->size() + bytes->size();
    if (!bytes || chain_bytes > kMostChainBytes) return std::nullopt;
    object->bytes = std::make_shared<const std::string>(*std::move(bytes));
    keep(delta->first, *object);
  }
  return Object{object->type, *object->bytes};
}

}  // namespace recipelint::git
