#include "analyzer/text/origin_interner.h"

#include <cstdint>

namespace recipelint::text {
namespace {

constexpr std::size_t kFirstSlots = 1024;

// The same note is the same text in memory.
bool same_link(const OriginLink& a, const OriginLink& b) {
  return a.span == b.span && a.note.data() == b.note.data() && a.earlier == b.earlier;
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  constexpr std::uint64_t kGoldenRatio = 0x9e3779b97f4a7c15u;
  hash = (hash ^ value) * kGoldenRatio;
  return hash ^ (hash >> 32u);
}

std::uint64_t hash_of(const OriginLink& link) {
  std::uint64_t hash = mixed(0, reinterpret_cast<std::uintptr_t>(link.span.file));
  hash = mixed(hash, (std::uint64_t{link.span.begin} << 32u) | link.span.end);
  hash = mixed(hash, reinterpret_cast<std::uintptr_t>(link.note.data()));
  return mixed(hash, reinterpret_cast<std::uintptr_t>(link.earlier));
}

}  // namespace

Origin OriginInterner::add(Span span, std::string_view note, Origin earlier) {
  const auto known = notes_.find(note);
  if (known == notes_.end()) {
    // A note that is new makes a link that is new; the pool has the copy to compare with.
    const Origin added = pool_.add(span, note, earlier);
    notes_.insert(added.nearest()->note);
    if (2 * size_ >= slots_.size()) grow();
    slot_of(*added.nearest()) = added.nearest();
    ++size_;
    return added;
  }
  if (2 * size_ >= slots_.size()) grow();
  const OriginLink wanted{span, *known, earlier.nearest()};
  const OriginLink*& slot = slot_of(wanted);
  if (slot == nullptr) {
    slot = pool_.add(span, note, earlier).nearest();
    ++size_;
  }
  return Origin(slot);
}

/// Where the link is, or where it belongs.
const OriginLink*& OriginInterner::slot_of(const OriginLink& link) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t index = hash_of(link) & mask;
  while (slots_[index] != nullptr && !same_link(*slots_[index], link)) index = (index + 1) & mask;
  return slots_[index];
}

void OriginInterner::grow() {
  std::vector<const OriginLink*> links(slots_.empty() ? kFirstSlots : 2 * slots_.size());
  links.swap(slots_);
  for (const OriginLink* link : links) {
    if (link != nullptr) slot_of(*link) = link;
  }
}

}  // namespace recipelint::text
