#include "analyzer/yaml/reader.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <istream>
#include <optional>
#include <streambuf>
#include <vector>

#include "analyzer/yaml/cursor.h"
#include "analyzer/yaml/explain.h"
#include "analyzer/yaml/failure.h"

namespace recipelint::yaml {
namespace {

/// Lets yaml-cpp read bytes where they are. Adds a line break if there is none at the end, without
/// which it misses some last lines.
class MemoryBuffer : public std::streambuf {
 public:
  explicit MemoryBuffer(std::string_view bytes)
      : has_last_break_(bytes.empty() || bytes.back() == '\n') {
    // yaml-cpp puts back what it read to guess the encoding, which must not cross the two areas.
    constexpr std::size_t kLongestPutback = 4;
    if (!has_last_break_ && bytes.size() < kLongestPutback) {
      copy_ = std::string(bytes) + '\n';
      has_last_break_ = true;
      bytes = copy_;
    }
    set_area(bytes);
  }

 protected:
  int_type underflow() override {
    if (has_last_break_) return traits_type::eof();
    has_last_break_ = true;
    set_area("\n");
    return traits_type::to_int_type('\n');
  }

 private:
  void set_area(std::string_view bytes) {
    // The get area is never written to: nothing puts back a different character.
    char* begin = const_cast<char*>(bytes.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    setg(begin, begin, begin + bytes.size());
  }

  bool has_last_break_;
  std::string copy_;
};

enum class Shape : std::uint8_t {
  kRoot,
  kBlockSequence,
  kBlockMapping,
  kFlowSequence,
  kFlowMapping,
  kPair,  // `a: 1` as an item of a flow sequence
};

/// A collection that is open, and which of its nodes comes next.
struct Frame {
  Shape shape = Shape::kRoot;
  /// Of a block collection.
  std::int32_t column = -1;
  bool is_empty = true;
  bool value_is_next = false;
  /// Of a mapping: whether the last key has a '?', and where it begins.
  bool has_question_mark = false;
  std::uint32_t key_begin = 0;
  /// Of a flow collection: its opening bracket.
  std::uint32_t bracket = 0;
};

bool is_flow(Shape shape) {
  return shape == Shape::kFlowSequence || shape == Shape::kFlowMapping || shape == Shape::kPair;
}

bool is_name_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' ||
         c == '_';
}

/// What both yaml-cpp and PyYAML take as part of a tag.
bool is_tag_character(char c) {
  return is_name_character(c) ||
         (c != '\0' && std::string_view(";/?:@&=+$.~*'()!%").find(c) != std::string_view::npos);
}

/// Follows yaml-cpp's events through the bytes of the file. yaml-cpp knows the structure and where
/// nodes begin; this finds where they end, and refuses the file where the bytes are not what PyYAML
/// would accept for that structure.
class EventFollower : public YAML::EventHandler {
 public:
  EventFollower(const text::SourceFile& file, std::string& decoded, Builder& builder)
      : bytes_(file.bytes()),
        bom_size_(file.bom_size()),
        cursor_(bytes_, bom_size_),
        scanner_(bytes_, decoded),
        builder_(builder) {
    frames_.emplace_back();
  }

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override { end_collection(']'); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override { end_collection('}'); }

  /// The innermost bracket that is open.
  std::optional<std::uint32_t> open_bracket() const;
  /// After the last event, also if there was none.
  void finish(bool has_document);

 private:
  Frame& frame() { return frames_.back(); }
  Context context() const {
    return is_flow(frames_.back().shape) ? Context::kFlow : Context::kBlock;
  }
  std::int32_t indent() const;
  bool node_is_present() const;
  void check_mark(const YAML::Mark& mark) const;

  void open_slot();
  void open_item();
  void open_key();
  void open_value();
  void take_comma();
  Properties read_properties(const std::string& tag, YAML::anchor_t anchor);
  void read_anchor(Properties& properties);
  void read_tag(Properties& properties);
  void close_slot();

  bool is_null_word(const ScannedScalar& scalar) const;
  void add_missing(const Properties& properties);
  void add_scalar(const Properties& properties);
  void begin_block(Kind kind, const Properties& properties);
  void begin_flow(Kind kind, const Properties& properties);
  void end_collection(char bracket);

  std::string_view bytes_;
  std::uint32_t bom_size_;
  Cursor cursor_;
  ScalarScanner scanner_;
  Builder& builder_;
  std::vector<Frame> frames_;
  /// The value that comes next has no ':' in the text.
  bool value_is_omitted_ = false;
  bool has_start_marker_ = false;
};

std::optional<std::uint32_t> EventFollower::open_bracket() const {
  for (auto it = frames_.rbegin(); it != frames_.rend(); ++it) {
    if (it->shape == Shape::kFlowSequence || it->shape == Shape::kFlowMapping) return it->bracket;
  }
  return std::nullopt;
}

std::int32_t EventFollower::indent() const {
  for (auto it = frames_.rbegin(); it != frames_.rend(); ++it) {
    if (!is_flow(it->shape)) return it->column;
  }
  return -1;
}

/// Whether what stands at the cursor belongs to the node that comes next, not to a later one.
bool EventFollower::node_is_present() const {
  if (value_is_omitted_ || cursor_.at_end() || cursor_.is_at_document_marker()) return false;
  return context() == Context::kFlow || cursor_.is_on_line_of_token() ||
         cursor_.column() > indent();
}

void EventFollower::check_mark(const YAML::Mark& mark) const {
  if (static_cast<std::uint32_t>(mark.pos) + bom_size_ != cursor_.at()) {
    cursor_.refuse_layout();
  }
}

void EventFollower::OnDocumentStart(const YAML::Mark& /*mark*/) {
  cursor_.skip_space();
  bool has_directive = false;
  while (cursor_.column() == 0 && cursor_.peek() == '%') {
    has_directive = true;
    cursor_.skip_line();
    cursor_.skip_space();
  }
  has_start_marker_ = cursor_.is_at_document_marker() && cursor_.peek() == '-';
  if (has_directive && !has_start_marker_) cursor_.refuse_expecting("'---' after a directive");
  if (has_start_marker_) cursor_.take(3);
}

void EventFollower::finish(bool has_document) {
  cursor_.skip_space();
  if (!has_document) {
    if (!cursor_.at_end()) cursor_.refuse_expecting("a document");
    builder_.add_missing(cursor_.token_end(), {});
  }
  while (has_document && cursor_.is_at_document_marker() && cursor_.peek() == '.') {
    cursor_.take(3);
    cursor_.skip_space();
  }
  if (cursor_.at_end()) return builder_.finish();
  if (cursor_.is_at_document_marker()) {
    throw Failure{"A second document starts here; a file may have only one.", cursor_.at(),
                  cursor_.at() + 3};
  }
  throw Failure{
      "This line belongs to nothing above it: a '-' or ':' is missing, or the indentation is "
      "wrong.",
      cursor_.at(), after_character(bytes_, cursor_.at())};
}

void EventFollower::open_slot() {
  value_is_omitted_ = false;
  switch (frame().shape) {
    case Shape::kRoot:
      break;
    case Shape::kBlockSequence:
    case Shape::kFlowSequence:
      open_item();
      break;
    case Shape::kBlockMapping:
    case Shape::kFlowMapping:
    case Shape::kPair:
      if (frame().value_is_next) {
        open_value();
      } else {
        open_key();
      }
      break;
  }
  cursor_.skip_space();
}

/// Takes the comma that stands before every item of a flow collection but the first.
void EventFollower::take_comma() {
  cursor_.skip_space();
  if (frame().is_empty) return;
  if (cursor_.peek() != ',') cursor_.refuse_expecting("',' or a closing bracket");
  cursor_.take(1);
}

void EventFollower::open_item() {
  if (frame().shape == Shape::kFlowSequence) return take_comma();
  cursor_.skip_space();
  const bool is_entry = cursor_.peek() == '-' && cursor_.is_followed_by_space();
  if (!is_entry || cursor_.column() != frame().column)
    cursor_.refuse_expecting("'- ' of a sequence");
  cursor_.take(1);
}

void EventFollower::open_key() {
  if (frame().shape == Shape::kFlowMapping) take_comma();
  cursor_.skip_space();
  if (frame().shape == Shape::kBlockMapping && cursor_.column() != frame().column) {
    cursor_.refuse_expecting("a key at the indentation of the mapping");
  }
  frame().key_begin = cursor_.at();
  frame().has_question_mark = cursor_.peek() == '?' && cursor_.is_followed_by_space();
  if (frame().has_question_mark) {
    cursor_.take(1);
  } else {
    cursor_.stay_on_line();
  }
}

void EventFollower::open_value() {
  cursor_.skip_space();
  const bool in_block = frame().shape == Shape::kBlockMapping;
  const bool is_colon = cursor_.peek() == ':' && (!in_block || cursor_.is_followed_by_space());
  if (!frame().has_question_mark) {
    value_is_omitted_ = !in_block && !is_colon;
    if (is_colon && frame().key_begin < cursor_.line_begin()) {
      cursor_.refuse_expecting("a key and its ':' on one line");
    }
    if (in_block && !is_colon) cursor_.refuse_expecting("':' after a key");
  } else {
    value_is_omitted_ = !is_colon || (in_block && cursor_.column() != frame().column);
  }
  if (!value_is_omitted_) cursor_.take(1);
}

/// The node of the slot is complete.
void EventFollower::close_slot() {
  frame().is_empty = false;
  frame().value_is_next = !frame().value_is_next;
}

void EventFollower::read_anchor(Properties& properties) {
  std::uint32_t size = 1;
  while (is_name_character(cursor_.peek(size))) ++size;
  const char next = cursor_.peek(size);
  const bool ends =
      next == '\0' || std::string_view(" \t\r\n,]}").find(next) != std::string_view::npos;
  if (size == 1 || !ends) cursor_.refuse_expecting("a name of letters, digits, '-' and '_'");
  properties.anchor_begin = cursor_.at();
  properties.anchor_name = bytes_.substr(cursor_.at() + 1, size - 1);
  cursor_.take(size);
}

void EventFollower::read_tag(Properties& properties) {
  const bool is_verbatim = cursor_.peek(1) == '<';
  std::uint32_t size = is_verbatim ? 2 : 1;
  while (is_tag_character(cursor_.peek(size)) || (is_verbatim && cursor_.peek(size) == ',')) ++size;
  if (is_verbatim && cursor_.peek(size) == '>') ++size;
  const char next = cursor_.peek(size);
  const bool ends =
      next == '\0' || std::string_view(" \t\r\n").find(next) != std::string_view::npos;
  if (!ends) cursor_.refuse_expecting("a tag that ends with a space");
  properties.tag_begin = cursor_.at();
  properties.tag_end = cursor_.at() + size;
  cursor_.take(size);
}

Properties EventFollower::read_properties(const std::string& tag, YAML::anchor_t anchor) {
  Properties properties{.anchor = anchor};
  bool has_tag = false;
  while (node_is_present() && (cursor_.peek() == '&' || cursor_.peek() == '!')) {
    if (cursor_.peek() == '&') {
      read_anchor(properties);
    } else {
      read_tag(properties);
      has_tag = true;
    }
    cursor_.skip_space();
  }
  if (has_tag) properties.tag = tag;
  // yaml-cpp gives quoted scalars without a tag the tag "!", and takes a tag that it does not
  // understand as a lone "!".
  const bool is_lone = properties.tag_end - properties.tag_begin == 1;
  const bool is_same_tag =
      has_tag ? tag != "?" && (tag != "!" || is_lone) : tag == "?" || tag == "!";
  if (!is_same_tag || properties.anchor_name.empty() != (anchor == 0)) {
    cursor_.refuse_layout();
  }
  return properties;
}

void EventFollower::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  open_slot();
  const std::uint32_t begin = cursor_.at();
  const Properties properties = read_properties("?", anchor);
  if (!node_is_present() || !scanner_.starts_plain(cursor_.at(), context()) ||
      !is_null_word(scanner_.plain(cursor_.at(), context(), indent()))) {
    return add_missing(properties);
  }
  if (anchor == 0 && cursor_.at() == begin) check_mark(mark);
  add_scalar(properties);
}

/// yaml-cpp reports null for a missing node and for one of these words.
bool EventFollower::is_null_word(const ScannedScalar& scalar) const {
  if (scalar.is_decoded) return false;
  return resolve_tag(bytes_.substr(scalar.text_begin, scalar.text_size)) == Tag::kNull;
}

void EventFollower::add_missing(const Properties& properties) {
  const Frame& slot = frame();
  const bool is_value = slot.value_is_next;
  bool may_miss = properties.anchor != 0 || !properties.tag.empty();
  switch (slot.shape) {
    case Shape::kRoot:
      may_miss |= has_start_marker_;
      break;
    case Shape::kBlockSequence:
      may_miss = true;
      break;
    case Shape::kFlowSequence:
      break;
    case Shape::kBlockMapping:
    case Shape::kFlowMapping:
    case Shape::kPair:
      may_miss |= is_value || slot.has_question_mark;
      break;
  }
  if (!may_miss) cursor_.refuse_expecting("a value or key");
  builder_.add_missing(cursor_.token_end(), properties);
  close_slot();
}

void EventFollower::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  open_slot();
  check_mark(mark);
  if (!node_is_present()) cursor_.refuse_layout();
  const std::uint32_t begin = cursor_.at();
  Properties alias;
  read_anchor(alias);
  builder_.add_alias(begin, cursor_.at(), anchor);
  close_slot();
}

void EventFollower::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                             const std::string& value) {
  open_slot();
  check_mark(mark);
  const Properties properties = read_properties(tag, anchor);
  const bool is_quoted_or_block =
      !cursor_.at_end() && std::string_view("\"'|>").find(cursor_.peek()) != std::string_view::npos;
  if (value.empty() && !(node_is_present() && is_quoted_or_block)) return add_missing(properties);
  if (!node_is_present()) cursor_.refuse_layout();
  add_scalar(properties);
}

void EventFollower::add_scalar(const Properties& properties) {
  const std::uint32_t begin = cursor_.at();
  Style style = Style::kPlain;
  ScannedScalar scalar;
  switch (cursor_.peek()) {
    case '"':
      style = Style::kDoubleQuoted;
      scalar = scanner_.quoted(begin);
      break;
    case '\'':
      style = Style::kSingleQuoted;
      scalar = scanner_.quoted(begin);
      break;
    case '|':
      style = Style::kLiteral;
      scalar = scanner_.block(begin, indent());
      break;
    case '>':
      style = Style::kFolded;
      scalar = scanner_.block(begin, indent());
      break;
    default:
      if (!scanner_.starts_plain(begin, context())) cursor_.refuse_expecting("a value or key");
      scalar = scanner_.plain(begin, context(), indent());
  }
  cursor_.take(scalar);
  builder_.add_scalar(style, begin, scalar, properties);
  close_slot();
}

void EventFollower::OnSequenceStart(const YAML::Mark& mark, const std::string& tag,
                                    YAML::anchor_t anchor, YAML::EmitterStyle::value style) {
  open_slot();
  check_mark(mark);
  const Properties properties = read_properties(tag, anchor);
  if (style == YAML::EmitterStyle::Flow) {
    begin_flow(Kind::kSequence, properties);
  } else {
    begin_block(Kind::kSequence, properties);
  }
}

void EventFollower::OnMapStart(const YAML::Mark& mark, const std::string& tag,
                               YAML::anchor_t anchor, YAML::EmitterStyle::value style) {
  open_slot();
  check_mark(mark);
  // Without properties of its own, those that stand here belong to the first key.
  const bool has_properties = tag != "?" || anchor != 0;
  const Properties properties = has_properties ? read_properties(tag, anchor) : Properties();
  if (style == YAML::EmitterStyle::Block) return begin_block(Kind::kMapping, properties);
  if (style != YAML::EmitterStyle::Flow) cursor_.refuse_expecting("a key before ':'");
  const bool is_pair =
      frame().shape == Shape::kFlowSequence && !has_properties && cursor_.peek() != '{';
  if (!is_pair) return begin_flow(Kind::kMapping, properties);
  builder_.begin_collection(Kind::kMapping, Style::kFlow, cursor_.at(), properties);
  frames_.push_back({.shape = Shape::kPair});
}

void EventFollower::begin_flow(Kind kind, const Properties& properties) {
  const bool is_sequence = kind == Kind::kSequence;
  if (!node_is_present() || cursor_.peek() != (is_sequence ? '[' : '{')) {
    cursor_.refuse_layout();
  }
  builder_.begin_collection(kind, Style::kFlow, cursor_.at(), properties);
  frames_.push_back(
      {.shape = is_sequence ? Shape::kFlowSequence : Shape::kFlowMapping, .bracket = cursor_.at()});
  cursor_.take(1);
}

void EventFollower::begin_block(Kind kind, const Properties& properties) {
  const bool is_sequence = kind == Kind::kSequence;
  // The '-' of a sequence may stand below the key it belongs to.
  const bool may_align =
      is_sequence && frame().shape == Shape::kBlockMapping && !cursor_.is_on_line_of_token();
  if (value_is_omitted_ || cursor_.column() < indent() + (may_align ? 0 : 1)) {
    cursor_.refuse_expecting("a deeper indentation");
  }
  builder_.begin_collection(kind, Style::kBlock, cursor_.at(), properties);
  frames_.push_back({.shape = is_sequence ? Shape::kBlockSequence : Shape::kBlockMapping,
                     .column = cursor_.column()});
}

void EventFollower::end_collection(char bracket) {
  const Frame ended = frame();
  if (ended.shape == Shape::kFlowSequence || ended.shape == Shape::kFlowMapping) {
    cursor_.skip_space();
    if (!ended.is_empty && cursor_.peek() == ',') {
      cursor_.take(1);
      cursor_.skip_space();
    }
    if (cursor_.peek() != bracket) cursor_.refuse_expecting("',' or a closing bracket");
    cursor_.take(1);
  }
  frames_.pop_back();
  builder_.end_collection(cursor_.token_end());
  close_slot();
}

}  // namespace

void read_document(const text::SourceFile& file, std::string& decoded, Builder& builder) {
  check_characters(file.bytes(), file.bom_size());
  EventFollower follower(file, decoded, builder);
  MemoryBuffer buffer(file.content());
  std::istream stream(&buffer);
  try {
    YAML::Parser parser(stream);
    const bool has_document = parser.HandleNextDocument(follower);
    follower.finish(has_document);
  } catch (const YAML::ParserException& error) {
    const auto at = error.mark.is_null() ? 0 : static_cast<std::uint32_t>(error.mark.pos);
    throw explain_syntax_error(file, error.msg, at + file.bom_size(), follower.open_bracket());
  }
}

}  // namespace recipelint::yaml
