#pragma once

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
    if (const auto found = ids_.find(name); found != ids_.end()) return found->second;
    texts_.emplace_back(name);
    const auto id = static_cast<NameId>(texts_.size() - 1);
    ids_.emplace(texts_.back(), id);
    return id;
  }
  const std::string& text(NameId id) const { return texts_[id]; }
  std::size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, NameId> ids_;
};

}  // namespace recipelint::shell
