#include "analyzer/facts/tag_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "analyzer/facts/ascii.h"
#include "analyzer/facts/date.h"

namespace recipelint::facts {
namespace {

using Field = TagPattern::Field;

constexpr std::array<std::pair<std::string_view, Field>, 10> kFields = {{
    {"version", Field::kVersion},
    {"dotted", Field::kDotted},
    {"number", Field::kNumber},
    {"date", Field::kDate},
    {"minute", Field::kMinute},
    {"commit", Field::kCommit},
    {"short-commit", Field::kShortCommit},
    {"hash", Field::kHash},
    {"word", Field::kWord},
    {"any", Field::kAny},
}};

constexpr std::size_t kCommitDigits = 40;
constexpr std::size_t kShortestCommit = 7;

template <typename Predicate>
std::size_t run_length(std::string_view text, Predicate predicate) {
  const auto end = std::find_if_not(text.begin(), text.end(), predicate);
  return static_cast<std::size_t>(end - text.begin());
}

std::size_t digits(std::string_view text) {
  return run_length(text, is_digit);
}

/// Digits joined by at least one dot; 0 if there is none.
std::size_t dotted_length(std::string_view text) {
  std::size_t size = digits(text);
  bool dotted = false;
  while (size > 0 && size < text.size() && text[size] == '.') {
    const std::size_t more = digits(text.substr(size + 1));
    if (more == 0) break;
    size += 1 + more;
    dotted = true;
  }
  return dotted ? size : 0;
}

/// The length of `mark` and the digits that must follow it.
std::size_t numbered_length(std::string_view text, std::string_view mark) {
  if (!text.starts_with(mark)) return 0;
  const std::size_t number = digits(text.substr(mark.size()));
  return number == 0 ? 0 : mark.size() + number;
}

/// PEP 440 as far as engines use it: release, pre-release, post-release, development release.
std::size_t version_length(std::string_view text) {
  std::size_t size = dotted_length(text);
  if (size == 0) return 0;
  for (const std::string_view mark : {"rc", "a", "b"}) {
    const std::size_t more = numbered_length(text.substr(size), mark);
    size += more;
    if (more > 0) break;
  }
  size += numbered_length(text.substr(size), ".post");
  size += numbered_length(text.substr(size), ".dev");
  return size;
}

std::size_t date_length(std::string_view text) {
  return digits(text) == 8 && parse_date(text.substr(0, 8)) ? 8 : 0;
}

std::size_t minute_length(std::string_view text) {
  if (digits(text) != 12 || !parse_date(text.substr(0, 8))) return 0;
  const bool real = text.substr(8, 2) < "24" && text.substr(10, 2) < "60";
  return real ? 12 : 0;
}

std::size_t commit_length(std::string_view text) {
  return run_length(text, is_lower_hex) == kCommitDigits ? kCommitDigits : 0;
}

std::size_t short_commit_length(std::string_view text) {
  const std::size_t size = run_length(text, is_lower_hex);
  return size >= kShortestCommit && size < kCommitDigits ? size : 0;
}

std::size_t hash_length(std::string_view text) {
  const auto found = text.substr(0, short_commit_length(text));
  const bool digit = std::any_of(found.begin(), found.end(), is_digit);
  const bool letter = std::any_of(found.begin(), found.end(), is_lower);
  return digit && letter ? found.size() : 0;
}

/// How much of the beginning of `text` the field takes; 0 if it does not match. For kAny the most.
std::size_t field_length(Field field, std::string_view text) {
  switch (field) {
    case Field::kVersion:
      return version_length(text);
    case Field::kDotted:
      return dotted_length(text);
    case Field::kNumber:
      return digits(text);
    case Field::kDate:
      return date_length(text);
    case Field::kMinute:
      return minute_length(text);
    case Field::kCommit:
      return commit_length(text);
    case Field::kShortCommit:
      return short_commit_length(text);
    case Field::kHash:
      return hash_length(text);
    case Field::kWord:
      return run_length(text, is_alnum);
    case Field::kAny:
      return text.size();
  }
  return 0;
}

}  // namespace

std::string_view to_string(Field field) {
  const auto found = std::find_if(kFields.begin(), kFields.end(),
                                  [&](const auto& entry) { return entry.second == field; });
  return found->first;
}

/// Turns a pattern into a program by recursive descent.
class TagPatternCompiler {
 public:
  explicit TagPatternCompiler(std::string_view pattern) : pattern_(pattern) {
    result_.text_ = pattern;
  }

  text::Result<TagPattern> run() {
    if (pattern_.empty()) fail("the pattern is empty");
    if (pattern_.size() > TagPattern::kLongestPattern) fail("the pattern is too long");
    sequence();
    if (at_ < pattern_.size()) fail(fmt::format("'{}' without its opening", pattern_[at_]));
    if (!problem_.empty()) return text::Error{problem_, {}};
    emit({TagPattern::Operation::kEnd});
    return std::move(result_);
  }

 private:
  using Operation = TagPattern::Operation;

  void fail(std::string_view what) {
    if (problem_.empty()) problem_ = fmt::format("column {}: {}", at_ + 1, what);
  }

  std::size_t emit(TagPattern::Instruction instruction) {
    result_.program_.push_back(instruction);
    return result_.program_.size() - 1;
  }

  bool more() const { return problem_.empty() && at_ < pattern_.size(); }

  void sequence() {
    while (more() && std::string_view("|)]").find(pattern_[at_]) == std::string_view::npos) {
      const char c = pattern_[at_];
      if (c == '{') {
        field();
      } else if (c == '(' || c == '[') {
        group(c == '(' ? ')' : ']');
      } else if (c == '}') {
        fail("'}' without its opening");
      } else {
        emit({Operation::kLiteral, c});
        ++at_;
      }
    }
  }

  void field() {
    const auto close = pattern_.find('}', at_);
    if (close == std::string_view::npos) return fail("'{' is not closed");
    const auto name = pattern_.substr(at_ + 1, close - at_ - 1);
    const auto found = std::find_if(kFields.begin(), kFields.end(),
                                    [&](const auto& entry) { return entry.first == name; });
    if (found == kFields.end()) return fail(fmt::format("no field is called '{}'", name));
    emit({Operation::kField, '\0', found->second});
    at_ = close + 1;
  }

  /// Each alternative: split to the next one, its own program, jump to the end.
  void group(char close) {
    const std::size_t open = at_;
    std::vector<std::size_t> jumps;
    std::size_t split = 0;
    do {
      ++at_;
      split = emit({Operation::kSplit});
      result_.program_[split].first = split + 1;
      sequence();
      jumps.push_back(emit({Operation::kJump}));
      result_.program_[split].second = result_.program_.size();
    } while (more() && pattern_[at_] == '|');
    if (!more() || pattern_[at_] != close) {
      at_ = open;
      return fail(fmt::format("'{}' is not closed", pattern_[open]));
    }
    ++at_;
    // The last alternative of (a|b) has no way around it.
    if (close == ')') result_.program_[split].second = split + 1;
    for (const auto jump : jumps) result_.program_[jump].first = result_.program_.size();
  }

  std::string_view pattern_;
  std::size_t at_ = 0;
  std::string problem_;
  TagPattern result_;
};

/// One attempt to match: backtracking that never visits a pair of instruction and place twice.
class TagPatternMatch {
 public:
  TagPatternMatch(const TagPattern& pattern, std::string_view text)
      : program_(pattern.program_),
        text_(text),
        visited_(pattern.program_.size() * (text.size() + 1)) {}

  std::optional<std::vector<TagPattern::Capture>> run() {
    if (program_.empty() || !from(0, 0)) return std::nullopt;
    std::reverse(captures_.begin(), captures_.end());
    return std::move(captures_);
  }

 private:
  using Operation = TagPattern::Operation;

  bool from(std::size_t at, std::size_t place) {
    while (true) {
      auto visited = visited_[at * (text_.size() + 1) + place];
      if (visited) return false;
      visited = true;
      const auto& instruction = program_[at];
      switch (instruction.operation) {
        case Operation::kEnd:
          return place == text_.size();
        case Operation::kLiteral:
          if (place == text_.size() || text_[place] != instruction.literal) return false;
          ++place;
          ++at;
          break;
        case Operation::kJump:
          at = instruction.first;
          break;
        case Operation::kSplit:
          if (from(instruction.first, place)) return true;
          at = instruction.second;
          break;
        case Operation::kField:
          return field(instruction.field, at, place);
      }
    }
  }

  bool field(Field field, std::size_t at, std::size_t place) {
    const std::size_t longest = field_length(field, text_.substr(place));
    const std::size_t shortest = field == Field::kAny ? 1 : std::max<std::size_t>(longest, 1);
    for (std::size_t size = longest; size >= shortest; --size) {
      if (!from(at + 1, place + size)) continue;
      captures_.push_back(
          {field, {static_cast<std::uint32_t>(place), static_cast<std::uint32_t>(place + size)}});
      return true;
    }
    return false;
  }

  const std::vector<TagPattern::Instruction>& program_;
  std::string_view text_;
  std::vector<bool> visited_;
  std::vector<TagPattern::Capture> captures_;
};

text::Result<TagPattern> TagPattern::compile(std::string_view pattern) {
  return TagPatternCompiler(pattern).run();
}

std::optional<std::vector<TagPattern::Capture>> TagPattern::match(std::string_view text) const {
  return TagPatternMatch(*this, text).run();
}

}  // namespace recipelint::facts
