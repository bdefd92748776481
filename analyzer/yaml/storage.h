#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/yaml/document.h"
#include "analyzer/yaml/tag.h"

namespace recipelint::yaml {

/// A range of an arena.
struct Range {
  std::uint32_t begin = 0;
  std::uint32_t size = 0;
};

/// One node. What `content` is a range of depends on the kind: of the bytes of the file or of
/// `decoded` (scalar), of `items` (sequence); for a mapping `begin` is an index of `mappings`, for
/// an alias the index of the node it refers to.
struct Record {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  Range content = {};
  Kind kind = Kind::kScalar;
  Style style = Style::kPlain;
  Tag tag = Tag::kNull;
  bool is_decoded = false;
  bool is_alias = false;
};

struct Mapping {
  Range written;
  Range effective;
};

/// Everything a document consists of, each kind of thing in one block of memory. Nodes are in the
/// order in which they begin in the file.
struct Document::Storage {
  std::vector<Record> records;
  std::vector<Mapping> mappings;
  std::vector<Node> items;
  std::vector<Node::Entry> entries;
  std::vector<DuplicateKey> duplicates;
  std::string decoded;
  std::uint32_t root = 0;

  /// The node itself, or what an alias refers to.
  const Record& target(std::uint32_t index) const {
    const Record& record = records[index];
    return record.is_alias ? records[record.content.begin] : record;
  }
};

}  // namespace recipelint::yaml
