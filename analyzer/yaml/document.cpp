#include "analyzer/yaml/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analyzer/yaml/builder.h"
#include "analyzer/yaml/failure.h"
#include "analyzer/yaml/reader.h"
#include "analyzer/yaml/storage.h"

namespace recipelint::yaml {

const Record& Node::record() const {
  return document_->storage_->target(index_);
}

Kind Node::kind() const {
  return document_ == nullptr ? Kind::kScalar : record().kind;
}

Style Node::style() const {
  return document_ == nullptr ? Style::kPlain : record().style;
}

text::Span Node::span() const {
  if (document_ == nullptr) return {};
  const Record& own = document_->storage_->records[index_];
  return document_->file().span(own.begin, own.end);
}

std::string_view Node::text() const {
  if (!is_scalar()) return {};
  const Record& scalar = record();
  const std::string_view source =
      scalar.is_decoded ? document_->storage_->decoded : document_->file().bytes();
  return source.substr(scalar.content.begin, scalar.content.size);
}

Scalar Node::scalar() const {
  if (!is_scalar()) return Null{};
  // The parser has refused every text that has no value.
  return *construct(record().tag, text());
}

std::optional<std::string_view> Node::as_string() const {
  if (!is_scalar()) return std::nullopt;
  const Tag tag = record().tag;
  if (tag != Tag::kStr && tag != Tag::kBinary) return std::nullopt;
  return text();
}

std::optional<std::int64_t> Node::as_int() const {
  if (!is_scalar() || record().tag != Tag::kInt) return std::nullopt;
  const Scalar value = scalar();
  const auto* number = std::get_if<std::int64_t>(&value);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

std::optional<bool> Node::as_bool() const {
  if (!is_scalar() || record().tag != Tag::kBool) return std::nullopt;
  return std::get<bool>(scalar());
}

bool Node::is_null() const {
  return is_scalar() && record().tag == Tag::kNull;
}

std::size_t Node::size() const {
  if (is_sequence()) return record().content.size;
  return entries().size();
}

Node Node::item(std::size_t index) const {
  if (!is_sequence() || index >= record().content.size) return {};
  return document_->storage_->items[record().content.begin + index];
}

std::span<const Node::Entry> Node::entries() const {
  if (!is_mapping()) return {};
  const Document::Storage& storage = *document_->storage_;
  const Range range = storage.mappings[record().content.begin].effective;
  return {storage.entries.data() + range.begin, range.size};
}

std::span<const Node::Entry> Node::written_entries() const {
  if (!is_mapping()) return {};
  const Document::Storage& storage = *document_->storage_;
  const Range range = storage.mappings[record().content.begin].written;
  return {storage.entries.data() + range.begin, range.size};
}

namespace {

const Node::Entry* find_entry(std::span<const Node::Entry> entries, std::string_view key) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Node::Entry& entry) {
    return entry.key.as_string() == key;
  });
  return found == entries.end() ? nullptr : &*found;
}

void check_size(const text::SourceFile& file, const Limits& limits) {
  if (file.bytes().size() <= limits.file_bytes) return;
  throw Failure{fmt::format("The file has more than {} bytes.", limits.file_bytes),
                limits.file_bytes, limits.file_bytes};
}

}  // namespace

Node Node::find(std::string_view key) const {
  const Entry* entry = find_entry(entries(), key);
  return entry == nullptr ? Node() : entry->value;
}

Node Node::find_key(std::string_view key) const {
  const Entry* entry = find_entry(entries(), key);
  return entry == nullptr ? Node() : entry->key;
}

Document::Document(const text::SourceFile& file)
    : file_(file), storage_(std::make_unique<Storage>()) {}

Document::~Document() = default;

Node Document::root() const {
  return {this, storage_->root};
}

std::span<const DuplicateKey> Document::duplicate_keys() const {
  return storage_->duplicates;
}

text::Result<std::shared_ptr<const Document>> Document::parse(const text::SourceFile& file,
                                                              const Limits& limits) {
  const std::shared_ptr<Document> document(new Document(file));
  try {
    check_size(file, limits);
    Builder builder(*document, *document->storage_, limits);
    read_document(file, document->storage_->decoded, builder);
  } catch (const Failure& failure) {
    return text::Error{failure.message, file.span(failure.begin, failure.end)};
  }
  return std::shared_ptr<const Document>(document);
}

}  // namespace recipelint::yaml
