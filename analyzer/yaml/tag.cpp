#include "analyzer/yaml/tag.h"

#include <algorithm>
#include <array>
#include <utility>

#include "analyzer/yaml/timestamp.h"

namespace recipelint::yaml {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_digit_or_underscore(char c) {
  return is_digit(c) || c == '_';
}
bool is_sign(char c) {
  return c == '+' || c == '-';
}

bool is_hex_or_underscore(char c) {
  return is_digit_or_underscore(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// Removes the longest prefix whose characters satisfy `predicate`; gives its length.
template <typename Predicate>
std::size_t skip_while(std::string_view& text, Predicate predicate) {
  const auto end = std::find_if_not(text.begin(), text.end(), predicate);
  const auto length = static_cast<std::size_t>(end - text.begin());
  text.remove_prefix(length);
  return length;
}

template <typename Predicate>
bool all_of_nonempty(std::string_view text, Predicate predicate) {
  return !text.empty() && std::all_of(text.begin(), text.end(), predicate);
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

/// (?::[0-5]?[0-9])+ at the start of `text`; removes it.
bool skip_sixtieths(std::string_view& text) {
  bool any = false;
  while (text.size() >= 2 && text[0] == ':' && is_digit(text[1])) {
    const bool two_digits = text[1] <= '5' && text.size() >= 3 && is_digit(text[2]);
    text.remove_prefix(two_digits ? 3 : 2);
    any = true;
  }
  return any;
}

bool matches_int(std::string_view text) {
  if (is_sign(text[0])) text.remove_prefix(1);
  if (text.empty()) return false;
  if (text == "0") return true;
  if (text.starts_with("0b")) {
    return all_of_nonempty(text.substr(2), [](char c) { return c == '0' || c == '1' || c == '_'; });
  }
  if (text.starts_with("0x")) return all_of_nonempty(text.substr(2), is_hex_or_underscore);
  if (text[0] == '0') {
    return all_of_nonempty(text.substr(1),
                           [](char c) { return (c >= '0' && c <= '7') || c == '_'; });
  }
  if (!is_digit(text[0])) return false;
  skip_while(text, is_digit_or_underscore);
  return text.empty() || (skip_sixtieths(text) && text.empty());
}

/// (?:[eE][-+][0-9]+)?$
bool matches_exponent(std::string_view text) {
  if (text.empty()) return true;
  if (text.size() < 3 || (text[0] != 'e' && text[0] != 'E') || !is_sign(text[1])) return false;
  return all_of_nonempty(text.substr(2), is_digit);
}

bool matches_float(std::string_view text) {
  if (text[0] == '.' && text.size() >= 2 && is_digit(text[1])) {
    text.remove_prefix(1);
    skip_while(text, is_digit_or_underscore);
    return matches_exponent(text);
  }
  if (is_one_of(text, {".nan", ".NaN", ".NAN"})) return true;
  if (is_sign(text[0])) text.remove_prefix(1);
  if (is_one_of(text, {".inf", ".Inf", ".INF"})) return true;
  if (text.empty() || !is_digit(text[0])) return false;
  skip_while(text, is_digit_or_underscore);
  const bool sixtieths = skip_sixtieths(text);
  if (text.empty() || text[0] != '.') return false;
  text.remove_prefix(1);
  skip_while(text, is_digit_or_underscore);
  return sixtieths ? text.empty() : matches_exponent(text);
}

bool matches_bool(std::string_view text) {
  return is_one_of(text, {"yes", "Yes", "YES", "no", "No", "NO", "true", "True", "TRUE", "on", "On",
                          "ON", "false", "False", "FALSE", "off", "Off", "OFF"});
}

Tag resolve_number(std::string_view text) {
  if (matches_float(text)) return Tag::kFloat;
  if (matches_int(text)) return Tag::kInt;
  return is_timestamp(text) ? Tag::kTimestamp : Tag::kStr;
}

Tag str_unless(bool condition, Tag tag) {
  return condition ? tag : Tag::kStr;
}

constexpr std::array<std::pair<std::string_view, Tag>, 14> kNames = {{
    {"str", Tag::kStr},
    {"null", Tag::kNull},
    {"bool", Tag::kBool},
    {"int", Tag::kInt},
    {"float", Tag::kFloat},
    {"timestamp", Tag::kTimestamp},
    {"binary", Tag::kBinary},
    {"merge", Tag::kMerge},
    {"value", Tag::kValue},
    {"seq", Tag::kSeq},
    {"omap", Tag::kOmap},
    {"pairs", Tag::kPairs},
    {"map", Tag::kMap},
    {"set", Tag::kSet},
}};

}  // namespace

Tag resolve_tag(std::string_view plain) {
  if (plain.empty()) return Tag::kNull;
  switch (plain[0]) {
    case 'y':
    case 'Y':
    case 't':
    case 'T':
    case 'f':
    case 'F':
    case 'o':
    case 'O':
      return str_unless(matches_bool(plain), Tag::kBool);
    case 'n':
    case 'N':
      if (is_one_of(plain, {"null", "Null", "NULL"})) return Tag::kNull;
      return str_unless(matches_bool(plain), Tag::kBool);
    case '~':
      return str_unless(plain == "~", Tag::kNull);
    case '<':
      return str_unless(plain == "<<", Tag::kMerge);
    case '=':
      return str_unless(plain == "=", Tag::kValue);
    case '-':
    case '+':
    case '.':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
      return resolve_number(plain);
    default:
      return Tag::kStr;
  }
}

std::optional<Tag> tag_by_name(std::string_view name) {
  constexpr std::string_view kPrefix = "tag:yaml.org,2002:";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  const auto found = std::find_if(kNames.begin(), kNames.end(),
                                  [&](const auto& entry) { return entry.first == name; });
  if (found == kNames.end()) return std::nullopt;
  return found->second;
}

}  // namespace recipelint::yaml
