#include "analyzer/shell/variable.h"

#include <algorithm>
#include <tuple>

namespace recipelint::shell {
namespace {

constexpr std::uint32_t kHashBuckets = 1024;  // bash 5: ASSOC_HASH_BUCKETS

// The bucket of bash's hash table (FNV-1) that a key falls into.
std::uint32_t hash_bucket(std::string_view key) {
  std::uint32_t hash = 2166136261u;
  for (const char c : key) {
    hash *= 16777619u;
    hash ^= static_cast<std::uint32_t>(static_cast<std::int32_t>(c));
  }
  return hash & (kHashBuckets - 1);
}

template <typename Elements, typename Key>
auto position(Elements& elements, const Key& key) {
  return std::lower_bound(elements.begin(), elements.end(), key,
                          [](const auto& element, const Key& k) { return element.first < k; });
}

template <typename Pairs>
bool same_pairs(const Pairs& a, const Pairs& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.first == y.first && same_text(x.second, y.second);
  });
}

}  // namespace

const Value* Variable::find(std::int64_t index) const {
  const auto at = position(elements_, index);
  return at != elements_.end() && at->first == index ? &at->second : nullptr;
}

Value& Variable::element(std::int64_t index) {
  if (elements_.empty() || elements_.back().first < index) {
    return elements_.emplace_back(index, Value()).second;
  }
  const auto at = position(elements_, index);
  if (at->first == index) return at->second;
  return elements_.emplace(at, index, Value())->second;
}

void Variable::erase(std::int64_t index) {
  const auto at = position(elements_, index);
  if (at != elements_.end() && at->first == index) elements_.erase(at);
}

const Value* Variable::find(std::string_view key) const {
  const auto at = std::find_if(entries_.begin(), entries_.end(),
                               [&](const auto& entry) { return entry.first == key; });
  return at != entries_.end() ? &at->second : nullptr;
}

Value& Variable::entry(std::string_view key) {
  const auto at = std::find_if(entries_.begin(), entries_.end(),
                               [&](const auto& entry) { return entry.first == key; });
  if (at != entries_.end()) return at->second;
  return entries_.emplace_back(std::string(key), Value()).second;
}

void Variable::erase(std::string_view key) {
  std::erase_if(entries_, [&](const auto& entry) { return entry.first == key; });
}

std::vector<const std::pair<std::string, Value>*> Variable::listed_entries() const {
  // Within a bucket the newest entry comes first.
  std::vector<std::pair<std::uint32_t, const std::pair<std::string, Value>*>> listed;
  listed.reserve(entries_.size());
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    listed.emplace_back(hash_bucket(entry->first), &*entry);
  }
  std::stable_sort(listed.begin(), listed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const std::pair<std::string, Value>*> out;
  out.reserve(listed.size());
  for (const auto& item : listed) out.push_back(item.second);
  return out;
}

void Variable::clear_elements() {
  elements_.clear();
  entries_.clear();
  uncertain_count.clear();
}

bool Variable::same_as(const Variable& other) const {
  const auto attributes = [](const Variable& v) {
    return std::tie(v.kind, v.is_set, v.exported, v.readonly, v.integer, v.lower_case, v.upper_case,
                    v.reference, v.uncertain_count);
  };
  return attributes(*this) == attributes(other) && same_text(scalar, other.scalar) &&
         same_pairs(elements_, other.elements_) && same_pairs(entries_, other.entries_);
}

}  // namespace recipelint::shell
