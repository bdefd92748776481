#include "analyzer/serving/json.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "analyzer/facts/ascii.h"
#include "analyzer/text/utf8.h"

namespace recipelint::serving {
namespace {

using facts::is_digit;

constexpr int kDeepest = 64;

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Ends a bare word such as a number.
bool ends_token(char c) {
  return is_space(c) || c == ',' || c == ']' || c == '}' || c == ':' || c == '"' || c == '[' ||
         c == '{';
}

class Parser {
 public:
  Parser(std::string_view text, Place place, HumanNumbers human_numbers)
      : text_(text), place_(place), human_numbers_(human_numbers) {}

  JsonResult run() {
    Json value = parse_value(0);
    skip_space();
    if (ok() && !take(kHole) && at_ < text_.size()) fail("something follows the end of the value");
    if (!ok()) return {std::nullopt, error_};
    return {std::move(value), {}};
  }

 private:
  bool ok() const { return !failed_; }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\x01'; }
  bool at_end() const { return at_ >= text_.size(); }

  void fail(std::string message) {
    if (failed_) return;
    failed_ = true;
    error_ = {std::move(message), at_};
  }

  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void skip_space() {
    while (!at_end() && is_space(text_[at_])) ++at_;
  }

  Place from(std::size_t begin) const {
    return {place_.word, place_.begin + begin, place_.begin + at_};
  }

  Json parse_value(int depth) {
    skip_space();
    if (at_end()) fail("the value is missing");
    if (depth > kDeepest) fail("it is nested too deeply");
    if (!ok()) return {};
    switch (peek()) {
      case '{':
        return parse_object(depth);
      case '[':
        return parse_array(depth);
      case '"':
        return parse_string();
      default:
        return parse_token();
    }
  }

  /// Skips spaces and holes between the values of `container`, which a hole leaves open.
  void skip_between(Json& container) {
    skip_space();
    while (take(kHole)) {
      container.open = true;
      skip_space();
    }
  }

  Json parse_object(int depth) {
    Json object;
    object.kind = Json::Kind::kObject;
    const std::size_t begin = at_++;
    skip_between(object);
    bool more = !take('}');
    while (more && ok()) {
      object.members.push_back(parse_member(object, depth));
      skip_between(object);
      more = !take('}');
      if (more && !take(',')) fail("',' or '}' is missing");
      skip_between(object);
      // After a comma comes a member, unless an unknown piece was one.
      if (more && object.open && take('}')) more = false;
    }
    object.place = from(begin);
    return object;
  }

  Json::Member parse_member(Json& object, int depth) {
    Json::Member member;
    if (peek() != '"' || at_end()) {
      fail(peek() == '\'' ? "keys stand in double quotes" : "a key in double quotes is missing");
      return member;
    }
    const Json key = parse_string();
    member.key = key.text;
    member.key_place = key.place;
    skip_space();
    if (!key.known()) object.open = true;
    if (!take(':')) fail("':' is missing");
    member.value = parse_value(depth + 1);
    return member;
  }

  Json parse_array(int depth) {
    Json array;
    array.kind = Json::Kind::kArray;
    const std::size_t begin = at_++;
    skip_space();
    bool more = !take(']');
    while (more && ok()) {
      array.items.push_back(parse_value(depth + 1));
      // An unknown piece outside of a string can be any number of values.
      if (!array.items.back().known() && text_[at_ - 1] != '"') array.open = true;
      skip_between(array);
      more = !take(']');
      if (more && !take(',')) fail("',' or ']' is missing");
    }
    array.place = from(begin);
    return array;
  }

  Json parse_string() {
    Json string;
    string.kind = Json::Kind::kString;
    const std::size_t begin = at_++;
    while (ok() && !take('"')) {
      if (at_end()) {
        fail("'\"' is missing");
      } else if (text_[at_] == '\\') {
        parse_escape(string.text);
      } else if (take(kHole)) {
        string.kind = Json::Kind::kUnknown;
      } else if (static_cast<unsigned char>(text_[at_]) < 0x20) {
        fail("a control character stands in a string");
      } else {
        string.text += text_[at_++];
      }
    }
    string.place = from(begin);
    return string;
  }

  void parse_escape(std::string& out) {
    static constexpr std::string_view kEscapes = "\"\"\\\\//b\bf\fn\nr\rt\t";
    const char c = at_ + 1 < text_.size() ? text_[at_ + 1] : '\x01';
    for (std::size_t i = 0; i < kEscapes.size(); i += 2) {
      if (kEscapes[i] != c) continue;
      out += kEscapes[i + 1];
      at_ += 2;
      return;
    }
    const auto unit = c == 'u' ? hexadecimal(at_ + 2) : std::nullopt;
    if (!unit) return fail("this escape does not exist");
    at_ += 6;
    append_unit(out, *unit);
  }

  std::optional<std::uint32_t> hexadecimal(std::size_t begin) const {
    constexpr std::size_t kDigits = 4;
    if (begin + kDigits > text_.size()) return std::nullopt;
    std::uint32_t value = 0;
    const char* first = text_.data() + begin;
    const auto [end, error] = std::from_chars(first, first + kDigits, value, 16);
    if (error != std::errc() || end != first + kDigits) return std::nullopt;
    return value;
  }

  /// Joins two halves of a surrogate pair; a half alone becomes a replacement character.
  void append_unit(std::string& out, std::uint32_t unit) {
    const bool high = unit >= 0xD800 && unit < 0xDC00;
    if (high && text_.substr(at_).starts_with("\\u")) {
      const auto low = hexadecimal(at_ + 2);
      if (low && *low >= 0xDC00 && *low < 0xE000) {
        at_ += 6;
        unit = 0x10000 + ((unit - 0xD800) << 10U) + (*low - 0xDC00);
      }
    }
    if (unit >= 0xD800 && unit < 0xE000) unit = 0xFFFD;
    text::append_utf8(out, unit);
  }

  Json fail_value(std::string message) {
    fail(std::move(message));
    return {};
  }

  Json parse_token() {
    const std::size_t begin = at_;
    while (!at_end() && !ends_token(text_[at_])) ++at_;
    const auto token = text_.substr(begin, at_ - begin);
    Json value;
    value.place = from(begin);
    if (has_hole(token)) {
      value.kind = Json::Kind::kUnknown;
    } else if (token == "true" || token == "false") {
      value.kind = Json::Kind::kBool;
      value.boolean = token == "true";
    } else if (token != "null" && !parse_number(token, value)) {
      at_ = begin;
      if (token.starts_with('\'')) return fail_value("a single quote is no part of JSON");
      fail(token.empty() ? "the value is missing"
                         : fmt::format("'{}' is no value; strings stand in double quotes", token));
    }
    return value;
  }

  bool parse_number(std::string_view token, Json& value) const {
    if (human_numbers_ == HumanNumbers::kRead && !token.empty() && !is_digit(token.back())) {
      if (const auto number = parse_human_int(token)) {
        set_integer(value, *number);
        return true;
      }
    }
    if (token == "NaN" || token == "Infinity" || token == "-Infinity") {
      value.kind = Json::Kind::kFloat;
      value.number = token == "NaN" ? std::numeric_limits<double>::quiet_NaN()
                                    : std::numeric_limits<double>::infinity();
      if (token.front() == '-') value.number = -value.number;
      return true;
    }
    if (!is_json_number(token)) return false;
    std::int64_t integer = 0;
    const char* end = token.data() + token.size();
    const auto [stop, error] = std::from_chars(token.data(), end, integer);
    if (error == std::errc() && stop == end) {
      set_integer(value, integer);
      return true;
    }
    value.kind = Json::Kind::kFloat;
    value.number = parse_python_float(token).value_or(0);
    return true;
  }

  static void set_integer(Json& value, std::int64_t integer) {
    value.kind = Json::Kind::kInteger;
    value.integer = integer;
    value.number = static_cast<double>(integer);
  }

  /// -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?
  static bool is_json_number(std::string_view token) {
    std::size_t at = 0;
    const auto digits = [&] {
      const std::size_t begin = at;
      while (at < token.size() && is_digit(token[at])) ++at;
      return at - begin;
    };
    const auto skip = [&](std::string_view any) {
      const bool found = at < token.size() && any.find(token[at]) != std::string_view::npos;
      if (found) ++at;
      return found;
    };
    skip("-");
    const std::size_t first = at;
    const std::size_t whole = digits();
    if (whole == 0 || (whole > 1 && token[first] == '0')) return false;
    if (skip(".") && digits() == 0) return false;
    if (skip("eE")) {
      skip("+-");
      if (digits() == 0) return false;
    }
    return at == token.size();
  }

  std::string_view text_;
  Place place_;
  HumanNumbers human_numbers_;
  std::size_t at_ = 0;
  bool failed_ = false;
  JsonError error_;
};

std::string_view stripped(std::string_view text) {
  const auto space = [](char c) { return is_space(c) || c == '\v' || c == '\f'; };
  while (!text.empty() && space(text.front())) text.remove_prefix(1);
  while (!text.empty() && space(text.back())) text.remove_suffix(1);
  return text;
}

/// Without the underscores that Python allows between digits; nullopt if one stands elsewhere.
std::optional<std::string> without_underscores(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      result += text[i];
      continue;
    }
    const bool between =
        i > 0 && i + 1 < text.size() && is_digit(text[i - 1]) && is_digit(text[i + 1]);
    if (!between) return std::nullopt;
  }
  return result;
}

/// What a suffix multiplies by, and whether decimals may stand before it; 0 if it is none.
std::int64_t multiplier(char suffix) {
  constexpr std::string_view kSuffixes = "kmgtKMGT";
  constexpr std::int64_t kValues[] = {1'000,      1'000'000,  1'000'000'000, 1'000'000'000'000,
                                      1ll << 10U, 1ll << 20U, 1ll << 30U,    1ll << 40U};
  const auto at = kSuffixes.find(suffix);
  return at == std::string_view::npos ? 0 : kValues[at];
}

}  // namespace

const Json* Json::find(std::string_view key) const {
  const Json* found = nullptr;
  for (const Member& member : members) {
    if (member.key == key) found = &member.value;
  }
  return found;
}

Json Json::unknown(Place place) {
  Json value;
  value.kind = Kind::kUnknown;
  value.place = place;
  return value;
}

Json Json::of_text(std::string text, Place place) {
  Json value;
  value.kind = Kind::kString;
  value.text = std::move(text);
  value.place = place;
  return value;
}

JsonResult parse_json(const Words& words, Place place, HumanNumbers human_numbers) {
  return Parser(words.text(place), place, human_numbers).run();
}

std::optional<std::int64_t> parse_python_int(std::string_view text) {
  auto digits = without_underscores(stripped(text));
  if (!digits) return std::nullopt;
  std::string_view rest = *digits;
  if (rest.starts_with('+')) {
    rest.remove_prefix(1);
    if (rest.starts_with('-')) return std::nullopt;
  }
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error != std::errc() || end != rest.data() + rest.size()) return std::nullopt;
  return value;
}

std::optional<double> parse_python_float(std::string_view text) {
  auto digits = without_underscores(stripped(text));
  if (!digits) return std::nullopt;
  std::string_view rest = *digits;
  if (rest.starts_with('+')) {
    rest.remove_prefix(1);
    if (rest.starts_with('-')) return std::nullopt;
  }
  double value = 0;
  const char* last = rest.data() + rest.size();
  const auto [end, error] = std::from_chars(rest.data(), last, value);
  if (end != last || rest.empty()) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    // Python rounds to infinity or to zero; which one the exponent's sign tells.
    const bool small =
        rest.find("e-") != std::string_view::npos || rest.find("E-") != std::string_view::npos;
    const double huge = rest.front() == '-' ? -HUGE_VAL : HUGE_VAL;
    return small ? 0.0 : huge;
  }
  if (error != std::errc()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_human_int(std::string_view text) {
  text = stripped(text);
  const std::int64_t factor = text.empty() ? 0 : multiplier(text.back());
  if (factor == 0) return parse_python_int(text);
  const auto number = text.substr(0, text.size() - 1);
  const auto dot = number.find('.');
  const bool digits_only = number.find_first_not_of("0123456789.") == std::string_view::npos;
  const bool decimals = dot != std::string_view::npos;
  const bool one_dot = !decimals || number.find('.', dot + 1) == std::string_view::npos;
  if (number.empty() || !digits_only || !one_dot || dot == 0 || number.back() == '.') {
    return std::nullopt;
  }
  if (decimals && factor % 1000 != 0) return std::nullopt;
  const auto value = parse_python_float(number);
  const double product = *value * static_cast<double>(factor);
  constexpr double kLimit = 9.2e18;
  if (product > kLimit) return std::nullopt;
  return static_cast<std::int64_t>(product);
}

}  // namespace recipelint::serving
