#include <algorithm>
#include <compare>

#include "analyzer/shell/text_commands/command.h"

/// sort and uniq, in the C locale that containers have unless somebody sets another.
namespace recipelint::shell {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// ------------------------------------------------------------------------------------ numeric

/// The number a text begins with, of any size: what "sort -n" looks at.
struct Number {
  bool negative = false;
  std::string_view whole;     // without leading zeros
  std::string_view fraction;  // without trailing zeros
};

std::string_view leading_digits(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

Number read_number(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  Number number;
  const bool minus = text.starts_with('-');
  if (minus) text.remove_prefix(1);
  number.whole = leading_digits(text);
  text.remove_prefix(number.whole.size());
  if (text.starts_with('.')) number.fraction = leading_digits(text.substr(1));
  while (number.whole.starts_with('0')) number.whole.remove_prefix(1);
  while (number.fraction.ends_with('0')) number.fraction.remove_suffix(1);
  number.negative = minus && !(number.whole.empty() && number.fraction.empty());
  return number;
}

std::strong_ordering compare_numbers(std::string_view left, std::string_view right) {
  const Number a = read_number(left);
  const Number b = read_number(right);
  if (a.negative != b.negative) {
    return a.negative ? std::strong_ordering::less : std::strong_ordering::greater;
  }
  std::strong_ordering order = a.whole.size() <=> b.whole.size();
  if (order == 0) order = a.whole <=> b.whole;
  if (order == 0) order = a.fraction <=> b.fraction;
  return a.negative ? 0 <=> order : order;
}

// ------------------------------------------------------------------------------------ versions

/// "~" sorts before everything, even the end; then come the end, digits, letters, the rest.
int version_weight(std::string_view text) {
  if (text.empty()) return -1;
  if (is_digit(text[0])) return 0;
  if (text[0] == '~') return -2;
  const int code = static_cast<unsigned char>(text[0]);
  return is_letter(text[0]) ? code : code + 256;
}

std::strong_ordering compare_version_parts(std::string_view left, std::string_view right) {
  while (!left.empty() || !right.empty()) {
    while ((!left.empty() && !is_digit(left[0])) || (!right.empty() && !is_digit(right[0]))) {
      const auto order = version_weight(left) <=> version_weight(right);
      if (order != 0) return order;
      left.remove_prefix(std::min<std::size_t>(1, left.size()));
      right.remove_prefix(std::min<std::size_t>(1, right.size()));
    }
    while (left.starts_with('0')) left.remove_prefix(1);
    while (right.starts_with('0')) right.remove_prefix(1);
    const std::string_view a = leading_digits(left);
    const std::string_view b = leading_digits(right);
    if (a.size() != b.size()) return a.size() <=> b.size();
    if (a != b) return a <=> b;
    left.remove_prefix(a.size());
    right.remove_prefix(b.size());
  }
  return std::strong_ordering::equal;
}

/// The text without what looks like the suffix of a file name: (\.[A-Za-z~][A-Za-z0-9~]*)*$
std::string_view without_suffix(std::string_view text) {
  std::size_t end = text.size();
  for (std::size_t at = text.size(); at-- > 0;) {
    const char c = text[at];
    if (c == '.') {
      const bool starts_well =
          at + 1 < text.size() && (is_letter(text[at + 1]) || text[at + 1] == '~');
      if (!starts_well) break;
      end = at;
    } else if (!is_letter(c) && !is_digit(c) && c != '~') {
      break;
    }
  }
  return text.substr(0, end);
}

/// Nothing comes first, then ".", "..", other names with a dot in front, and then the rest.
int version_class(std::string_view text) {
  if (text.empty()) return 0;
  if (text == ".") return 1;
  if (text == "..") return 2;
  return text[0] == '.' ? 3 : 4;
}

std::strong_ordering compare_versions(std::string_view left, std::string_view right) {
  const auto classes = version_class(left) <=> version_class(right);
  if (classes != 0 || version_class(left) < 3) return classes;
  const auto order = compare_version_parts(without_suffix(left), without_suffix(right));
  return order != 0 ? order : compare_version_parts(left, right);
}

// ---------------------------------------------------------------------------------------- keys

enum class Comparison : std::uint8_t { kBytes, kNumbers, kVersions };

struct Order {
  Comparison comparison = Comparison::kBytes;
  bool reversed = false;
  bool skips_blanks = false;
  bool has_own = false;  // some letter was given

  bool read(std::string_view letters) {
    for (const char letter : letters) {
      has_own = true;
      switch (letter) {
        case 'n':
          comparison = Comparison::kNumbers;
          break;
        case 'V':
          comparison = Comparison::kVersions;
          break;
        case 'r':
          reversed = true;
          break;
        case 'b':
          skips_blanks = true;
          break;
        default:
          return false;
      }
    }
    return true;
  }

  std::strong_ordering compare(std::string_view left, std::string_view right) const {
    if (skips_blanks) {
      while (!left.empty() && is_blank(left.front())) left.remove_prefix(1);
      while (!right.empty() && is_blank(right.front())) right.remove_prefix(1);
    }
    std::strong_ordering order = std::strong_ordering::equal;
    switch (comparison) {
      case Comparison::kBytes:
        order = left <=> right;
        break;
      case Comparison::kNumbers:
        order = compare_numbers(left, right);
        break;
      case Comparison::kVersions:
        order = compare_versions(left, right);
        break;
    }
    return reversed ? 0 <=> order : order;
  }
};

/// Fields `first` to `last`, counted from 1; 0 is the end of the line.
struct Key {
  std::size_t first = 1;
  std::size_t last = 0;
  Order order;
};

/// N[letters][,M[letters]]; offsets within fields are not modelled.
std::optional<Key> read_key(std::string_view text) {
  Key key;
  const std::size_t comma = std::min(text.find(','), text.size());
  const std::string_view first = text.substr(0, comma);
  const std::string_view first_digits = leading_digits(first);
  const auto first_number = to_count(first_digits);
  if (!first_number || *first_number == 0) return std::nullopt;
  key.first = *first_number;
  if (!key.order.read(first.substr(first_digits.size()))) return std::nullopt;
  if (comma == text.size()) return key;
  const std::string_view last = text.substr(comma + 1);
  const std::string_view last_digits = leading_digits(last);
  const auto last_number = to_count(last_digits);
  if (!last_number || *last_number == 0) return std::nullopt;
  key.last = *last_number;
  if (!key.order.read(last.substr(last_digits.size()))) return std::nullopt;
  return key;
}

class Sorter {
 public:
  static text::Result<Sorter> create(const ParsedOptions& parsed) {
    Sorter sorter;
    for (const ParsedOptions::Option& option : parsed.options) {
      if (option.letter == 't') {
        const bool differs =
            sorter.separator_ && option.value != std::string(1, *sorter.separator_);
        if (option.value.size() != 1 || differs) return not_modelled("sort", "-t " + option.value);
        sorter.separator_ = option.value[0];
      } else if (option.letter == 'k') {
        const std::optional<Key> key = read_key(option.value);
        if (!key) return not_modelled("sort", "-k " + option.value);
        sorter.keys_.push_back(*key);
      } else if (option.letter == 'u') {
        sorter.unique_ = true;
      } else if (option.letter == 's') {
        sorter.stable_ = true;
      } else {
        sorter.order_.read(std::string_view(&option.letter, 1));
      }
    }
    if (parsed.has('n') && parsed.has('V')) return not_modelled("sort", "-n with -V");
    for (Key& key : sorter.keys_) {
      if (!key.order.has_own) key.order = sorter.order_;
    }
    return sorter;
  }

  void sort(std::vector<std::string_view>& lines) const {
    std::stable_sort(lines.begin(), lines.end(),
                     [this](std::string_view a, std::string_view b) { return compare(a, b) < 0; });
    if (!unique_) return;
    const auto same = [this](std::string_view a, std::string_view b) {
      return compare_keys(a, b) == 0;
    };
    lines.erase(std::unique(lines.begin(), lines.end(), same), lines.end());
  }

 private:
  std::strong_ordering compare(std::string_view left, std::string_view right) const {
    const std::strong_ordering order = compare_keys(left, right);
    if (order != 0 || unique_ || stable_) return order;
    return order_.reversed ? right <=> left : left <=> right;
  }

  std::strong_ordering compare_keys(std::string_view left, std::string_view right) const {
    if (keys_.empty()) return order_.compare(left, right);
    for (const Key& key : keys_) {
      const auto order = key.order.compare(field(left, key), field(right, key));
      if (order != 0) return order;
    }
    return std::strong_ordering::equal;
  }

  std::string_view field(std::string_view line, const Key& key) const {
    std::size_t begin = 0;
    for (std::size_t i = 1; i < key.first && begin < line.size(); ++i) {
      begin = field_end(line, begin);
      if (separator_ && begin < line.size()) ++begin;
    }
    if (key.last == 0) return line.substr(begin);
    std::size_t end = 0;
    for (std::size_t i = 1; i <= key.last && end < line.size(); ++i) {
      end = field_end(line, end);
      if (separator_ && i < key.last && end < line.size()) ++end;
    }
    return line.substr(begin, end > begin ? end - begin : 0);
  }

  /// Without a separator the blanks in front of a field belong to it.
  std::size_t field_end(std::string_view line, std::size_t at) const {
    if (separator_) return std::min(line.find(*separator_, at), line.size());
    while (at < line.size() && is_blank(line[at])) ++at;
    while (at < line.size() && !is_blank(line[at])) ++at;
    return at;
  }

  Order order_;
  std::vector<Key> keys_;
  std::optional<char> separator_;
  bool unique_ = false;
  bool stable_ = false;
};

TextCommandResult join(const std::vector<std::string_view>& lines) {
  TextCommandResult result;
  for (const std::string_view line : lines) result.output.append(line).append("\n");
  return result;
}

}  // namespace

CommandResult run_sort(Arguments arguments, const TextCommandInput& input) {
  static constexpr LongOption kLong[] = {{"numeric-sort", 'n'}, {"reverse", 'r'},
                                         {"unique", 'u'},       {"stable", 's'},
                                         {"version-sort", 'V'}, {"field-separator", 't'},
                                         {"key", 'k'},          {"ignore-leading-blanks", 'b'}};
  const auto parsed = parse_options("sort", arguments, "nrusVbt:k:", kLong);
  if (!parsed.ok()) return parsed.error();
  const auto sorter = Sorter::create(*parsed);
  if (!sorter.ok()) return sorter.error();
  const auto texts = read_files("sort", parsed->operands, input);
  if (!texts.ok()) return texts.error();
  std::vector<std::string_view> lines;
  for (const std::string& text : *texts) {
    for (const std::string_view line : split_lines(text)) lines.push_back(line);
  }
  sorter->sort(lines);
  return join(lines);
}

CommandResult run_uniq(Arguments arguments, const TextCommandInput& input) {
  static constexpr LongOption kLong[] = {{"count", 'c'}, {"repeated", 'd'}, {"unique", 'u'}};
  const auto parsed = parse_options("uniq", arguments, "cdu", kLong);
  if (!parsed.ok()) return parsed.error();
  if (parsed->operands.size() > 1) return not_modelled("uniq", "an output file");
  const auto text = read_input("uniq", parsed->operands, input);
  if (!text.ok()) return text.error();
  const std::vector<std::string_view> lines = split_lines(*text);
  TextCommandResult result;
  for (std::size_t begin = 0, end = 0; begin < lines.size(); begin = end) {
    while (end < lines.size() && lines[end] == lines[begin]) ++end;
    const std::size_t count = end - begin;
    if ((parsed->has('d') && count == 1) || (parsed->has('u') && count > 1)) continue;
    if (parsed->has('c')) {
      const std::string digits = std::to_string(count);
      result.output.append(digits.size() < 7 ? 7 - digits.size() : 0, ' ').append(digits + " ");
    }
    result.output.append(lines[begin]).append("\n");
  }
  return result;
}

}  // namespace recipelint::shell
