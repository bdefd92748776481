#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace recipelint::shell {

/// A small number in place of the text of a variable or function name.
using NameId = std::uint32_t;

/// Numbers the names that one evaluation meets, in the order in which it meets them.
class NameTable {
 public:
  NameId id(std::string_view name) {
    // Most names come again and again from the same place: a word of the syntax tree.
    Recent& recent = recent_[recent_index(name)];
    if (recent.text != nullptr && *recent.text == name) return recent.id;
    const NameId id = find_or_add(name);
    recent = {&texts_[id], id};
    return id;
  }
  const std::string& text(NameId id) const { return texts_[id]; }
  std::size_t size() const { return texts_.size(); }

 private:
  struct Recent {
    const std::string* text = nullptr;
    NameId id = 0;
  };
  static constexpr std::size_t kRecentNames = 256;

  static std::size_t recent_index(std::string_view name) {
    const auto address = reinterpret_cast<std::uintptr_t>(name.data());
    return (address / 8 ^ address / 4096) % kRecentNames;
  }
  NameId find_or_add(std::string_view name) {
    if (const auto found = ids_.find(name); found != ids_.end()) return found->second;
    // A deque never moves its elements, so views of them stay valid.
    texts_.emplace_back(name);
    const auto id = static_cast<NameId>(texts_.size() - 1);
    ids_.emplace(texts_.back(), id);
    return id;
  }

  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, NameId> ids_;
  /// By the address of the text that was asked for.
  std::array<Recent, kRecentNames> recent_;
};

}  // namespace recipelint::shell
