#include "analyzer/yaml/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analyzer/yaml/failure.h"

namespace recipelint::yaml {
namespace {

std::uint32_t narrow(std::size_t size) {
  return static_cast<std::uint32_t>(size);
}

bool is_scalar_tag(Tag tag) {
  return tag != Tag::kSeq && tag != Tag::kOmap && tag != Tag::kPairs && tag != Tag::kMap &&
         tag != Tag::kSet;
}

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::kScalar:
      return "a scalar";
    case Kind::kSequence:
      return "a sequence";
    case Kind::kMapping:
      return "a mapping";
  }
  return {};
}

/// Why PyYAML's constructor of that tag raises.
std::string refusal(Tag tag, std::string_view text) {
  switch (tag) {
    case Tag::kTimestamp:
      return fmt::format("'{}' looks like a date but is none; quote it if it is text.", text);
    case Tag::kInt:
      return fmt::format("'{}' cannot be read as an integer; quote it if it is text.", text);
    case Tag::kFloat:
      return fmt::format("'{}' cannot be read as a float; quote it if it is text.", text);
    default:
      return fmt::format("'{}' is not a boolean of YAML 1.1.", text);
  }
}

/// The start of the first line of a text, for messages.
std::string_view excerpt(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  text = text.substr(0, text.find_first_of("\r\n"));
  if (text.size() <= kLongest) return text;
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80) --end;
  return text.substr(0, end);
}

}  // namespace

Builder::Builder(const Document& document, Document::Storage& storage, const Limits& limits)
    : document_(document), storage_(storage), limits_(limits) {}

void Builder::refuse(Node place, std::string message) const {
  const text::Span span = place.span();
  throw Failure{std::move(message), span.begin, span.end};
}

void Builder::count_nodes(std::uint64_t count, std::uint32_t begin, std::uint32_t end) {
  nodes_ += count;
  if (nodes_ <= limits_.nodes) return;
  throw Failure{fmt::format("The document has more than {} nodes, counting what aliases repeat.",
                            limits_.nodes),
                begin, end};
}

void Builder::check_depth(std::size_t depth, std::uint32_t begin, std::uint32_t end) const {
  if (depth <= limits_.depth) return;
  throw Failure{fmt::format("Collections are nested more than {} deep.", limits_.depth), begin,
                end};
}

bool Builder::next_is_key() const {
  if (frames_.empty()) return false;
  const Frame& frame = frames_.back();
  return storage_.records[frame.record].kind == Kind::kMapping &&
         (children_.size() - frame.first_child) % 2 == 0;
}

std::uint32_t Builder::add_record(const Record& record, const Properties& properties) {
  const auto index = narrow(storage_.records.size());
  count_nodes(1, record.begin, record.end);
  storage_.records.push_back(record);
  if (properties.anchor != 0) declare_anchor(properties, index);
  return index;
}

void Builder::declare_anchor(const Properties& properties, std::uint32_t record) {
  if (!anchor_names_.insert(properties.anchor_name).second) {
    throw Failure{fmt::format("The anchor '{}' is defined a second time.", properties.anchor_name),
                  properties.anchor_begin,
                  properties.anchor_begin + 1 + narrow(properties.anchor_name.size())};
  }
  anchors_.resize(std::max(anchors_.size(), properties.anchor + 1));
  anchors_[properties.anchor].record = record;
}

void Builder::complete_anchor(std::size_t anchor, std::uint64_t nodes, std::uint32_t height) {
  if (anchor == 0) return;
  anchors_[anchor].is_complete = true;
  anchors_[anchor].nodes = nodes;
  anchors_[anchor].height = height;
}

void Builder::check_place(std::uint32_t record) const {
  const Record& target = storage_.target(record);
  if (next_is_key()) {
    if (target.kind == Kind::kScalar) return;
    refuse(node(record), fmt::format("{} cannot be a key: Python cannot hash it.",
                                     target.kind == Kind::kMapping ? "A mapping" : "A sequence"));
  }
  if (target.kind == Kind::kScalar && target.tag == Tag::kMerge) {
    refuse(node(record), "'<<' has a meaning only as a key; quote it if it is text.");
  }
}

void Builder::add_child(std::uint32_t record, std::uint32_t height) {
  check_place(record);
  if (frames_.empty()) {
    storage_.root = record;
    return;
  }
  frames_.back().height = std::max(frames_.back().height, height + 1);
  children_.push_back(record);
}

Tag Builder::scalar_tag(Style style, std::string_view text, const Properties& properties) const {
  if (properties.tag.empty()) return style == Style::kPlain ? resolve_tag(text) : Tag::kStr;
  if (properties.tag == "!") return resolve_tag(text);
  const auto tag = tag_by_name(properties.tag);
  if (!tag || *tag == Tag::kValue) {
    throw Failure{
        fmt::format("PyYAML's safe_load has no meaning for the tag '{}'.", excerpt(properties.tag)),
        properties.tag_begin, properties.tag_end};
  }
  if (!is_scalar_tag(*tag)) {
    throw Failure{"This tag is for collections, but a scalar follows.", properties.tag_begin,
                  properties.tag_end};
  }
  return *tag;
}

Tag Builder::collection_tag(Kind kind, const Properties& properties) const {
  const Tag usual = kind == Kind::kSequence ? Tag::kSeq : Tag::kMap;
  if (properties.tag.empty() || properties.tag == "!") return usual;
  const auto tag = tag_by_name(properties.tag);
  if (!tag) {
    throw Failure{
        fmt::format("PyYAML's safe_load has no meaning for the tag '{}'.", excerpt(properties.tag)),
        properties.tag_begin, properties.tag_end};
  }
  const bool fits =
      *tag == usual ||
      (kind == Kind::kMapping ? *tag == Tag::kSet : *tag == Tag::kOmap || *tag == Tag::kPairs);
  if (fits) return *tag;
  throw Failure{fmt::format("This tag does not fit {}, which follows.", name_of(kind)),
                properties.tag_begin, properties.tag_end};
}

void Builder::check_value(const Record& record, std::string_view text) const {
  switch (record.tag) {
    case Tag::kInt:
    case Tag::kFloat:
    case Tag::kBool:
    case Tag::kTimestamp:
      if (construct(record.tag, text)) return;
      throw Failure{refusal(record.tag, excerpt(text)), record.begin, record.end};
    case Tag::kValue:
      throw Failure{"PyYAML refuses a plain '=' as a value; quote it.", record.begin, record.end};
    default:
      return;
  }
}

void Builder::add_scalar(Style style, std::uint32_t begin, const ScannedScalar& scalar,
                         const Properties& properties) {
  if (scalar.text_size > limits_.scalar_bytes) {
    throw Failure{fmt::format("A scalar has more than {} bytes.", limits_.scalar_bytes), begin,
                  begin + 1};
  }
  Record record{.begin = begin,
                .end = scalar.end,
                .content = {scalar.text_begin, scalar.text_size},
                .style = style,
                .is_decoded = scalar.is_decoded};
  const std::string_view source = scalar.is_decoded ? storage_.decoded : document_.file().bytes();
  const std::string_view text = source.substr(scalar.text_begin, scalar.text_size);
  record.tag = scalar_tag(style, text, properties);
  // PyYAML lets a plain `=` be a key, and then it is text.
  if (record.tag == Tag::kValue && next_is_key()) record.tag = Tag::kStr;
  check_value(record, text);
  const std::uint32_t index = add_record(record, properties);
  complete_anchor(properties.anchor, 1, 0);
  add_child(index, 0);
}

void Builder::add_missing(std::uint32_t at, const Properties& properties) {
  add_scalar(Style::kPlain, at, {.end = at, .next = at, .text_begin = at}, properties);
}

void Builder::add_alias(std::uint32_t begin, std::uint32_t end, std::size_t anchor) {
  const Anchor& target = anchors_[anchor];
  if (!target.is_complete) {
    throw Failure{"An alias inside the node it refers to makes an endless structure.", begin, end};
  }
  check_depth(frames_.size() + target.height, begin, end);
  count_nodes(target.nodes - 1, begin, end);
  Record record{.begin = begin, .end = end, .content = {target.record, 0}, .is_alias = true};
  const std::uint32_t height = target.height;
  add_child(add_record(record, {}), height);
}

void Builder::begin_collection(Kind kind, Style style, std::uint32_t begin,
                               const Properties& properties) {
  check_depth(frames_.size() + 1, begin, begin + 1);
  const Frame frame{.record = narrow(storage_.records.size()),
                    .first_child = children_.size(),
                    .anchor = properties.anchor,
                    .nodes_before = nodes_};
  add_record({.begin = begin,
              .end = begin + 1,
              .kind = kind,
              .style = style,
              .tag = collection_tag(kind, properties)},
             properties);
  frames_.push_back(frame);
}

void Builder::end_collection(std::uint32_t end) {
  const Frame frame = frames_.back();
  Record& record = storage_.records[frame.record];
  record.end = end;
  if (record.kind == Kind::kSequence) {
    finish_sequence(frame);
  } else {
    finish_mapping(frame);
  }
  children_.resize(frame.first_child);
  frames_.pop_back();
  // A collection of scalars is one deep.
  const std::uint32_t height = std::max(frame.height, 1u);
  complete_anchor(frame.anchor, nodes_ - frame.nodes_before, height);
  add_child(frame.record, height);
}

void Builder::finish_sequence(const Frame& frame) {
  Record& record = storage_.records[frame.record];
  record.content = {narrow(storage_.items.size()), narrow(children_.size() - frame.first_child)};
  for (std::size_t i = frame.first_child; i < children_.size(); ++i) {
    storage_.items.push_back(node(children_[i]));
  }
  if (record.tag != Tag::kSeq) check_pairs(record);
}

void Builder::check_pairs(const Record& sequence) const {
  for (std::uint32_t i = 0; i < sequence.content.size; ++i) {
    const Node item = storage_.items[sequence.content.begin + i];
    const auto entries = item.written_entries();
    if (entries.size() != 1 || storage_.target(entries[0].key.index_).tag == Tag::kMerge) {
      refuse(item, "An item of '!!omap' or '!!pairs' is a mapping with one entry.");
    }
  }
}

void Builder::finish() {
  std::stable_sort(storage_.duplicates.begin(), storage_.duplicates.end(),
                   [](const DuplicateKey& a, const DuplicateKey& b) {
                     return a.repeated.index_ < b.repeated.index_;
                   });
}

void Builder::merge_one(Node source, Node place) {
  if (!source.is_mapping()) {
    refuse(place, fmt::format("'<<' takes a mapping or a list of mappings, but this is {}.",
                              name_of(source.kind())));
  }
  const auto entries = source.entries();
  merged_.insert(merged_.end(), entries.begin(), entries.end());
}

void Builder::merge(Node value) {
  if (!value.is_sequence()) return merge_one(value, value);
  // The first of a list wins, so it comes last.
  for (std::size_t i = value.size(); i-- > 0;) merge_one(value.item(i), value.item(i));
}

void Builder::list_duplicates(std::span<const Node::Entry> entries,
                              std::span<const std::uint32_t> first) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (first[i] != i) storage_.duplicates.push_back({entries[first[i]].key, entries[i].key});
  }
}

Range Builder::add_effective(std::span<const Node::Entry> entries,
                             std::span<const std::uint32_t> first) {
  const std::size_t begin = storage_.entries.size();
  position_.resize(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (first[i] == i) {
      position_[i] = narrow(storage_.entries.size());
      storage_.entries.push_back(entries[i]);
    } else {
      storage_.entries[position_[first[i]]].value = entries[i].value;
    }
  }
  return {narrow(begin), narrow(storage_.entries.size() - begin)};
}

void Builder::finish_mapping(const Frame& frame) {
  Mapping mapping;
  mapping.written.begin = narrow(storage_.entries.size());
  own_.clear();
  merged_.clear();
  for (std::size_t i = frame.first_child; i < children_.size(); i += 2) {
    const Node::Entry entry{node(children_[i]), node(children_[i + 1])};
    storage_.entries.push_back(entry);
    if (storage_.target(children_[i]).tag == Tag::kMerge) {
      merge(entry.value);
    } else {
      own_.push_back(entry);
    }
  }
  mapping.written.size = narrow(storage_.entries.size()) - mapping.written.begin;
  mapping.effective = mapping.written;
  const std::size_t duplicates = storage_.duplicates.size();
  auto first = keys_.first_with_same_key(own_);
  list_duplicates(own_, first);
  if (own_.size() < mapping.written.size) {
    merged_.insert(merged_.end(), own_.begin(), own_.end());
    mapping.effective = add_effective(merged_, keys_.first_with_same_key(merged_));
  } else if (storage_.duplicates.size() > duplicates) {
    mapping.effective = add_effective(own_, first);
  }
  storage_.records[frame.record].content = {narrow(storage_.mappings.size()), 0};
  storage_.mappings.push_back(mapping);
}

}  // namespace recipelint::yaml
