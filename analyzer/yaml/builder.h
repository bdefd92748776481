#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "analyzer/yaml/document.h"
#include "analyzer/yaml/keys.h"
#include "analyzer/yaml/scan.h"
#include "analyzer/yaml/storage.h"
#include "analyzer/yaml/tag.h"

namespace recipelint::yaml {

/// Anchor and tag of a node.
struct Properties {
  /// Number of the anchor, counted from 1 in the order of the file; 0 if there is none.
  std::size_t anchor = 0;
  std::string_view anchor_name = {};
  std::uint32_t anchor_begin = 0;
  /// The full name of the tag ("tag:yaml.org,2002:str"), "!" for a lone one; empty if none is
  /// written.
  std::string_view tag = {};
  std::uint32_t tag_begin = 0;
  std::uint32_t tag_end = 0;
};

/// Makes the nodes of a document from what a reader finds, in the order of the file, with PyYAML's
/// meaning of tags, keys and merges. Throws Failure for what safe_load refuses and at a limit.
class Builder {
 public:
  Builder(const Document& document, Document::Storage& storage, const Limits& limits);

  void add_scalar(Style style, std::uint32_t begin, const ScannedScalar& scalar,
                  const Properties& properties);
  /// A node that is not in the text but would stand at `at`.
  void add_missing(std::uint32_t at, const Properties& properties);
  /// `anchor` as in Properties.
  void add_alias(std::uint32_t begin, std::uint32_t end, std::size_t anchor);
  void begin_collection(Kind kind, Style style, std::uint32_t begin, const Properties& properties);
  void end_collection(std::uint32_t end);
  /// After the last node.
  void finish();

 private:
  struct Frame {
    std::uint32_t record = 0;
    std::size_t first_child = 0;
    std::size_t anchor = 0;
    std::uint64_t nodes_before = 0;
    /// Collections inside each other below this one.
    std::uint32_t height = 0;
  };
  struct Anchor {
    std::uint32_t record = 0;
    bool is_complete = false;
    std::uint64_t nodes = 0;
    std::uint32_t height = 0;
  };

  void count_nodes(std::uint64_t count, std::uint32_t begin, std::uint32_t end);
  void check_depth(std::size_t depth, std::uint32_t begin, std::uint32_t end) const;
  bool next_is_key() const;
  std::uint32_t add_record(const Record& record, const Properties& properties);
  void declare_anchor(const Properties& properties, std::uint32_t record);
  void complete_anchor(std::size_t anchor, std::uint64_t nodes, std::uint32_t height);
  /// Throws unless the node may stand where the next one stands.
  void check_place(std::uint32_t record) const;
  void add_child(std::uint32_t record, std::uint32_t height);
  Tag scalar_tag(Style style, std::string_view text, const Properties& properties) const;
  Tag collection_tag(Kind kind, const Properties& properties) const;
  void check_value(const Record& record, std::string_view text) const;

  void finish_sequence(const Frame& frame);
  void check_pairs(const Record& sequence) const;
  void finish_mapping(const Frame& frame);
  /// Appends to merged_ what `<<: value` brings in.
  void merge(Node value);
  void merge_one(Node source, Node place);
  void list_duplicates(std::span<const Node::Entry> entries, std::span<const std::uint32_t> first);
  /// The entries of Python's dict: position of the first of equal keys, value of the last.
  Range add_effective(std::span<const Node::Entry> entries, std::span<const std::uint32_t> first);

  Node node(std::uint32_t record) const { return {&document_, record}; }
  [[noreturn]] void refuse(Node place, std::string message) const;

  const Document& document_;
  Document::Storage& storage_;
  const Limits& limits_;
  std::vector<Frame> frames_;
  /// Children of the open collections.
  std::vector<std::uint32_t> children_;
  std::vector<Anchor> anchors_;
  std::unordered_set<std::string_view> anchor_names_;
  std::uint64_t nodes_ = 0;
  KeyComparer keys_;
  /// Of the mapping that is being finished: its entries without merges, and what merges bring.
  std::vector<Node::Entry> own_;
  std::vector<Node::Entry> merged_;
  std::vector<std::uint32_t> position_;
};

}  // namespace recipelint::yaml
