#include <algorithm>
#include <array>
#include <bitset>
#include <functional>

#include "analyzer/shell/text_commands/command.h"

namespace recipelint::shell {
namespace {

using Bytes = std::vector<unsigned char>;

bool is_upper(int c) {
  return c >= 'A' && c <= 'Z';
}
bool is_lower(int c) {
  return c >= 'a' && c <= 'z';
}
bool is_digit(int c) {
  return c >= '0' && c <= '9';
}
bool is_alnum(int c) {
  return is_upper(c) || is_lower(c) || is_digit(c);
}

struct Class {
  std::string_view name;
  bool (*contains)(int);
};

constexpr auto kClasses = std::to_array<Class>({
    {"alnum", is_alnum},
    {"alpha", [](int c) { return is_upper(c) || is_lower(c); }},
    {"blank", [](int c) { return c == ' ' || c == '\t'; }},
    {"cntrl", [](int c) { return c < 0x20 || c == 0x7F; }},
    {"digit", is_digit},
    {"graph", [](int c) { return c > 0x20 && c < 0x7F; }},
    {"lower", is_lower},
    {"print", [](int c) { return c >= 0x20 && c < 0x7F; }},
    {"punct", [](int c) { return c > 0x20 && c < 0x7F && !is_alnum(c); }},
    {"space", [](int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }},
    {"upper", is_upper},
    {"xdigit",
     [](int c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }},
});

/// The bytes that a set names, in order, and where its classes stand.
struct Set {
  Bytes bytes;
  struct Use {
    std::string_view name;
    std::size_t at = 0;  // in `bytes`
  };
  std::vector<Use> classes;
};

class SetReader {
 public:
  explicit SetReader(std::string_view text) : text_(text) {}

  /// Gives nothing for what is not modelled: [=c=], [c*n], reversed ranges.
  std::optional<Set> read() {
    while (at_ < text_.size()) {
      if (text_.substr(at_).starts_with("[:")) {
        if (!read_class()) return std::nullopt;
        continue;
      }
      if (text_.substr(at_).starts_with("[=") || is_repetition()) return std::nullopt;
      const std::optional<unsigned char> first = read_byte();
      if (!first) return std::nullopt;
      unsigned char last = *first;
      if (at_ + 1 < text_.size() && text_[at_] == '-') {
        ++at_;
        const std::optional<unsigned char> end = read_byte();
        if (!end || *end < *first) return std::nullopt;
        last = *end;
      }
      for (int byte = *first; byte <= last; ++byte) {
        set_.bytes.push_back(static_cast<unsigned char>(byte));
      }
    }
    return std::move(set_);
  }

 private:
  bool read_class() {
    const std::size_t end = text_.find(":]", at_ + 2);
    if (end == std::string_view::npos) return false;
    const std::string_view name = text_.substr(at_ + 2, end - at_ - 2);
    const auto* found = std::find_if(kClasses.begin(), kClasses.end(),
                                     [name](const Class& entry) { return entry.name == name; });
    if (found == kClasses.end()) return false;
    set_.classes.push_back({found->name, set_.bytes.size()});
    for (int byte = 0; byte < 128; ++byte) {
      if (found->contains(byte)) set_.bytes.push_back(static_cast<unsigned char>(byte));
    }
    at_ = end + 2;
    return true;
  }

  bool is_repetition() const {
    return text_[at_] == '[' && at_ + 2 < text_.size() && text_.find(']', at_) != text_.npos &&
           (text_[at_ + 2] == '*' ||
            (text_[at_ + 1] == '\\' && text_.find('*', at_) != text_.npos));
  }

  std::optional<unsigned char> read_byte() {
    const char c = text_[at_++];
    if (c != '\\') return static_cast<unsigned char>(c);
    if (at_ == text_.size()) return static_cast<unsigned char>('\\');
    const char letter = text_[at_++];
    constexpr std::string_view kLetters = "abfnrtv\\";
    constexpr std::string_view kValues = "\a\b\f\n\r\t\v\\";
    if (const std::size_t i = kLetters.find(letter); i != std::string_view::npos) {
      return static_cast<unsigned char>(kValues[i]);
    }
    if (letter < '0' || letter > '7') return static_cast<unsigned char>(letter);
    int value = letter - '0';
    for (int i = 0; i < 2 && at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '7'; ++i) {
      value = value * 8 + (text_[at_++] - '0');
    }
    if (value > 255) return std::nullopt;
    return static_cast<unsigned char>(value);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Set set_;
};

std::bitset<256> members(const Bytes& bytes) {
  std::bitset<256> set;
  for (const unsigned char byte : bytes) set.set(byte);
  return set;
}

void complement(Set& set) {
  const std::bitset<256> excluded = members(set.bytes);
  set.bytes.clear();
  for (std::size_t byte = 0; byte < 256; ++byte) {
    if (!excluded.test(byte)) set.bytes.push_back(static_cast<unsigned char>(byte));
  }
}

/// A class in the second set only goes with its counterpart at the same place of the first.
bool classes_fit(const Set& from, const Set& to, bool complemented) {
  return std::all_of(to.classes.begin(), to.classes.end(), [&](const Set::Use& use) {
    if (complemented || (use.name != "lower" && use.name != "upper")) return false;
    const std::string_view other = use.name == "lower" ? "upper" : "lower";
    return std::any_of(from.classes.begin(), from.classes.end(), [&](const Set::Use& counterpart) {
      return counterpart.at == use.at && counterpart.name == other;
    });
  });
}

struct Job {
  Set from;
  Set to;
  bool deletes = false;
  bool squeezes = false;
  bool has_second = false;

  std::string run(std::string_view text) const {
    std::array<unsigned char, 256> map{};
    for (std::size_t byte = 0; byte < 256; ++byte) map[byte] = static_cast<unsigned char>(byte);
    const bool translates = has_second && !deletes;
    for (std::size_t i = 0; translates && i < from.bytes.size(); ++i) {
      map[from.bytes[i]] = i < to.bytes.size() ? to.bytes[i] : to.bytes.back();
    }
    const std::bitset<256> deleted = deletes ? members(from.bytes) : std::bitset<256>();
    std::bitset<256> squeezed;
    if (squeezes) squeezed = members(has_second ? to.bytes : from.bytes);
    std::string out;
    for (const char c : text) {
      const unsigned char byte = map[static_cast<unsigned char>(c)];
      if (deleted.test(static_cast<unsigned char>(c))) continue;
      const bool repeats = !out.empty() && static_cast<unsigned char>(out.back()) == byte;
      if (repeats && squeezed.test(byte)) continue;
      out += static_cast<char>(byte);
    }
    return out;
  }
};

}  // namespace

CommandResult run_tr(Arguments arguments, const TextCommandInput& input) {
  static constexpr LongOption kLong[] = {
      {"complement", 'c'}, {"delete", 'd'}, {"squeeze-repeats", 's'}};
  const auto parsed = parse_options("tr", arguments, "cCds", kLong, OptionOrder::kBeforeOperands);
  if (!parsed.ok()) return parsed.error();
  const std::vector<std::string>& sets = parsed->operands;
  Job job;
  job.deletes = parsed->has('d');
  job.squeezes = parsed->has('s');
  job.has_second = sets.size() == 2;
  const bool complemented = parsed->has('c') || parsed->has('C');
  const bool needs_second = (job.deletes && job.squeezes) || (!job.deletes && !job.squeezes);
  const bool takes_second = !job.deletes || job.squeezes;
  if (sets.empty() || sets.size() > 2 || (needs_second && !job.has_second) ||
      (job.has_second && !takes_second)) {
    return not_modelled("tr", "a wrong number of operands");
  }
  std::optional<Set> from = SetReader(sets[0]).read();
  std::optional<Set> to = job.has_second ? SetReader(sets[1]).read() : Set();
  if (!from || !to || (job.has_second && to->bytes.empty()))
    return not_modelled("tr", "these sets");
  if (!job.deletes && !classes_fit(*from, *to, complemented)) {
    return not_modelled("tr", "a class in the second set");
  }
  const bool one_target = std::adjacent_find(to->bytes.begin(), to->bytes.end(),
                                             std::not_equal_to<>()) == to->bytes.end();
  if (complemented && !from->classes.empty() && !job.deletes && !one_target) {
    return not_modelled("tr", "the complement of a class to several characters");
  }
  if (complemented) complement(*from);
  job.from = std::move(*from);
  job.to = std::move(*to);
  const auto text = read_input("tr", {}, input);
  if (!text.ok()) return text.error();
  return TextCommandResult{job.run(*text), 0};
}

}  // namespace recipelint::shell
