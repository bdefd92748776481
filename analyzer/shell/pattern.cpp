#include "analyzer/shell/pattern.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <string>
#include <utility>

#include "analyzer/text/utf8.h"

namespace recipelint::shell {
namespace {

constexpr std::size_t kMostSteps = 20'000'000;
constexpr int kMostNesting = 50;

/// One character of a pattern.
struct Unit {
  char32_t code = 0;
  std::string bytes;
  bool escaped = false;

  bool is(char32_t special) const { return !escaped && code == special; }
};
using Units = std::span<const Unit>;

/// A byte that is not part of a character is a character of its own, beyond Unicode.
char32_t code_of(const text::Utf8Character& character, char byte) {
  return character.valid ? character.code_point : 0x110000u + static_cast<unsigned char>(byte);
}

std::vector<Unit> to_units(std::span<const PatternPart> parts) {
  std::vector<Unit> units;
  for (const PatternPart& part : parts) {
    bool escaped = false;
    for (std::size_t at = 0; at < part.text.size();) {
      const text::Utf8Character character = text::decode_utf8(part.text.substr(at));
      if (!part.quoted && !escaped && part.text[at] == '\\' && at + 1 < part.text.size()) {
        escaped = true;
        ++at;
        continue;
      }
      units.push_back({code_of(character, part.text[at]),
                       std::string(part.text.substr(at, character.size)), part.quoted || escaped});
      escaped = false;
      at += character.size;
    }
  }
  return units;
}

char32_t fold(char32_t code) {
  return code >= U'A' && code <= U'Z' ? code + 32u : code;
}

char fold_byte(char byte) {
  return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 32) : byte;
}

// ------------------------------------------------------------------------------------- brackets

using ClassTest = bool (*)(int);

ClassTest find_class(std::string_view name) {
  struct Class {
    std::string_view name;
    ClassTest test;
  };
  static constexpr auto kClasses = std::to_array<Class>({
      {"alnum", [](int c) { return std::isalnum(c) != 0; }},
      {"alpha", [](int c) { return std::isalpha(c) != 0; }},
      {"ascii", [](int) { return true; }},
      {"blank", [](int c) { return c == ' ' || c == '\t'; }},
      {"cntrl", [](int c) { return c < 0x20 || c == 0x7F; }},
      {"digit", [](int c) { return std::isdigit(c) != 0; }},
      {"graph", [](int c) { return c > 0x20 && c < 0x7F; }},
      {"lower", [](int c) { return c >= 'a' && c <= 'z'; }},
      {"print", [](int c) { return c >= 0x20 && c < 0x7F; }},
      {"punct", [](int c) { return c > 0x20 && c < 0x7F && std::isalnum(c) == 0; }},
      {"space", [](int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }},
      {"upper", [](int c) { return c >= 'A' && c <= 'Z'; }},
      {"word", [](int c) { return std::isalnum(c) != 0 || c == '_'; }},
      {"xdigit", [](int c) { return std::isxdigit(c) != 0; }},
  });
  const auto* found = std::find_if(kClasses.begin(), kClasses.end(),
                                   [name](const Class& entry) { return entry.name == name; });
  return found == kClasses.end() ? nullptr : found->test;
}

struct Bracket {
  bool negated = false;
  std::vector<std::pair<char32_t, char32_t>> ranges;  // both ends included
  std::vector<ClassTest> classes;

  bool matches(char32_t code, bool ignore_case) const {
    const char32_t folded = ignore_case ? fold(code) : code;
    const bool in_range = std::any_of(ranges.begin(), ranges.end(), [folded](const auto& range) {
      return range.first <= folded && folded <= range.second;
    });
    // Of characters beyond ASCII the classes hold none; bash asks the locale.
    const bool in_class =
        code < 0x80 && std::any_of(classes.begin(), classes.end(),
                                   [code](ClassTest t) { return t(static_cast<int>(code)); });
    return (in_range || in_class) != negated;
  }
};

/// Reads bracket expressions with the liberties that bash takes.
class BracketReader {
 public:
  /// `units` begin behind the "[".
  BracketReader(Units units, bool ignore_case) : units_(units), ignore_case_(ignore_case) {}

  /// Gives nothing if there is no closing bracket: then "[" is an ordinary character.
  std::optional<Bracket> read() {
    if (at(0).is(U'!') || at(0).is(U'^')) {
      bracket_.negated = true;
      ++at_;
    }
    // A "]" that comes first stands for itself.
    for (bool first = true; at_ < units_.size(); first = false) {
      if (at(0).is(U']') && !first) {
        ++at_;
        return std::move(bracket_);
      }
      if (!read_named()) read_range();
    }
    return std::nullopt;
  }

  std::size_t size() const { return at_; }

 private:
  const Unit& at(std::size_t offset) const {
    static const Unit kNone;
    return at_ + offset < units_.size() ? units_[at_ + offset] : kNone;
  }

  /// [:class:] and [=c=].
  bool read_named() {
    if (!at(0).is(U'[')) return false;
    if (at(1).is(U'=') && at(3).is(U'=') && at(4).is(U']')) {
      add_range(at(2).code, at(2).code);
      at_ += 5;
      return true;
    }
    if (!at(1).is(U':')) return false;
    const std::optional<std::string> name = read_name(U':');
    if (!name) return false;
    if (const ClassTest test = find_class(*name); test != nullptr) bracket_.classes.push_back(test);
    return true;
  }

  /// The text between "[:" and ":]" or "[." and ".]", moving past it.
  std::optional<std::string> read_name(char32_t mark) {
    std::string name;
    for (std::size_t i = at_ + 2; i + 1 < units_.size(); ++i) {
      if (units_[i].is(mark) && units_[i + 1].is(U']')) {
        at_ = i + 2;
        return name;
      }
      name += units_[i].bytes;
    }
    return std::nullopt;
  }

  void read_range() {
    const std::optional<char32_t> first = read_end();
    if (!at(0).is(U'-') || at(1).is(U']') || at_ + 1 >= units_.size()) {
      if (first) add_range(*first, *first);
      return;
    }
    ++at_;
    const std::optional<char32_t> last = read_end();
    if (first && last) add_range(*first, *last);
  }

  /// One end of a range: a character or [.c.]. Gives nothing for a collating symbol that is
  /// unknown.
  std::optional<char32_t> read_end() {
    if (at(0).is(U'[') && at(1).is(U'.')) {
      if (const std::optional<std::string> name = read_name(U'.')) {
        if (name->empty() || text::count_characters(*name) != 1) return std::nullopt;
        return code_of(text::decode_utf8(*name), (*name)[0]);
      }
    }
    return units_[at_++].code;
  }

  void add_range(char32_t first, char32_t last) {
    if (ignore_case_) {
      first = fold(first);
      last = fold(last);
    }
    if (first <= last) bracket_.ranges.emplace_back(first, last);
  }

  Units units_;
  bool ignore_case_;
  std::size_t at_ = 0;
  Bracket bracket_;
};

// ---------------------------------------------------------------------------------- the compiler

enum class NodeKind : std::uint8_t { kLiteral, kAnyCharacter, kAnyText, kBracket, kGroup };
enum class Repeat : std::uint8_t { kOnce, kOptional, kAny, kAtLeastOnce, kNone };

struct Node;
using Sequence = std::vector<Node>;

struct Node {
  NodeKind kind = NodeKind::kLiteral;
  std::string literal;
  Bracket bracket;
  Repeat repeat = Repeat::kOnce;       // kGroup; kNone is "!(...)"
  std::vector<Sequence> alternatives;  // kGroup
};

class Compiler {
 public:
  explicit Compiler(PatternOptions options) : options_(options) {}

  Sequence compile(Units units, int nesting = 0) {
    Sequence sequence;
    if (nesting > kMostNesting) {
      too_deep_ = true;
      return sequence;
    }
    for (std::size_t at = 0; at < units.size();) at += read(units.subspan(at), nesting, sequence);
    return sequence;
  }

  bool too_deep() const { return too_deep_; }

 private:
  /// Compiles what the units begin with and gives its size.
  std::size_t read(Units units, int nesting, Sequence& out) {
    if (const std::size_t size = read_group(units, nesting, out)) return size;
    const Unit& unit = units[0];
    if (unit.is(U'?')) {
      out.push_back({NodeKind::kAnyCharacter, {}, {}, {}, {}});
    } else if (unit.is(U'*')) {
      if (out.empty() || out.back().kind != NodeKind::kAnyText) {
        out.push_back({NodeKind::kAnyText, {}, {}, {}, {}});
      }
    } else if (unit.is(U'[')) {
      BracketReader reader(units.subspan(1), options_.ignore_case);
      if (std::optional<Bracket> bracket = reader.read()) {
        out.push_back({NodeKind::kBracket, {}, std::move(*bracket), {}, {}});
        return 1 + reader.size();
      }
      add_literal(unit, out);
    } else {
      add_literal(unit, out);
    }
    return 1;
  }

  void add_literal(const Unit& unit, Sequence& out) {
    if (out.empty() || out.back().kind != NodeKind::kLiteral) out.emplace_back();
    for (const char byte : unit.bytes) {
      out.back().literal += options_.ignore_case ? fold_byte(byte) : byte;
    }
  }

  /// ?(a|b) and its relatives. Gives 0 if there is none.
  std::size_t read_group(Units units, int nesting, Sequence& out) {
    if (!options_.extended || units.size() < 3 || !units[1].is(U'(')) return 0;
    constexpr std::u32string_view kOperators = U"@?*+!";
    constexpr std::array kRepeats{Repeat::kOnce, Repeat::kOptional, Repeat::kAny,
                                  Repeat::kAtLeastOnce, Repeat::kNone};
    const std::size_t op = kOperators.find(units[0].code);
    if (op == std::u32string_view::npos || units[0].escaped) return 0;
    const std::vector<std::size_t> ends = find_alternatives(units);
    if (ends.empty()) return 0;
    Node group{NodeKind::kGroup, {}, {}, kRepeats[op], {}};
    std::size_t begin = 2;
    for (const std::size_t end : ends) {
      group.alternatives.push_back(compile(units.subspan(begin, end - begin), nesting + 1));
      begin = end + 1;
    }
    out.push_back(std::move(group));
    return begin;
  }

  /// Where the alternatives of the group end: at "|" and, last, at ")". Empty if there is no ")".
  std::vector<std::size_t> find_alternatives(Units units) const {
    std::vector<std::size_t> ends;
    int depth = 0;
    for (std::size_t i = 2; i < units.size(); ++i) {
      if (units[i].is(U'[')) {
        BracketReader reader(units.subspan(i + 1), options_.ignore_case);
        if (reader.read()) i += reader.size();
      } else if (units[i].is(U'(')) {
        ++depth;
      } else if (units[i].is(U')') && depth-- == 0) {
        ends.push_back(i);
        return ends;
      } else if (units[i].is(U'|') && depth == 0) {
        ends.push_back(i);
      }
    }
    return {};
  }

  PatternOptions options_;
  bool too_deep_ = false;
};

// ----------------------------------------------------------------------------------- the matcher

/// Offsets in the text, ascending.
using Positions = std::vector<std::size_t>;

enum class Direction : std::uint8_t { kForward, kBackward };

/// Moves whole sets of positions over the pattern, so that nothing is ever tried twice: from the
/// places where a match may begin to all places where it can end or, backward, the other way round.
class Matcher {
 public:
  Matcher(std::string_view text, bool ignore_case, Direction direction)
      : text_(text), ignore_case_(ignore_case), forward_(direction == Direction::kForward) {
    boundary_.assign(text.size() + 1, false);
    for (std::size_t at = 0; at < text.size();) {
      boundary_[at] = true;
      at += text::decode_utf8(text.substr(at)).size;
    }
    boundary_[text.size()] = true;
  }

  bool exhausted() const { return steps_ > kMostSteps; }

  Positions all() const {
    Positions positions;
    for (std::size_t at = 0; at <= text_.size(); ++at) {
      if (boundary_[at]) positions.push_back(at);
    }
    return positions;
  }

  Positions follow(const Sequence& sequence, Positions positions) {
    const std::size_t size = sequence.size();
    for (std::size_t i = 0; i < size && !positions.empty() && !exhausted(); ++i) {
      positions = follow(sequence[forward_ ? i : size - 1 - i], positions);
    }
    return positions;
  }

 private:
  Positions follow(const Node& node, const Positions& from) {
    steps_ += from.size() + 1;
    switch (node.kind) {
      case NodeKind::kLiteral:
        return over_literal(node.literal, from);
      case NodeKind::kAnyCharacter:
        return over_character(from, [](char32_t) { return true; });
      case NodeKind::kBracket:
        return over_character(from, [this, &node](char32_t code) {
          return node.bracket.matches(code, ignore_case_);
        });
      case NodeKind::kAnyText:
        return over_any_text(from);
      case NodeKind::kGroup:
        return over_group(node, from);
    }
    return {};
  }

  Positions over_literal(std::string_view literal, const Positions& from) const {
    Positions to;
    const std::size_t size = literal.size();
    for (const std::size_t at : from) {
      if (forward_ ? at + size > text_.size() : at < size) continue;
      const std::size_t begin = forward_ ? at : at - size;
      if (is_at(literal, begin)) to.push_back(forward_ ? at + size : begin);
    }
    return to;
  }

  bool is_at(std::string_view literal, std::size_t begin) const {
    const std::string_view part = text_.substr(begin, literal.size());
    if (!ignore_case_) return part == literal;
    return std::equal(part.begin(), part.end(), literal.begin(),
                      [](char a, char b) { return fold_byte(a) == b; });
  }

  template <typename Test>
  Positions over_character(const Positions& from, Test test) const {
    Positions to;
    for (const std::size_t at : from) {
      if (at == (forward_ ? text_.size() : 0)) continue;
      std::size_t next = at;
      do {
        next = forward_ ? next + 1 : next - 1;
      } while (!boundary_[next]);
      const std::size_t begin = std::min(at, next);
      const text::Utf8Character character = text::decode_utf8(text_.substr(begin));
      if (test(code_of(character, text_[begin]))) to.push_back(next);
    }
    return to;
  }

  Positions over_any_text(const Positions& from) {
    Positions to;
    const std::size_t first = forward_ ? from.front() : 0;
    const std::size_t last = forward_ ? text_.size() : from.back();
    for (std::size_t at = first; at <= last; ++at) {
      if (boundary_[at]) to.push_back(at);
    }
    steps_ += to.size();
    return to;
  }

  Positions over_group(const Node& node, const Positions& from) {
    switch (node.repeat) {
      case Repeat::kOnce:
        return over_one(node, from);
      case Repeat::kOptional:
        return unite(from, over_one(node, from));
      case Repeat::kAny:
        return over_many(node, from);
      case Repeat::kAtLeastOnce:
        return over_many(node, over_one(node, from));
      case Repeat::kNone:
        return over_anything_else(node, from);
    }
    return {};
  }

  Positions over_one(const Node& node, const Positions& from) {
    Positions to;
    for (const Sequence& alternative : node.alternatives) to = unite(to, follow(alternative, from));
    return to;
  }

  Positions over_many(const Node& node, const Positions& from) {
    steps_ += text_.size() / 64;
    std::vector<bool> seen(text_.size() + 1, false);
    const auto first_time = [&seen](std::size_t at) {
      const bool fresh = !seen[at];
      seen[at] = true;
      return fresh;
    };
    Positions reached;
    for (Positions next = from; !next.empty() && !exhausted();) {
      Positions fresh;
      std::copy_if(next.begin(), next.end(), std::back_inserter(fresh), first_time);
      reached.insert(reached.end(), fresh.begin(), fresh.end());
      next = fresh.empty() ? Positions() : over_one(node, fresh);
    }
    std::sort(reached.begin(), reached.end());
    return reached;
  }

  /// "!(...)" depends on the place where it begins, so each is looked at alone.
  Positions over_anything_else(const Node& node, const Positions& from) {
    Positions to;
    for (const std::size_t at : from) {
      if (exhausted()) break;
      const Positions excluded = over_one(node, {at});
      const Positions possible = over_any_text({at});
      Positions rest;
      std::set_difference(possible.begin(), possible.end(), excluded.begin(), excluded.end(),
                          std::back_inserter(rest));
      to = unite(to, rest);
    }
    return to;
  }

  Positions unite(const Positions& a, const Positions& b) {
    steps_ += a.size() + b.size();
    Positions both;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both;
  }

  std::string_view text_;
  bool ignore_case_;
  bool forward_;
  std::vector<bool> boundary_;
  std::size_t steps_ = 0;
};

text::Error too_costly() {
  return {"a pattern that takes too many steps to match", {}};
}

}  // namespace

struct Pattern::Program {
  Sequence sequence;
  bool ignore_case = false;
  bool too_deep = false;

  /// Bash looks for something to replace behind the last character only if the pattern says "*"
  /// first.
  bool starts_with_star() const {
    const Node& first = sequence.front();
    return first.kind == NodeKind::kAnyText ||
           (first.kind == NodeKind::kGroup && first.repeat == Repeat::kAny);
  }

  /// Where matches that begin at `start` end or, backward, where those begin that end there.
  text::Result<Positions> reach(std::string_view text, Direction direction,
                                std::size_t start) const {
    Matcher matcher(text, ignore_case, direction);
    Positions positions = matcher.follow(sequence, {start});
    if (too_deep || matcher.exhausted()) return too_costly();
    return positions;
  }

  /// The places where a match begins.
  text::Result<Positions> starts(std::string_view text) const {
    Matcher matcher(text, ignore_case, Direction::kBackward);
    Positions positions = matcher.follow(sequence, matcher.all());
    if (too_deep || matcher.exhausted()) return too_costly();
    if (!positions.empty() && positions.back() == text.size() && !starts_with_star()) {
      positions.pop_back();
    }
    return positions;
  }
};

Pattern::Pattern(std::span<const PatternPart> parts, PatternOptions options) {
  Compiler compiler(options);
  const std::vector<Unit> units = to_units(parts);
  auto program = std::make_unique<Program>();
  program->sequence = compiler.compile(units);
  program->ignore_case = options.ignore_case;
  program->too_deep = compiler.too_deep();
  program_ = std::move(program);
}

Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;
Pattern::~Pattern() = default;

text::Result<bool> Pattern::matches(std::string_view text) const {
  const text::Result<Positions> ends = program_->reach(text, Direction::kForward, 0);
  if (!ends.ok()) return ends.error();
  return !ends->empty() && ends->back() == text.size();
}

text::Result<std::optional<std::size_t>> Pattern::prefix_length(std::string_view text,
                                                                Extent extent) const {
  const text::Result<Positions> ends = program_->reach(text, Direction::kForward, 0);
  if (!ends.ok()) return ends.error();
  if (ends->empty()) return std::optional<std::size_t>();
  return std::optional(extent == Extent::kShortest ? ends->front() : ends->back());
}

text::Result<std::optional<std::size_t>> Pattern::suffix_length(std::string_view text,
                                                                Extent extent) const {
  const text::Result<Positions> starts = program_->reach(text, Direction::kBackward, text.size());
  if (!starts.ok()) return starts.error();
  if (starts->empty()) return std::optional<std::size_t>();
  return std::optional(text.size() -
                       (extent == Extent::kShortest ? starts->back() : starts->front()));
}

text::Result<std::optional<TextRange>> Pattern::find_first(std::string_view text) const {
  // ${v//r} and ${v/} replace nothing.
  if (program_->sequence.empty()) return std::optional<TextRange>();
  const text::Result<Positions> starts = program_->starts(text);
  if (!starts.ok()) return starts.error();
  if (starts->empty()) return std::optional<TextRange>();
  const std::size_t begin = starts->front();
  const text::Result<Positions> ends = program_->reach(text, Direction::kForward, begin);
  if (!ends.ok()) return ends.error();
  return std::optional(TextRange{begin, ends->back()});
}

text::Result<std::vector<TextRange>> Pattern::find_all(std::string_view text) const {
  std::vector<TextRange> matches;
  if (program_->sequence.empty()) return matches;
  const text::Result<Positions> starts = program_->starts(text);
  if (!starts.ok()) return starts.error();
  Matcher matcher(text, program_->ignore_case, Direction::kForward);
  std::size_t next = 0;
  for (const std::size_t begin : *starts) {
    // An empty match behind the last character counts only if there is no character at all.
    if (begin < next || (begin == text.size() && begin > 0)) continue;
    const Positions ends = matcher.follow(program_->sequence, {begin});
    if (matcher.exhausted()) return too_costly();
    matches.push_back({begin, ends.back()});
    next = std::max(ends.back(), begin + 1);
  }
  return matches;
}

bool Pattern::is_literal() const {
  return std::all_of(program_->sequence.begin(), program_->sequence.end(),
                     [](const Node& node) { return node.kind == NodeKind::kLiteral; });
}

bool has_pattern_characters(std::string_view unquoted, PatternOptions options) {
  for (std::size_t i = 0; i < unquoted.size(); ++i) {
    const char c = unquoted[i];
    if (c == '\\') {
      ++i;
    } else if (c == '*' || c == '?') {
      return true;
    } else if (c == '[') {
      if (unquoted.find(']', i + 1) != std::string_view::npos) return true;
    } else if (options.extended && (c == '@' || c == '+' || c == '!')) {
      if (i + 1 < unquoted.size() && unquoted[i + 1] == '(') return true;
    }
  }
  return false;
}

}  // namespace recipelint::shell
