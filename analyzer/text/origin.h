#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "analyzer/text/span.h"

namespace recipelint::text {

/// One step of the way a piece of text took: a place and what happened there ("assigned to
/// MAX_NUM_SEQS", "conc-list of this row").
struct OriginLink {
  Span span;
  std::string_view note;
  /// The step before this one, further from the launch; null at the source.
  const OriginLink* earlier = nullptr;
};

/// Where a piece of text comes from: a chain of links, nearest first. Cheap to copy; the links
/// belong to an OriginPool, which must outlive it.
class Origin {
 public:
  Origin() = default;
  explicit Origin(const OriginLink* nearest) : nearest_(nearest) {}

  bool known() const { return nearest_ != nullptr; }
  /// The span of the nearest link; invalid if the origin is not known.
  Span span() const { return nearest_ != nullptr ? nearest_->span : Span{}; }
  const OriginLink* nearest() const { return nearest_; }

  friend bool operator==(const Origin&, const Origin&) = default;

 private:
  const OriginLink* nearest_ = nullptr;
};

/// Owns the links of one analysis. Not thread-safe: one pool per evaluation.
class OriginPool {
 public:
  OriginPool() = default;
  OriginPool(const OriginPool&) = delete;
  OriginPool& operator=(const OriginPool&) = delete;
  OriginPool(OriginPool&&) = default;
  OriginPool& operator=(OriginPool&&) = default;

  /// A link at `span` in front of `earlier`. The note is copied once per distinct text.
  Origin add(Span span, std::string_view note, Origin earlier = {});

 private:
  static constexpr std::size_t kLinksPerBlock = 512;

  std::vector<std::unique_ptr<OriginLink[]>> blocks_;
  std::size_t used_in_last_block_ = kLinksPerBlock;
  std::unordered_set<std::string> notes_;
};

}  // namespace recipelint::text
