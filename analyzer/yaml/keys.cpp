#include "analyzer/yaml/keys.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace recipelint::yaml {
namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;
/// Up to here comparing each with each is faster than sorting.
constexpr std::size_t kFewKeys = 16;

}  // namespace

KeyComparer::Key KeyComparer::real_key(double value) {
  const bool is_integer = std::trunc(value) == value && value >= -kTwoTo63 && value < kTwoTo63;
  if (!is_integer) return {.kind = KeyKind::kReal, .real = value};
  return {.kind = KeyKind::kInteger, .integer = static_cast<std::int64_t>(value)};
}

/// nullopt for NaN, which equals nothing. Integers beyond 64 bits go by their
/// digits.
std::optional<KeyComparer::Key> KeyComparer::key_of(Node node) {
  if (const auto text = node.as_string()) return Key{.text = *text};
  const Scalar value = node.scalar();
  if (std::holds_alternative<Null>(value)) return Key{.kind = KeyKind::kNull};
  if (const auto* boolean = std::get_if<bool>(&value)) {
    return Key{.kind = KeyKind::kInteger, .integer = *boolean ? 1 : 0};
  }
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    return Key{.kind = KeyKind::kInteger, .integer = *integer};
  }
  if (const auto* big = std::get_if<BigInteger>(&value)) {
    return Key{.kind = KeyKind::kBigInteger, .text = digits_.emplace_back(big->digits)};
  }
  if (const auto* real = std::get_if<double>(&value)) {
    if (std::isnan(*real)) return std::nullopt;
    return real_key(*real);
  }
  const KeyKind kind = std::holds_alternative<Timestamp>(value) ? KeyKind::kDate : KeyKind::kText;
  return Key{.kind = kind, .text = node.text()};
}

void KeyComparer::compare_pairwise() {
  for (std::size_t i = 1; i < keys_.size(); ++i) {
    const auto same = std::find_if(keys_.begin(), keys_.begin() + static_cast<std::ptrdiff_t>(i),
                                   [&](const auto& key) { return key.first == keys_[i].first; });
    // Without an equal one this is the key itself.
    first_[keys_[i].second] = same->second;
  }
}

void KeyComparer::compare_sorted() {
  std::sort(keys_.begin(), keys_.end());
  for (std::size_t i = 1; i < keys_.size(); ++i) {
    if (keys_[i].first == keys_[i - 1].first) first_[keys_[i].second] = first_[keys_[i - 1].second];
  }
}

std::span<const std::uint32_t> KeyComparer::first_with_same_key(
    std::span<const Node::Entry> entries) {
  first_.resize(entries.size());
  std::iota(first_.begin(), first_.end(), 0u);
  keys_.clear();
  digits_.clear();
  for (std::uint32_t i = 0; i < entries.size(); ++i) {
    if (auto key = key_of(entries[i].key)) keys_.emplace_back(*key, i);
  }
  if (keys_.size() <= kFewKeys) {
    compare_pairwise();
  } else {
    compare_sorted();
  }
  return first_;
}

}  // namespace recipelint::yaml
