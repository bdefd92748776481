#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/text/result.h"
#include "analyzer/text/span.h"
#include "analyzer/yaml/document.h"

namespace recipelint::launch::recipe {

/// A YAML value after overrides were applied. Each scalar is still the node it was written as, so
/// that its place is known. Valid as long as the document.
class MergedNode {
 public:
  struct Entry;

  MergedNode() = default;
  /// The value as written, with PyYAML's meaning of merges and repeated keys. Fails on one that
  /// aliases blow up beyond a bound.
  static text::Result<MergedNode> of(yaml::Node node);

  explicit operator bool() const { return static_cast<bool>(node_); }
  /// The scalar itself; for a collection the node that began it.
  yaml::Node node() const { return node_; }
  yaml::Kind kind() const { return node_.kind(); }
  bool is_scalar() const { return node_.is_scalar(); }
  bool is_mapping() const { return node_.is_mapping(); }
  bool is_sequence() const { return node_.is_sequence(); }
  text::Span span() const { return node_ ? node_.span() : text::Span{}; }

  const std::vector<Entry>& entries() const { return entries_; }
  const std::vector<MergedNode>& items() const { return items_; }
  /// The value of a key of a mapping; an empty node if there is none.
  const MergedNode& find(std::string_view key) const;

  /// srtctl's deep merge: mappings recursively, lists and scalars replaced, null deletes the key.
  static MergedNode merged(const MergedNode& base, const MergedNode& override_node);
  /// How many variants a zip_override block stands for: the common length of its lists, of which
  /// those of length 1 are repeated. Fails if there is no list, an empty one, or two lengths.
  static text::Result<std::size_t> zip_length(const MergedNode& block);
  /// The block with each list replaced by its item at `index`.
  static MergedNode zip_slice(const MergedNode& block, std::size_t index);

 private:
  static MergedNode build(yaml::Node node, std::size_t& budget);

  yaml::Node node_;
  std::vector<Entry> entries_;
  std::vector<MergedNode> items_;
};

struct MergedNode::Entry {
  yaml::Node key;
  MergedNode value;
};

}  // namespace recipelint::launch::recipe
