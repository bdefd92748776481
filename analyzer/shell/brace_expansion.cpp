#include "analyzer/shell/brace_expansion.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace recipelint::shell {
namespace {

constexpr std::size_t kMostSteps = 30'000'000;
constexpr int kMostNesting = 100;

/// One byte of unquoted text, or one opaque piece.
struct Atom {
  char byte = '\0';  // '\0' for an opaque piece and at the end
  const BracePiece* opaque = nullptr;
  std::size_t part = 0;
};
using Atoms = std::vector<Atom>;
using AtomSpan = std::span<const Atom>;
using Words = std::vector<Atoms>;

char byte_at(AtomSpan text, std::size_t at) {
  return at < text.size() ? text[at].byte : '\0';
}

bool is_end_or_blank(AtomSpan text, std::size_t at) {
  const char c = byte_at(text, at);
  return at >= text.size() || c == ' ' || c == '\t' || c == '\n';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::optional<std::int64_t> to_integer(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool has_leading_zero(std::string_view number) {
  if (number.starts_with('-')) number.remove_prefix(1);
  return number.size() > 1 && number[0] == '0';
}

/// {first..last} or {first..last..step}.
struct Range {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::uint64_t step = 1;
  bool letters = false;
  std::size_t width = 0;  // zero-padded to this

  std::uint64_t count() const {
    const auto low = static_cast<std::uint64_t>(std::min(first, last));
    const auto high = static_cast<std::uint64_t>(std::max(first, last));
    const std::uint64_t steps = (high - low) / step;
    return steps == UINT64_MAX ? steps : steps + 1;
  }

  std::string element(std::uint64_t index) const {
    const std::uint64_t distance = index * step;
    const auto start = static_cast<std::uint64_t>(first);
    const auto value =
        static_cast<std::int64_t>(first <= last ? start + distance : start - distance);
    if (letters) return {static_cast<char>(value)};
    std::string digits = std::to_string(value);
    const std::size_t sign = value < 0 ? 1 : 0;
    if (digits.size() < width) digits.insert(sign, width - digits.size(), '0');
    return digits;
  }
};

std::uint64_t step_size(std::int64_t step) {
  const auto bits = static_cast<std::uint64_t>(step);
  return std::max<std::uint64_t>(step < 0 ? 0 - bits : bits, 1);
}

std::optional<Range> read_range(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  const std::string_view first = text.substr(0, dots);
  std::string_view last = text.substr(dots + 2);
  Range range;
  if (const std::size_t more = last.find(".."); more != std::string_view::npos) {
    const std::optional<std::int64_t> step = to_integer(last.substr(more + 2));
    if (!step) return std::nullopt;
    range.step = step_size(*step);
    last = last.substr(0, more);
  }
  if (first.size() == 1 && last.size() == 1 && is_letter(first[0]) && is_letter(last[0])) {
    range.letters = true;
    range.first = first[0];
    range.last = last[0];
    return range;
  }
  const std::optional<std::int64_t> low = to_integer(first);
  const std::optional<std::int64_t> high = to_integer(last);
  if (!low || !high) return std::nullopt;
  range.first = *low;
  range.last = *high;
  if (has_leading_zero(first) || has_leading_zero(last)) {
    range.width = std::max(first.size(), last.size());
  }
  return range;
}

/// Follows the structure of bash's own function, since what counts as a brace expression is only
/// defined by it.
class Expander {
 public:
  explicit Expander(std::size_t most_words) : most_words_(most_words) {}

  bool failed() const { return failed_; }

  Words expand(AtomSpan text, int nesting = 0) {
    Words words(1);
    if (nesting > kMostNesting) failed_ = true;
    while (!text.empty() && !failed_) {
      const std::optional<std::pair<std::size_t, std::size_t>> braces = find_braces(text);
      if (!braces) {
        concatenate(words, {Atoms(text.begin(), text.end())});
        break;
      }
      const auto [open, close] = *braces;
      concatenate(words, {Atoms(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(open))});
      concatenate(words, expand_braces(text.subspan(open, close - open + 1), nesting));
      text = text.subspan(close + 1);
    }
    return words;
  }

 private:
  /// The next "{" that has a matching "}".
  std::optional<std::pair<std::size_t, std::size_t>> find_braces(AtomSpan text) {
    for (std::size_t open = 0;; ++open) {
      open = find(text, open, '{');
      if (open == text.size()) return std::nullopt;
      const std::size_t close = find(text, open + 1, '}');
      if (close < text.size()) return std::pair(open, close);
    }
  }

  /// The next `wanted` at this level; a "}" only counts behind a "," or "..".
  std::size_t find(AtomSpan text, std::size_t at, char wanted) {
    int level = 0;
    bool separated = wanted != '}';
    for (; at < text.size(); ++at) {
      if (++steps_ > kMostSteps) {
        failed_ = true;
        return text.size();
      }
      const char c = text[at].byte;
      if (c == wanted && c != '\0' && level == 0 && separated) {
        if (c == '{' && is_lone_brace(text, at)) continue;
        return at;
      }
      if (c == '{') {
        ++level;
      } else if (c == '}' && level > 0) {
        --level;
      } else if (level == 0 && wanted == '}') {
        const bool dots = c == '.' && byte_at(text, at + 1) == '.' && byte_at(text, at + 2) != '}';
        separated = separated || c == ',' || dots;
      }
    }
    return at;
  }

  static bool is_lone_brace(AtomSpan text, std::size_t at) {
    return (at == 0 || is_end_or_blank(text, at - 1)) &&
           (is_end_or_blank(text, at + 1) || byte_at(text, at + 1) == '}');
  }

  /// `text` is the braces and all between.
  Words expand_braces(AtomSpan text, int nesting) {
    const AtomSpan inner = text.subspan(1, text.size() - 2);
    const bool has_comma =
        std::any_of(inner.begin(), inner.end(), [](const Atom& atom) { return atom.byte == ','; });
    if (has_comma) return expand_list(inner, nesting);
    if (std::optional<Words> range = expand_range(inner, text.front().part)) return *range;
    return {Atoms(text.begin(), text.end())};
  }

  Words expand_list(AtomSpan inner, int nesting) {
    Words words;
    for (std::size_t begin = 0; begin <= inner.size() && !failed_;) {
      const std::size_t end = find(inner, begin, ',');
      Words element = expand(inner.subspan(begin, end - begin), nesting + 1);
      std::move(element.begin(), element.end(), std::back_inserter(words));
      check_size(words.size());
      begin = end + 1;
    }
    return words;
  }

  std::optional<Words> expand_range(AtomSpan inner, std::size_t part) {
    std::string text;
    for (const Atom& atom : inner) {
      if (atom.opaque != nullptr) return std::nullopt;
      text += atom.byte;
    }
    const std::optional<Range> range = read_range(text);
    if (!range) return std::nullopt;
    Words words;
    check_size(range->count());
    for (std::uint64_t i = 0; i < range->count() && !failed_; ++i) {
      Atoms& word = words.emplace_back();
      for (const char c : range->element(i)) word.push_back({c, nullptr, part});
    }
    return words;
  }

  /// Every word of `words` followed by every one of `tails`.
  void concatenate(Words& words, const Words& tails) {
    check_size(words.size() * tails.size());
    if (failed_) return;
    Words result;
    result.reserve(words.size() * tails.size());
    for (const Atoms& word : words) {
      for (const Atoms& tail : tails) {
        Atoms& joined = result.emplace_back(word);
        joined.insert(joined.end(), tail.begin(), tail.end());
        steps_ += joined.size();
        if (steps_ > kMostSteps) failed_ = true;
        if (failed_) return;
      }
    }
    words = std::move(result);
  }

  void check_size(std::size_t count) { failed_ = failed_ || count > most_words_; }

  std::size_t most_words_;
  std::size_t steps_ = 0;
  bool failed_ = false;
};

Atoms to_atoms(std::span<const BracePiece> word) {
  Atoms atoms;
  for (const BracePiece& piece : word) {
    if (piece.opaque) {
      atoms.push_back({'\0', &piece, piece.part});
      continue;
    }
    for (const char c : piece.text) atoms.push_back({c, nullptr, piece.part});
  }
  return atoms;
}

BraceWord to_pieces(const Atoms& atoms) {
  BraceWord word;
  for (const Atom& atom : atoms) {
    if (atom.opaque != nullptr) {
      word.push_back(*atom.opaque);
    } else if (!word.empty() && !word.back().opaque && word.back().part == atom.part) {
      word.back().text += atom.byte;
    } else {
      word.push_back({std::string(1, atom.byte), false, atom.part});
    }
  }
  return word;
}

bool has_open_brace(std::span<const BracePiece> word) {
  return std::any_of(word.begin(), word.end(), [](const BracePiece& piece) {
    return !piece.opaque && piece.text.find('{') != std::string::npos;
  });
}

}  // namespace

text::Result<std::vector<BraceWord>> expand_braces(std::span<const BracePiece> word,
                                                   std::size_t most_words) {
  std::vector<BraceWord> results;
  if (!has_open_brace(word)) {
    results.emplace_back(word.begin(), word.end());
    return results;
  }
  Expander expander(most_words);
  const Atoms atoms = to_atoms(word);
  const Words words = expander.expand(atoms);
  if (expander.failed()) {
    return text::Error{"a brace expansion that is too large to follow", {}};
  }
  results.reserve(words.size());
  for (const Atoms& expanded : words) results.push_back(to_pieces(expanded));
  return results;
}

}  // namespace recipelint::shell
