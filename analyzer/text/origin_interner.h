#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "analyzer/text/origin.h"

namespace recipelint::text {

/// Adds links to a pool, equal ones once however often they are asked for: evaluations of one
/// script for many cells tell the same about most of its words. Not thread-safe.
class OriginInterner {
 public:
  /// `pool` must outlive the interner.
  explicit OriginInterner(OriginPool& pool) : pool_(pool) {}
  OriginInterner(const OriginInterner&) = delete;
  OriginInterner& operator=(const OriginInterner&) = delete;

  /// The link at `span` in front of `earlier`, which may be of another pool that lives as long.
  Origin add(Span span, std::string_view note, Origin earlier = {});
  /// How many different links there are.
  std::size_t size() const { return size_; }

 private:
  const OriginLink*& slot_of(const OriginLink& link);
  void grow();

  OriginPool& pool_;
  /// A hash table with open addressing; its size is a power of two, null is free.
  std::vector<const OriginLink*> slots_;
  std::size_t size_ = 0;
  /// The texts of notes, as the pool keeps them.
  std::unordered_set<std::string_view> notes_;
};

}  // namespace recipelint::text
