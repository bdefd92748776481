#include "analyzer/facts/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "analyzer/facts/looks.h"
#include "analyzer/facts/split.h"

namespace recipelint::facts {
namespace {

constexpr std::array<std::pair<std::string_view, FlagKind>, 16> kKindNames = {{
    {"bool", FlagKind::kBool},
    {"switch", FlagKind::kSwitch},
    {"int", FlagKind::kInt},
    {"human-int", FlagKind::kHumanInt},
    {"human-int-or-auto", FlagKind::kHumanIntOrAuto},
    {"float", FlagKind::kFloat},
    {"string", FlagKind::kString},
    {"optional-string", FlagKind::kOptionalString},
    {"enum", FlagKind::kEnum},
    {"enum-or-string", FlagKind::kEnumOrString},
    {"string-list", FlagKind::kStringList},
    {"int-list", FlagKind::kIntList},
    {"append", FlagKind::kAppend},
    {"json", FlagKind::kJson},
    {"json-or-string", FlagKind::kJsonOrString},
    {"unknown", FlagKind::kUnknown},
}};

constexpr std::array<std::string_view, 9> kKeyTypes = {
    "any", "bool", "float", "graph-mode", "int", "int-list", "list", "string", "compilation-mode"};

constexpr std::array<std::string_view, 4> kVariableTypes = {"bool", "float", "int", "string"};

template <typename List>
bool contains(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

/// Collects what is wrong with one row.
class RowReader {
 public:
  RowReader(std::string_view table, Table::Row row) : table_(table), row_(row) {}

  std::string_view cell(std::size_t column) const { return row_.cells[column]; }
  const Evidence* evidence() const { return row_.evidence; }

  void fail(std::string_view what) {
    if (!error_) error_ = {fmt::format("{}: line {}: {}", table_, row_.line, what), {}};
  }
  const std::optional<text::Error>& error() const { return error_; }

  std::optional<Release> release(std::size_t column) {
    if (cell(column).empty()) return std::nullopt;
    const auto release = parse_release(cell(column));
    if (!release) fail(fmt::format("'{}' is no release", cell(column)));
    return release;
  }

  /// The columns since, deprecated (if there is one), removed, instead.
  Lifetime lifetime(std::size_t since, std::optional<std::size_t> deprecated) {
    const std::size_t removed = deprecated.value_or(since) + 1;
    Lifetime result{release(since), deprecated ? release(*deprecated) : std::nullopt,
                    release(removed), cell(removed + 1)};
    if (result.since && result.removed && *result.since >= *result.removed) {
      fail("it was removed before it was there");
    }
    return result;
  }

  std::string_view one_of(std::size_t column, std::span<const std::string_view> words) {
    if (!contains(words, cell(column))) fail(fmt::format("there is no type '{}'", cell(column)));
    return cell(column);
  }

 private:
  std::string_view table_;
  Table::Row row_;
  std::optional<text::Error> error_;
};

std::optional<NumberRange::Bound> parse_bound(std::string_view& text, char sign) {
  if (text.empty() || text.front() != sign) return std::nullopt;
  NumberRange::Bound bound;
  bound.included = text.size() > 1 && text[1] == '=';
  text.remove_prefix(bound.included ? 2 : 1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bound.value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.starts_with(' ')) text.remove_prefix(1);
  return bound;
}

NumberRange parse_range(RowReader& row, std::size_t column) {
  std::string_view text = row.cell(column);
  NumberRange range;
  range.lowest = parse_bound(text, '>');
  range.highest = parse_bound(text, '<');
  if (!text.empty()) row.fail(fmt::format("'{}' is no range", row.cell(column)));
  return range;
}

FlagKind parse_kind(RowReader& row, std::size_t column) {
  for (const auto& [name, kind] : kKindNames) {
    if (name == row.cell(column)) return kind;
  }
  row.fail(fmt::format("there is no kind '{}'", row.cell(column)));
  return FlagKind::kUnknown;
}

bool is_json(FlagKind kind) {
  return kind == FlagKind::kJson || kind == FlagKind::kJsonOrString;
}

bool is_enum(FlagKind kind) {
  return kind == FlagKind::kEnum || kind == FlagKind::kEnumOrString;
}

Flag parse_flag(RowReader& row) {
  Flag flag;
  flag.name = row.cell(0);
  flag.aliases = split(row.cell(1), ',');
  flag.kind = parse_kind(row, 2);
  if (is_json(flag.kind)) {
    flag.json_class = row.cell(3);
  } else {
    flag.values = split(row.cell(3), ',');
  }
  flag.range = parse_range(row, 4);
  flag.default_text = row.cell(5);
  flag.lifetime = row.lifetime(6, 7);
  flag.evidence = row.evidence();
  if (!flag.name.starts_with("--") || flag.name.starts_with("--no-")) {
    row.fail("a name begins with '--' and is no negation");
  }
  if (is_enum(flag.kind) == flag.values.empty()) row.fail("an enum, and nothing else, has values");
  return flag;
}

template <typename Entry, typename Key>
const Entry* find_sorted(const std::vector<Entry>& entries, const Key& key, auto key_of) {
  const auto at = std::ranges::lower_bound(entries, key, {}, key_of);
  return at != entries.end() && key_of(*at) == key ? &*at : nullptr;
}

using KeyName = std::pair<std::string_view, std::string_view>;
KeyName name_of(const ConfigKey& key) {
  return {key.object, key.key};
}

}  // namespace

std::string_view to_string(FlagKind kind) {
  const auto found = std::find_if(kKindNames.begin(), kKindNames.end(),
                                  [&](const auto& entry) { return entry.second == kind; });
  return found->first;
}

bool NumberRange::contains(double number) const {
  if (lowest && (lowest->included ? number < lowest->value : number <= lowest->value)) return false;
  return !highest || (highest->included ? number <= highest->value : number < highest->value);
}

std::string to_string(const NumberRange& range) {
  std::string text;
  if (range.lowest) {
    text = fmt::format(">{}{}", range.lowest->included ? "=" : "", range.lowest->value);
  }
  if (range.highest) {
    if (!text.empty()) text += " and ";
    text += fmt::format("<{}{}", range.highest->included ? "=" : "", range.highest->value);
  }
  return text;
}

text::Result<Vocabulary> Vocabulary::read(std::string_view engine, Table flags, Table keys,
                                          Table environment) {
  Vocabulary vocabulary;
  vocabulary.engine_ = engine;
  vocabulary.flag_table_ = std::move(flags);
  vocabulary.key_table_ = std::move(keys);
  vocabulary.environment_table_ = std::move(environment);
  if (auto error = vocabulary.read_keys()) return *error;
  if (auto error = vocabulary.read_flags()) return *error;
  if (auto error = vocabulary.read_environment()) return *error;
  return vocabulary;
}

std::optional<text::Error> Vocabulary::read_flags() {
  flags_.reserve(flag_table_.size());
  for (std::size_t i = 0; i < flag_table_.size(); ++i) {
    RowReader row("flags", flag_table_.row(i));
    flags_.push_back(parse_flag(row));
    const Flag& flag = flags_.back();
    if (!flag.json_class.empty() && keys_of(flag.json_class).empty()) {
      row.fail(fmt::format("no class of keys is called '{}'", flag.json_class));
    }
    if (row.error()) return row.error();
  }
  std::ranges::sort(flags_, {}, &Flag::name);
  for (const Flag& flag : flags_) {
    spellings_.push_back({std::string(flag.name), &flag, false});
    for (const auto alias : flag.aliases) spellings_.push_back({std::string(alias), &flag, false});
    if (flag.kind != FlagKind::kBool) continue;
    spellings_.push_back({"--no-" + std::string(flag.name.substr(2)), &flag, true});
  }
  std::ranges::sort(spellings_, {}, &Spelling::text);
  const auto twice = std::ranges::adjacent_find(spellings_, {}, &Spelling::text);
  if (twice == spellings_.end()) return std::nullopt;
  return text::Error{fmt::format("flags: '{}' is there twice", twice->text), {}};
}

std::optional<text::Error> Vocabulary::read_keys() {
  keys_.reserve(key_table_.size());
  for (std::size_t i = 0; i < key_table_.size(); ++i) {
    RowReader row("keys", key_table_.row(i));
    keys_.push_back(
        {row.cell(0), row.cell(1), row.cell(2), row.lifetime(3, std::nullopt), row.evidence()});
    if (row.error()) return row.error();
  }
  std::ranges::sort(keys_, {}, name_of);
  for (const ConfigKey& key : keys_) {
    if (contains(kKeyTypes, key.type) || !keys_of(key.type).empty()) continue;
    return text::Error{fmt::format("keys: there is no type '{}'", key.type), {}};
  }
  const auto twice = std::ranges::adjacent_find(keys_, {}, name_of);
  if (twice == keys_.end()) return std::nullopt;
  return text::Error{fmt::format("keys: '{}' is there twice in {}", twice->key, twice->object), {}};
}

std::optional<text::Error> Vocabulary::read_environment() {
  environment_.reserve(environment_table_.size());
  for (std::size_t i = 0; i < environment_table_.size(); ++i) {
    RowReader row("environment", environment_table_.row(i));
    environment_.push_back({row.cell(0), row.one_of(1, kVariableTypes), row.cell(2),
                            row.lifetime(3, std::nullopt), row.evidence()});
    if (row.error()) return row.error();
  }
  std::ranges::sort(environment_, {}, &EnvironmentVariable::name);
  const auto twice = std::ranges::adjacent_find(environment_, {}, &EnvironmentVariable::name);
  if (twice == environment_.end()) return std::nullopt;
  return text::Error{fmt::format("environment: '{}' is there twice", twice->name), {}};
}

const Flag* Vocabulary::find_flag(std::string_view spelling) const {
  const auto at = std::ranges::lower_bound(spellings_, spelling, {}, &Spelling::text);
  return at != spellings_.end() && at->text == spelling && !at->negated ? at->flag : nullptr;
}

std::span<const ConfigKey> Vocabulary::keys_of(std::string_view object) const {
  // Clang 14 cannot use what equal_range gives.
  const auto begin = std::ranges::lower_bound(keys_, object, {}, &ConfigKey::object);
  const auto end = std::ranges::upper_bound(keys_, object, {}, &ConfigKey::object);
  return {begin, end};
}

const ConfigKey* Vocabulary::find_key(std::string_view object, std::string_view key) const {
  return find_sorted(keys_, KeyName(object, key), name_of);
}

const EnvironmentVariable* Vocabulary::find_variable(std::string_view name) const {
  return find_sorted(environment_, name,
                     [](const EnvironmentVariable& variable) { return variable.name; });
}

Presence Vocabulary::presence(const Lifetime& lifetime, const EngineVersion& version,
                              const VersionFacts& versions) const {
  using Answer = EngineVersion::Answer;
  const bool unseen = is_between_looks(engine_, version, versions);
  const auto has = [&](const std::optional<Release>& release) {
    // What only one of two looks found came or went somewhere between them.
    if (unseen && is_second_look(engine_, *release, versions)) return Answer::kMaybe;
    return version.has(versions.change_of(engine_, *release));
  };
  const Answer gone = lifetime.removed ? has(lifetime.removed) : Answer::kNo;
  if (gone == Answer::kYes) return Presence::kRemoved;
  const Answer there = lifetime.since ? has(lifetime.since) : Answer::kYes;
  if (there == Answer::kNo) return Presence::kNotYet;
  return gone == Answer::kNo && there == Answer::kYes ? Presence::kPresent : Presence::kMaybe;
}

bool Vocabulary::is_deprecated(const Lifetime& lifetime, const EngineVersion& version,
                               const VersionFacts& versions) const {
  return lifetime.deprecated && presence(lifetime, version, versions) == Presence::kPresent &&
         version.certainly_has(versions.change_of(engine_, *lifetime.deprecated));
}

}  // namespace recipelint::facts
