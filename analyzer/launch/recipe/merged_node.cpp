#include "analyzer/launch/recipe/merged_node.h"

#include <algorithm>
#include <utility>

namespace recipelint::launch::recipe {
namespace {

// Aliases can make a small file stand for a huge value; real recipes have a few hundred.
constexpr std::size_t kMostNodes = 100'000;

using Entry = MergedNode::Entry;

std::vector<Entry>::iterator find_entry(std::vector<Entry>& entries, std::string_view key) {
  return std::find_if(entries.begin(), entries.end(),
                      [&](const Entry& entry) { return entry.key.text() == key; });
}

void collect_lists(const MergedNode& node, std::vector<const MergedNode*>& lists) {
  for (const Entry& entry : node.entries()) {
    if (entry.value.is_sequence()) lists.push_back(&entry.value);
    if (entry.value.is_mapping()) collect_lists(entry.value, lists);
  }
}

}  // namespace

text::Result<MergedNode> MergedNode::of(yaml::Node node) {
  std::size_t budget = kMostNodes;
  MergedNode result = build(node, budget);
  if (budget == 0) return text::Error{"The recipe has too many values.", node.span()};
  return result;
}

MergedNode MergedNode::build(yaml::Node node, std::size_t& budget) {
  MergedNode result;
  result.node_ = node;
  if (budget == 0) return result;
  --budget;
  if (node.is_mapping()) {
    for (const yaml::Node::Entry& entry : node.entries()) {
      result.entries_.push_back({entry.key, build(entry.value, budget)});
    }
  } else if (node.is_sequence()) {
    for (std::size_t i = 0; i < node.size() && budget > 0; ++i) {
      result.items_.push_back(build(node.item(i), budget));
    }
  }
  return result;
}

const MergedNode& MergedNode::find(std::string_view key) const {
  static const MergedNode kNone;
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.key.text() == key; });
  return found == entries_.end() ? kNone : found->value;
}

MergedNode MergedNode::merged(const MergedNode& base, const MergedNode& override_node) {
  MergedNode result = base;
  for (const Entry& entry : override_node.entries_) {
    const auto found = find_entry(result.entries_, entry.key.text());
    const bool present = found != result.entries_.end();
    if (entry.value.node_.is_null()) {
      if (present) result.entries_.erase(found);
    } else if (!present) {
      result.entries_.push_back(entry);
    } else if (entry.value.is_mapping() && found->value.is_mapping()) {
      found->value = merged(found->value, entry.value);
    } else {
      found->value = entry.value;
    }
  }
  return result;
}

text::Result<std::size_t> MergedNode::zip_length(const MergedNode& block) {
  std::vector<const MergedNode*> lists;
  collect_lists(block, lists);
  if (lists.empty()) {
    return text::Error{"The zip_override block has no list, so there is nothing to zip.",
                       block.span()};
  }
  const MergedNode* longest = nullptr;
  for (const MergedNode* list : lists) {
    const std::size_t length = list->items_.size();
    if (length == 0) {
      return text::Error{"An empty list in a zip_override block cannot be zipped.", list->span()};
    }
    if (length == 1) continue;
    if (longest != nullptr && longest->items_.size() != length) {
      return text::Error{"The list has " + std::to_string(length) + " items, but another list of " +
                             "this zip_override block has " +
                             std::to_string(longest->items_.size()) +
                             "; all must have the same length, or 1.",
                         list->span()};
    }
    longest = list;
  }
  return longest == nullptr ? std::size_t{1} : longest->items_.size();
}

MergedNode MergedNode::zip_slice(const MergedNode& block, std::size_t index) {
  MergedNode result = block;
  for (Entry& entry : result.entries_) {
    if (entry.value.is_mapping()) {
      entry.value = zip_slice(entry.value, index);
    } else if (entry.value.is_sequence() && !entry.value.items_.empty()) {
      const std::size_t last = entry.value.items_.size() - 1;
      MergedNode item = entry.value.items_[std::min(index, last)];
      entry.value = std::move(item);
    }
  }
  return result;
}

}  // namespace recipelint::launch::recipe
