#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "analyzer/shell/names.h"
#include "analyzer/shell/shared.h"

namespace recipelint::shell {

/// A map from names to values of which copies share what they did not change: copying costs one
/// counter, writing an entry copies at most its block.
template <typename T>
class Table {
 public:
  /// The entry, empty if there is none.
  const Shared<T>& find(NameId name) const {
    static const Shared<T> kNone;
    if (!blocks_ || name / kBlockSize >= blocks_->size()) return kNone;
    const Shared<Block>& block = (*blocks_)[name / kBlockSize];
    return block ? (*block)[name % kBlockSize] : kNone;
  }

  /// Whether nothing at all differs, at the cost of one comparison; may miss it.
  bool same_root(const Table& other) const { return blocks_.same_object(other.blocks_); }

  /// The entry for writing; made if there is none.
  T& write(NameId name) { return slot(name).write(); }
  /// Puts another entry, possibly an empty one, in its place.
  void replace(NameId name, Shared<T> entry) { slot(name) = std::move(entry); }

  /// Calls `visit(name, entry)` for each entry, in order of names.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    if (!blocks_) return;
    NameId name = 0;
    for (const Shared<Block>& block : *blocks_) {
      for (std::uint32_t i = 0; i < kBlockSize; ++i, ++name) {
        if (block && (*block)[i]) visit(name, (*block)[i]);
      }
    }
  }

  /// Calls `visit(name, mine, theirs)` for each name whose entries are not one object. Stops, and
  /// gives false, when `visit` gives false.
  template <typename Visit>
  bool for_each_difference(const Table& other, const Visit& visit) const {
    if (blocks_.same_object(other.blocks_)) return true;
    const std::size_t mine = blocks_ ? blocks_->size() : 0;
    const std::size_t theirs = other.blocks_ ? other.blocks_->size() : 0;
    for (std::size_t b = 0; b < std::max(mine, theirs); ++b) {
      const Shared<Block> left = b < mine ? (*blocks_)[b] : Shared<Block>();
      const Shared<Block> right = b < theirs ? (*other.blocks_)[b] : Shared<Block>();
      if (left.same_object(right)) continue;
      for (std::uint32_t i = 0; i < kBlockSize; ++i) {
        const Shared<T> x = left ? (*left)[i] : Shared<T>();
        const Shared<T> y = right ? (*right)[i] : Shared<T>();
        if (x.same_object(y)) continue;
        if (!visit(static_cast<NameId>(b * kBlockSize + i), x, y)) return false;
      }
    }
    return true;
  }

 private:
  static constexpr std::uint32_t kBlockSize = 32;
  using Block = std::array<Shared<T>, kBlockSize>;

  Shared<T>& slot(NameId name) {
    std::vector<Shared<Block>>& blocks = blocks_.write();
    if (name / kBlockSize >= blocks.size()) blocks.resize(name / kBlockSize + 1);
    return blocks[name / kBlockSize].write()[name % kBlockSize];
  }

  Shared<std::vector<Shared<Block>>> blocks_;
};

}  // namespace recipelint::shell
