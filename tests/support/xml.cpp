#include "tests/support/xml.h"

#include <algorithm>
#include <set>
#include <vector>

#include "analyzer/text/utf8.h"

namespace recipelint::testing {
namespace {

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

bool is_xml_character(char32_t c) {
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c < 0xD800) ||
         (c >= 0xE000 && c < 0xFFFE) || c >= 0x10000;
}

class Checker {
 public:
  explicit Checker(std::string_view document) : rest_(document) {}

  std::string check() {
    check_characters();
    if (!take("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")) fail("no declaration");
    while (error_.empty() && !rest_.empty()) step();
    if (error_.empty() && !open_.empty()) fail("unclosed " + open_.back());
    if (error_.empty() && roots_ != 1) fail("not one root element");
    return error_;
  }

 private:
  void fail(std::string reason) {
    if (!error_.empty()) return;
    error_ = std::move(reason) + " before: " + std::string(rest_.substr(0, 40));
  }

  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  std::string take_name() {
    const auto end = std::ranges::find_if_not(rest_, is_name_character);
    std::string name(rest_.begin(), end);
    rest_.remove_prefix(name.size());
    if (name.empty()) fail("a name is missing");
    return name;
  }

  void check_characters() {
    for (std::string_view text = rest_; !text.empty();) {
      const text::Utf8Character character = text::decode_utf8(text);
      if (!character.valid) fail("malformed UTF-8");
      if (!is_xml_character(character.code_point)) fail("a character that XML does not allow");
      text.remove_prefix(character.size);
    }
  }

  void step() {
    if (take("</")) {
      close();
    } else if (take("<")) {
      open();
    } else {
      take_text("<");
    }
  }

  void close() {
    if (open_.empty() || take_name() != open_.back()) return fail("a tag that closes nothing");
    open_.pop_back();
    if (!take(">")) fail("'>' is missing");
  }

  void open() {
    if (open_.empty()) ++roots_;
    open_.push_back(take_name());
    std::set<std::string> attributes;
    while (error_.empty() && take(" ")) {
      if (!attributes.insert(take_name()).second) fail("a repeated attribute");
      if (!take("=\"")) fail("'=' and a quote are missing");
      take_text("\"");
      if (!take("\"")) fail("a quote is missing");
    }
    if (take("/>")) {
      open_.pop_back();
    } else if (!take(">")) {
      fail("'>' is missing");
    }
  }

  /// Character data up to, without, the terminator.
  void take_text(std::string_view terminator) {
    while (error_.empty() && !rest_.empty() && !rest_.starts_with(terminator)) {
      if (rest_.front() == '<') return fail("'<' in text");
      if (open_.empty() && rest_.front() != '\n') return fail("text outside of the root");
      if (rest_.front() == '&') {
        take_entity();
      } else {
        rest_.remove_prefix(1);
      }
    }
  }

  void take_entity() {
    for (const char* entity : {"&lt;", "&gt;", "&amp;", "&quot;", "&apos;"}) {
      if (take(entity)) return;
    }
    fail("an unknown entity");
  }

  std::string_view rest_;
  std::vector<std::string> open_;
  int roots_ = 0;
  std::string error_;
};

}  // namespace

std::string xml_error(std::string_view document) {
  return Checker(document).check();
}

}  // namespace recipelint::testing
