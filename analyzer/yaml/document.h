#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/text/result.h"
#include "analyzer/text/source_file.h"
#include "analyzer/text/span.h"
#include "analyzer/yaml/scalar.h"

namespace recipelint::yaml {

enum class Kind : std::uint8_t { kScalar, kSequence, kMapping };

enum class Style : std::uint8_t {
  kPlain,
  kSingleQuoted,
  kDoubleQuoted,
  kLiteral,
  kFolded,
  kBlock,  // sequence or mapping
  kFlow,   // sequence or mapping
};

class Document;
struct Record;

/// One node of a document: a cheap handle that is valid as long as the document. An empty handle
/// (`!node`) stands for "no such node"; every query on it gives an empty answer, so that look-ups
/// can be chained.
class Node {
 public:
  Node() = default;

  explicit operator bool() const { return document_ != nullptr; }
  Kind kind() const;
  Style style() const;
  bool is_scalar() const { return document_ != nullptr && kind() == Kind::kScalar; }
  bool is_sequence() const { return document_ != nullptr && kind() == Kind::kSequence; }
  bool is_mapping() const { return document_ != nullptr && kind() == Kind::kMapping; }

  /// From the first byte of the node (an opening quote or bracket included) to the byte after its
  /// last one. Its anchor and tag do not belong to it; a block collection begins with the first `-`
  /// or the first key (with that key's `?`, anchor and tag) and ends with its last child; a block
  /// scalar begins with `|` or `>` and ends with its last line, without the line break. A node that
  /// is missing in the text (`key:` and nothing) has an empty span where it would stand. For an
  /// alias: the place of the alias, not of its anchor.
  text::Span span() const;

  /// The text of a scalar with quotes, escapes and folding resolved; empty for other kinds.
  std::string_view text() const;
  /// What PyYAML's safe_load makes of the scalar; null for other kinds.
  Scalar scalar() const;
  /// Shorthands for scalar(): nullopt unless it has just that type.
  std::optional<std::string_view> as_string() const;
  std::optional<std::int64_t> as_int() const;
  std::optional<bool> as_bool() const;
  bool is_null() const;

  /// Items of a sequence, or effective entries of a mapping (as entries()).
  std::size_t size() const;
  Node item(std::size_t index) const;

  struct Entry;
  /// The entries that PyYAML's dict would have: merges (`<<`) applied with its precedence, of two
  /// equal keys the position of the first and the value of the last. In dict order.
  std::span<const Entry> entries() const;
  /// The entries as written: duplicates kept, `<<` not applied.
  std::span<const Entry> written_entries() const;
  /// The effective value of a string key; empty if there is none.
  Node find(std::string_view key) const;
  /// The key node of that entry.
  Node find_key(std::string_view key) const;

  friend bool operator==(const Node&, const Node&) = default;

 private:
  friend class Document;
  friend class Builder;
  Node(const Document* document, std::uint32_t index) : document_(document), index_(index) {}
  const Record& record() const;

  const Document* document_ = nullptr;
  std::uint32_t index_ = 0;
};

struct Node::Entry {
  Node key;
  Node value;
};

/// A key that a mapping has more than once; PyYAML keeps the last value without a word.
struct DuplicateKey {
  Node first;
  Node repeated;
};

/// Bounds on hostile input. Exceeding one is an error at the place where it happened.
struct Limits {
  std::uint32_t depth = 100;               // nested collections
  std::uint32_t nodes = 4'000'000;         // after alias expansion
  std::uint32_t scalar_bytes = 4u << 20u;  // of one scalar
  std::uint32_t file_bytes = 4u << 20u;    // yaml-cpp may need 240 bytes of memory for each
};

/// One YAML document, read as PyYAML's safe_load reads it, with the place of every node.
/// Immutable after parse(), so it may be read from several threads.
///
/// yaml-cpp finds the structure; the texts and places of the nodes are read again from the file by
/// PyYAML's rules, and a file that the two read differently is refused. So a document is what
/// safe_load gives, with these exceptions:
/// - `!!set` is a mapping, `!!omap` and `!!pairs` are sequences of mappings with one entry, and
///   `!!binary` is its base64 text.
/// - Two keys that are dates with a time are equal only if written alike.
/// - Refused although safe_load takes it: line breaks other than LF and CR LF, encodings other than
///   UTF-8, surrogates as `\u` escapes, an alias inside the node it refers to, anchors, aliases and
///   tags directly before a colon (`*a: 1`), `{a:[1]}` without a space, `{a` and a line break
///   before
///   `}`, `?` without a key in brackets, a block scalar at the column of its key, texts that only a
///   written `!!int` or `!!float` would make numbers (tag.h), tags with `,`, `[`, `]` or `#`,
///   `!!str` on a mapping with a key `=`, and unhashable keys inside `!!omap`.
class Document {
 public:
  ~Document();
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  /// Fails with position and cause on a syntax error, on input that safe_load refuses (unknown
  /// tags, a plain `=` or `<<` value, impossible dates, unhashable keys), on more than one document
  /// and on a limit. `file` must outlive the document. An empty file gives a document whose root is
  /// null.
  static text::Result<std::shared_ptr<const Document>> parse(const text::SourceFile& file,
                                                             const Limits& limits = {});

  const text::SourceFile& file() const { return file_; }
  Node root() const;
  /// In the order of the file.
  std::span<const DuplicateKey> duplicate_keys() const;

 private:
  friend class Node;
  friend class Builder;
  struct Storage;
  explicit Document(const text::SourceFile& file);

  const text::SourceFile& file_;
  std::unique_ptr<Storage> storage_;
};

}  // namespace recipelint::yaml
