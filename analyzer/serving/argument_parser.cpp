#include "analyzer/serving/argument_parser.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "analyzer/facts/ascii.h"

namespace recipelint::serving {
namespace {

using facts::FlagKind;
using facts::is_digit;

/// -5, -.5, -0.25: a value, as no option looks like that.
bool is_negative_number(std::string_view text) {
  text.remove_prefix(1);
  const auto dot = text.find('.');
  const auto all_digits = [](std::string_view part) {
    return std::ranges::all_of(part, [](char c) { return is_digit(c); });
  };
  if (dot == std::string_view::npos) return !text.empty() && all_digits(text);
  const auto decimals = text.substr(dot + 1);
  return all_digits(text.substr(0, dot)) && !decimals.empty() && all_digits(decimals);
}

struct Arity {
  std::size_t least = 0;
  std::size_t most = 0;
};

Arity arity_of(const OptionTable::Match& option) {
  constexpr std::size_t kAny = 1U << 20U;
  switch (option.flag->kind) {
    case FlagKind::kBool:
    case FlagKind::kSwitch:
      return {0, 0};
    case FlagKind::kOptionalString:
      return {0, 1};
    case FlagKind::kStringList:
    case FlagKind::kIntList:
      return {1, kAny};
    case FlagKind::kUnknown:
      return {0, kAny};
    default:
      return {1, 1};
  }
}

/// What one word is.
struct Role {
  enum class Kind : std::uint8_t { kPositional, kOption, kUnknownOption, kAmbiguous, kUnknown };
  Kind kind = Kind::kPositional;
  OptionTable::Match option;
  std::size_t name_size = 0;            // of the spelling
  std::optional<std::size_t> value_at;  // of a value in the same word
  std::vector<std::string> possibilities;
};

class RoleFinder {
 public:
  explicit RoleFinder(const OptionTable& table) : table_(table) {}

  Role role_of(std::string_view text) const {
    if (text.empty() || text[0] != '-') {
      return text.starts_with(kHole) ? of_kind(Role::Kind::kUnknown) : Role{};
    }
    if (const auto exact = table_.find(text); exact.outcome != OptionTable::Outcome::kNone) {
      return of_match(exact, text.size(), std::nullopt);
    }
    if (text.size() == 1) return {};
    const auto equals = text.find('=');
    const auto name = text.substr(0, equals);
    if (has_hole(name)) return of_kind(Role::Kind::kUnknown);
    if (equals != std::string_view::npos) {
      const auto exact = table_.find(name);
      if (exact.outcome != OptionTable::Outcome::kNone) {
        return of_match(exact, equals, equals + 1);
      }
    }
    if (auto role = abbreviated(text, name)) return *std::move(role);
    if (is_negative_number(text) || text.find(' ') != std::string_view::npos) return {};
    return of_kind(Role::Kind::kUnknownOption);
  }

 private:
  static Role of_kind(Role::Kind kind) {
    Role role;
    role.kind = kind;
    return role;
  }

  static Role of_match(const OptionTable::Found& found, std::size_t name_size,
                       std::optional<std::size_t> value_at) {
    Role role;
    role.kind =
        found.outcome == OptionTable::Outcome::kOne ? Role::Kind::kOption : Role::Kind::kAmbiguous;
    role.option = found.match;
    role.name_size = name_size;
    role.value_at = value_at;
    role.possibilities = found.possibilities;
    return role;
  }

  std::optional<Role> abbreviated(std::string_view text, std::string_view name) const {
    const std::optional<std::size_t> value_at =
        name.size() < text.size() ? std::optional(name.size() + 1) : std::nullopt;
    const auto found = table_.find_abbreviation(name);
    const bool is_long = text.starts_with("--");
    if (found.outcome != OptionTable::Outcome::kNone) return of_match(found, name.size(), value_at);
    if (is_long) return std::nullopt;
    // "-n8" is "-n 8".
    const auto short_option = table_.find(text.substr(0, 2));
    if (short_option.outcome == OptionTable::Outcome::kNone) return std::nullopt;
    return of_match(short_option, 2, 2);
  }

  const OptionTable& table_;
};

class ArgumentParser {
 public:
  ArgumentParser(const std::vector<Token>& tokens, const OptionTable& table,
                 std::size_t most_positionals)
      : tokens_(tokens), most_positionals_(most_positionals) {
    const RoleFinder finder(table);
    bool only_positionals = false;
    for (const Token& token : tokens) {
      if (only_positionals || token.text == "--") {
        // "--" itself is dropped, and everything behind it is positional.
        roles_.push_back({});
        only_positionals = true;
      } else {
        roles_.push_back(finder.role_of(token.text));
      }
    }
  }

  ParsedArguments run() {
    while (at_ < tokens_.size()) {
      const Role& role = roles_[at_];
      switch (role.kind) {
        case Role::Kind::kPositional:
          take_positional();
          break;
        case Role::Kind::kUnknown:
          result_.unknown.push_back(tokens_[at_++].place);
          break;
        case Role::Kind::kOption:
          take_option(role);
          break;
        case Role::Kind::kUnknownOption:
        case Role::Kind::kAmbiguous:
          take_fault(role);
          break;
      }
    }
    return std::move(result_);
  }

 private:
  /// The option at the front of a word. A word that is not written like that, but in a
  /// configuration file, is the option as a whole.
  static Place name_place(const Token& token, std::size_t size) {
    if (token.place.end - token.place.begin != token.text.size()) return token.place;
    return {token.place.word, token.place.begin, token.place.begin + size};
  }

  void take_positional() {
    const Token& token = tokens_[at_++];
    if (token.text == "--") return;
    if (result_.positionals.size() < most_positionals_) {
      result_.positionals.push_back(token);
      return;
    }
    ParseFault fault{ParseFault::Kind::kUnexpectedWord, token.place, {}, {}};
    const bool after_option = at_ >= 2 && roles_[at_ - 2].kind == Role::Kind::kOption;
    if (after_option) fault.option = roles_[at_ - 2].option.flag->name;
    result_.faults.push_back(std::move(fault));
  }

  void take_fault(const Role& role) {
    const Token& token = tokens_[at_++];
    const auto kind = role.kind == Role::Kind::kAmbiguous ? ParseFault::Kind::kAmbiguousOption
                                                          : ParseFault::Kind::kUnknownOption;
    const auto size = std::min(token.text.find('='), token.text.size());
    result_.faults.push_back({kind, name_place(token, size), {}, role.possibilities});
    // What follows was meant for it.
    while (at_ < tokens_.size() && is_value(at_)) ++at_;
  }

  bool is_value(std::size_t index) const {
    return roles_[index].kind == Role::Kind::kPositional && tokens_[index].text != "--";
  }

  void take_option(const Role& role) {
    const Token& token = tokens_[at_++];
    Occurrence occurrence{role.option, name_place(token, role.name_size), {}};
    const Arity arity = arity_of(role.option);
    if (role.value_at) {
      if (arity.most == 0) {
        result_.faults.push_back(
            {ParseFault::Kind::kUnwantedValue, token.place, role.option.flag->name, {}});
        return;
      }
      Place place = token.place;
      place.begin += *role.value_at;
      occurrence.values.push_back({token.text.substr(*role.value_at), place});
    } else {
      take_values(occurrence, arity);
      if (occurrence.values.size() < arity.least) {
        result_.faults.push_back(
            {ParseFault::Kind::kMissingValue, occurrence.name, role.option.flag->name, {}});
        return;
      }
    }
    result_.options.push_back(std::move(occurrence));
  }

  void take_values(Occurrence& occurrence, Arity arity) {
    while (at_ < tokens_.size() && occurrence.values.size() < arity.most) {
      const bool needed = occurrence.values.size() < arity.least;
      // A word that begins with an unknown piece is what the option waits for, if it waits.
      const bool hole = needed && roles_[at_].kind == Role::Kind::kUnknown;
      if (!is_value(at_) && !hole) return;
      occurrence.values.push_back(tokens_[at_++]);
    }
  }

  const std::vector<Token>& tokens_;
  std::size_t most_positionals_;
  std::vector<Role> roles_;
  std::size_t at_ = 0;
  ParsedArguments result_;
};

}  // namespace

ParsedArguments parse_arguments(const std::vector<Token>& tokens, const OptionTable& table,
                                std::size_t most_positionals) {
  return ArgumentParser(tokens, table, most_positionals).run();
}

OptionTable::Match OptionTable::match_of(const facts::Vocabulary::Spelling& spelling) const {
  return {spelling.flag, spelling.negated,
          words_.presence(spelling.flag->lifetime, version_, versions_)};
}

OptionTable::Found OptionTable::find(std::string_view spelling) const {
  const auto& spellings = words_.spellings();
  const auto at =
      std::ranges::lower_bound(spellings, spelling, {}, &facts::Vocabulary::Spelling::text);
  if (at == spellings.end() || at->text != spelling) return {};
  return {Outcome::kOne, match_of(*at), {}};
}

OptionTable::Found OptionTable::find_abbreviation(std::string_view prefix) const {
  if (abbreviations_ == Abbreviations::kRefused) return {};
  const auto& spellings = words_.spellings();
  Found found;
  std::size_t certain = 0;
  auto at = std::ranges::lower_bound(spellings, prefix, {}, &facts::Vocabulary::Spelling::text);
  for (; at != spellings.end() && at->text.starts_with(prefix); ++at) {
    const Match match = match_of(*at);
    using facts::Presence;
    if (match.presence == Presence::kNotYet || match.presence == Presence::kRemoved) continue;
    const bool present = match.presence == Presence::kPresent;
    if (present) ++certain;
    if (found.possibilities.empty() || (present && certain == 1)) found.match = match;
    found.possibilities.push_back(at->text);
  }
  if (found.possibilities.empty()) return {};
  // Spellings that this version may not have do not make an abbreviation ambiguous.
  found.outcome = certain > 1 ? Outcome::kSeveral : Outcome::kOne;
  if (found.outcome == Outcome::kOne) found.possibilities.clear();
  return found;
}

}  // namespace recipelint::serving
