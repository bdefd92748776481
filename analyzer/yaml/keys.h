#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/yaml/document.h"

namespace recipelint::yaml {

/// Finds equal keys of a mapping. Keeps its memory from one mapping to the next.
class KeyComparer {
 public:
  /// For each entry the index of the first one whose key is equal in Python (`1`, `1.0` and `yes`
  /// are). All keys must be scalars. Valid until the next call.
  std::span<const std::uint32_t> first_with_same_key(std::span<const Node::Entry> entries);

 private:
  enum class KeyKind : std::uint8_t { kText, kNull, kInteger, kBigInteger, kReal, kDate };

  /// What Python compares of a key.
  struct Key {
    KeyKind kind = KeyKind::kText;
    std::string_view text = {};
    std::int64_t integer = 0;
    double real = 0;

    auto members() const { return std::tie(kind, text, integer, real); }
    friend bool operator==(const Key& a, const Key& b) { return a.members() == b.members(); }
    friend bool operator<(const Key& a, const Key& b) { return a.members() < b.members(); }
  };

  std::optional<Key> key_of(Node node);
  static Key real_key(double value);
  void compare_pairwise();
  void compare_sorted();

  std::vector<std::pair<Key, std::uint32_t>> keys_;
  std::vector<std::uint32_t> first_;
  /// Texts that keys_ refers to.
  std::deque<std::string> digits_;
};

}  // namespace recipelint::yaml
