#include "analyzer/serving/vocabulary_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "analyzer/facts/ascii.h"
#include "analyzer/facts/calendar_release.h"
#include "analyzer/facts/looks.h"

namespace recipelint::serving {
namespace {

using facts::Flag;
using facts::FlagKind;
using facts::Presence;

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kTitles = {{
    {"vllm", "vLLM"},
    {"sglang", "SGLang"},
    {"trtllm", "TensorRT-LLM"},
    {"atom", "ATOM"},
}};

/// A text for a message: on one line, short, and without holes.
std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string result;
  for (const char c : text.substr(0, kLongest)) {
    if (c == kHole) {
      result += "..";
    } else {
      result += facts::is_graphic(c) || static_cast<unsigned char>(c) >= 0x80 ? c : ' ';
    }
  }
  return text.size() > kLongest ? result + ".." : result;
}

std::string list_of(const std::vector<std::string_view>& words) {
  std::string text;
  for (const auto word : words) text += fmt::format("{}'{}'", text.empty() ? "" : ", ", word);
  return text;
}

/// Engines without releases name days instead.
std::string first_with(const facts::Release& release) {
  const auto day = facts::day_of(release);
  return day ? fmt::format("it came to main on {}", to_string(*day))
             : fmt::format("{} is the first release with it", to_string(release));
}

std::string removed_by(const facts::Release& release) {
  const auto day = facts::day_of(release);
  return day ? fmt::format("it left main on {}", to_string(*day))
             : fmt::format("{} removed it", to_string(release));
}

std::string fact_of(std::string_view word, const facts::Evidence& evidence) {
  return fmt::format("'{}': {}", word, to_string(evidence));
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), facts::to_lower);
  return result;
}

bool is_python_bool(std::string_view text) {
  constexpr std::array<std::string_view, 12> kWords = {"0",   "1",  "false", "f",    "n", "no",
                                                       "off", "on", "t",     "true", "y", "yes"};
  return std::ranges::find(kWords, lower(text)) != kWords.end();
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return lower(text) == word; });
}

bool is_bool(const Json& value) {
  if (value.is(Json::Kind::kString)) return is_python_bool(value.text);
  if (value.is(Json::Kind::kInteger)) return value.integer == 0 || value.integer == 1;
  return value.is(Json::Kind::kBool);
}

bool is_integer(const Json& value) {
  if (value.is(Json::Kind::kString)) return parse_python_int(value.text).has_value();
  if (value.is(Json::Kind::kFloat)) return std::trunc(value.number) == value.number;
  return value.is(Json::Kind::kInteger) || value.is(Json::Kind::kBool);
}

bool is_number(const Json& value) {
  if (value.is(Json::Kind::kString)) return parse_python_float(value.text).has_value();
  return value.is(Json::Kind::kFloat) || is_integer(value);
}

bool is_array_of(const Json& value, bool (*item)(const Json&)) {
  return value.is(Json::Kind::kArray) && std::ranges::all_of(value.items, [&](const Json& each) {
           return !each.known() || item(each);
         });
}

bool is_graph_mode(const Json& value) {
  return value.is(Json::Kind::kString) &&
         is_one_of(value.text,
                   {"none", "piecewise", "full", "full_decode_only", "full_and_piecewise"});
}

bool is_compilation_mode(const Json& value) {
  if (value.is(Json::Kind::kInteger)) return value.integer >= 0 && value.integer <= 3;
  return value.is(Json::Kind::kString) &&
         is_one_of(value.text,
                   {"none", "stock_torch_compile", "dynamo_trace_once", "vllm_compile"});
}

struct TypeCheck {
  std::string_view type;
  std::string_view wanted;
  bool (*fits)(const Json&);
};

constexpr std::array<TypeCheck, 8> kTypeChecks = {{
    {"bool", "true or false", is_bool},
    {"int", "a whole number", is_integer},
    {"float", "a number", is_number},
    {"string", "a string", [](const Json& value) { return value.is(Json::Kind::kString); }},
    {"int-list", "a list of whole numbers",
     [](const Json& value) { return is_array_of(value, is_integer); }},
    {"list", "a list", [](const Json& value) { return value.is(Json::Kind::kArray); }},
    {"graph-mode", "'NONE', 'PIECEWISE', 'FULL', 'FULL_DECODE_ONLY' or 'FULL_AND_PIECEWISE'",
     is_graph_mode},
    {"compilation-mode", "a number from 0 to 3", is_compilation_mode},
}};

/// The number that a value stands for, for the kinds that are numbers.
std::optional<double> number_of(const Flag& flag, std::string_view text) {
  const auto from_int = [](std::optional<std::int64_t> number) {
    return number ? std::optional(static_cast<double>(*number)) : std::nullopt;
  };
  switch (flag.kind) {
    case FlagKind::kHumanIntOrAuto:
      if (lower(text) == "auto") return -1;
      return from_int(parse_human_int(text));
    case FlagKind::kHumanInt:
      return from_int(parse_human_int(text));
    case FlagKind::kFloat:
      return parse_python_float(text);
    default:
      return from_int(parse_python_int(text));
  }
}

bool is_numeric(FlagKind kind) {
  return kind == FlagKind::kInt || kind == FlagKind::kHumanInt ||
         kind == FlagKind::kHumanIntOrAuto || kind == FlagKind::kFloat ||
         kind == FlagKind::kIntList;
}

/// Whether one release follows another in its last two numbers.
bool is_next(const std::array<std::uint32_t, 3>& earlier,
             const std::array<std::uint32_t, 3>& later) {
  if (earlier[0] != later[0]) return false;
  if (earlier[1] == later[1]) return earlier[2] + 1 == later[2];
  return earlier[1] + 1 == later[1];
}

/// Whether the tree of the release itself was looked at, and not one of main about that time.
bool is_placed_exactly(const facts::EngineVersion& version) {
  constexpr std::int64_t kDay = 24 * 60 * 60;
  const facts::TimeRange range = version.range();
  return range.from != facts::TimeRange::kAlways && range.to != facts::TimeRange::kNever &&
         range.to - range.from <= kDay;
}

/// How words of one engine came and went.
class Comings {
 public:
  Comings(const facts::Vocabulary& vocabulary, const facts::VersionFacts& versions)
      : engine_(vocabulary.engine()), versions_(versions) {}

  /// "0.5.3 removed it", "it was gone by 0.5.18".
  std::string removal(const facts::Release& release) const {
    const bool by_then = facts::is_second_look(engine_, release, versions_);
    return by_then ? fmt::format("it was gone by {}", to_string(release)) : removed_by(release);
  }
  /// "0.5.3 is the first release with it", "0.5.18 has it".
  std::string arrival(const facts::Release& release) const {
    const bool by_then = facts::is_second_look(engine_, release, versions_);
    return by_then ? fmt::format("{} has it", to_string(release)) : first_with(release);
  }
  /// "since vLLM 0.5.3", "in SGLang 0.5.18".
  std::string deprecation(const facts::Release& release) const {
    const bool by_then = facts::is_second_look(engine_, release, versions_);
    return fmt::format("{} {} {}", by_then ? "in" : "since", title_of_engine(engine_),
                       to_string(release));
  }

 private:
  std::string_view engine_;
  const facts::VersionFacts& versions_;
};

/// The tables of options begin where those of releases do: what was removed before is in neither.
bool predates_releases(std::string_view engine, const facts::EngineVersion& version,
                       const facts::VersionFacts& versions) {
  const auto& releases = versions.releases();
  const auto first = std::find_if(releases.begin(), releases.end(),
                                  [&](const auto& known) { return known.engine == engine; });
  return version.release() && first != releases.end() && *version.release() < first->release;
}

}  // namespace

std::string_view title_of_engine(std::string_view engine) {
  for (const auto& [name, title] : kTitles) {
    if (name == engine) return title;
  }
  return engine;
}

std::string phrase_of(std::string_view title, const facts::EngineVersion& version) {
  switch (version.kind()) {
    case facts::EngineVersion::Kind::kRelease:
      return fmt::format("{} {}", title, version.name());
    case facts::EngineVersion::Kind::kCommit:
      return fmt::format("{} at {}", title, version.name());
    case facts::EngineVersion::Kind::kBracket:
      return fmt::format("{} in {}", title, version.name());
    case facts::EngineVersion::Kind::kUnknown:
      break;
  }
  return fmt::format("{} of an unknown version", title);
}

VocabularyCheck::VocabularyCheck(const facts::Vocabulary& vocabulary,
                                 const facts::EngineVersion& version,
                                 const facts::VersionFacts& versions, const Words& words)
    : vocabulary_(vocabulary), version_(version), versions_(versions), words_(words) {
  engine_version_ = phrase_of(title_of_engine(vocabulary.engine()), version);
  const auto* incomplete = versions.find_change(vocabulary.engine(), "vocabulary-incomplete");
  const bool complete = incomplete == nullptr || version.certainly_lacks(*incomplete);
  const bool seen = !facts::is_between_looks(vocabulary.engine(), version, versions);
  older_ = predates_releases(vocabulary.engine(), version, versions);
  certain_ = version.known() && !version.custom() && complete && seen;
}

Severity VocabularyCheck::lowered(Severity most) const {
  if (certain_ || most == Severity::kNote) return most;
  if (version_.custom()) return Severity::kNote;
  return most == Severity::kError ? Severity::kWarning : Severity::kNote;
}

Severity VocabularyCheck::not_yet(const facts::Lifetime& lifetime) const {
  const auto& release = version_.release();
  const bool can_be_picked =
      release && !is_placed_exactly(version_) && is_next(release->number, lifetime.since->number);
  return can_be_picked ? Severity::kNote : lowered(Severity::kError);
}

Problem& VocabularyCheck::add(std::string_view rule, Severity severity, std::string subject,
                              std::string message, Place place) {
  Problem problem;
  problem.rule = rule;
  problem.severity = severity;
  problem.subject = std::move(subject);
  problem.message = std::move(message);
  problem.word = words_.argument(place);
  problem.span = words_.span(place);
  problems_.push_back(std::move(problem));
  return problems_.back();
}

void VocabularyCheck::check_fault(const ParseFault& fault) {
  const std::string word = shown(words_.text(fault.place));
  switch (fault.kind) {
    case ParseFault::Kind::kUnknownOption:
      if (older_) break;
      add(kUnknownFlagRule, lowered(Severity::kError), word,
          fmt::format("{} has no option '{}'.", engine_version_, word), fault.place);
      break;
    case ParseFault::Kind::kAmbiguousOption: {
      std::string message =
          fmt::format("'{}' is short for several options of {}.", word, engine_version_);
      auto& problem =
          add(kUnknownFlagRule, lowered(Severity::kError), word, std::move(message), fault.place);
      problem.remedies = fault.possibilities;
      break;
    }
    case ParseFault::Kind::kMissingValue:
      add(kInvalidValueRule, Severity::kError, std::string(fault.option),
          fmt::format("'{}' has no value.", word), fault.place);
      break;
    case ParseFault::Kind::kUnwantedValue:
      add(kInvalidValueRule, Severity::kError, std::string(fault.option),
          fmt::format("'{}' takes no value.", fault.option), fault.place);
      break;
    case ParseFault::Kind::kUnexpectedWord: {
      const std::string reason =
          fault.option.empty() ? "" : fmt::format(" '{}' takes none.", fault.option);
      add(kUnknownFlagRule, lowered(Severity::kError), word,
          fmt::format("No option takes the word '{}'.{}", word, reason), fault.place);
      break;
    }
  }
}

void VocabularyCheck::check_option(const Occurrence& occurrence) {
  check_presence(occurrence.option, occurrence.name);
  const Flag& flag = *occurrence.option.flag;
  for (const Token& value : occurrence.values) check_value(flag, value);
}

void VocabularyCheck::check_presence(const OptionTable::Match& option, Place name) {
  const Flag& flag = *option.flag;
  const auto& lifetime = flag.lifetime;
  const Comings comings(vocabulary_, versions_);
  Problem* problem = nullptr;
  if (option.presence == Presence::kRemoved) {
    problem = &add(kOutdatedFlagRule, lowered(Severity::kError), std::string(flag.name),
                   fmt::format("{} has no option '{}' any more; {}.", engine_version_, flag.name,
                               comings.removal(*lifetime.removed)),
                   name);
  } else if (option.presence == Presence::kNotYet) {
    problem = &add(kUnknownFlagRule, not_yet(lifetime), std::string(flag.name),
                   fmt::format("{} has no option '{}' yet; {}.", engine_version_, flag.name,
                               comings.arrival(*lifetime.since)),
                   name);
  } else if (vocabulary_.is_deprecated(lifetime, version_, versions_)) {
    problem = &add(
        kOutdatedFlagRule, Severity::kNote, std::string(flag.name),
        fmt::format("'{}' is deprecated {}.", flag.name, comings.deprecation(*lifetime.deprecated)),
        name);
  }
  if (problem == nullptr) return;
  if (!lifetime.instead.empty() && option.presence != Presence::kNotYet) {
    problem->remedies.push_back(fmt::format("Use {}.", lifetime.instead));
  }
  problem->facts.push_back(fact_of(flag.name, *flag.evidence));
}

void VocabularyCheck::report_value(const Flag& flag, Place place, std::string wanted,
                                   Depends depends) {
  const auto severity =
      depends == Depends::kOnVersion ? lowered(Severity::kError) : Severity::kError;
  const std::string value = shown(words_.text(place));
  auto& problem = add(kInvalidValueRule, severity, std::string(flag.name),
                      fmt::format("'{}' is no value of '{}' in {}, which takes {}.", value,
                                  flag.name, engine_version_, wanted),
                      place);
  problem.facts.push_back(fact_of(flag.name, *flag.evidence));
}

void VocabularyCheck::check_value(const Flag& flag, const Token& value) {
  if (has_hole(value.text)) return;
  if (flag.kind == FlagKind::kEnum) {
    if (!facts::has_seen_values(vocabulary_.engine(), version_, versions_)) return;
    if (std::ranges::find(flag.values, value.text) == flag.values.end()) {
      report_value(flag, value.place, list_of(flag.values), Depends::kOnVersion);
    }
    return;
  }
  if (!is_numeric(flag.kind)) return;
  const auto number = number_of(flag, value.text);
  if (!number) {
    report_value(flag, value.place, flag.kind == FlagKind::kFloat ? "a number" : "a whole number",
                 Depends::kOnNothing);
  } else if (!flag.range.contains(*number)) {
    report_value(flag, value.place, fmt::format("numbers {}", to_string(flag.range)),
                 Depends::kOnVersion);
  }
}

void VocabularyCheck::report_early_value(const Flag& flag, Place value) {
  const std::string text = shown(words_.text(value));
  auto& problem = add(kInvalidValueRule, lowered(Severity::kError), std::string(flag.name),
                      fmt::format("'{}' is no value of '{}' in {} yet; it came later.", text,
                                  flag.name, engine_version_),
                      value);
  problem.facts.push_back(fact_of(flag.name, *flag.evidence));
}

void VocabularyCheck::report_invalid_json(const Flag& flag, Place value, const JsonError& error) {
  Place place = value;
  place.begin += error.offset;
  place.end = std::min(place.begin + 1, value.end);
  add(kInvalidDocumentRule, Severity::kError, std::string(flag.name),
      fmt::format("The value of '{}' is no JSON: {}.", flag.name, error.message), place);
}

void VocabularyCheck::report_invalid_file(std::string_view path, Place place,
                                          std::string_view error) {
  add(kInvalidDocumentRule, Severity::kError, std::string(path),
      fmt::format("The configuration file '{}' cannot be read: {}.", path, error), place);
}

void VocabularyCheck::report_key(std::string_view object_class, const Json::Member& member) {
  const auto* key = vocabulary_.find_key(object_class, member.key);
  const std::string name = shown(member.key);
  if (key == nullptr) {
    add(kInvalidValueRule, lowered(Severity::kError), name,
        fmt::format("{} knows no key '{}' in {}.", engine_version_, name, object_class),
        member.key_place);
    return;
  }
  const auto presence = vocabulary_.presence(key->lifetime, version_, versions_);
  if (presence == Presence::kRemoved) {
    auto& problem = add(
        kInvalidValueRule, lowered(Severity::kError), name,
        fmt::format("{} knows no key '{}' in {} any more; {}.", engine_version_, name, object_class,
                    Comings(vocabulary_, versions_).removal(*key->lifetime.removed)),
        member.key_place);
    if (!key->lifetime.instead.empty()) {
      problem.remedies.push_back(fmt::format("Use {}.", key->lifetime.instead));
    }
    problem.facts.push_back(fact_of(name, *key->evidence));
  } else if (presence == Presence::kNotYet) {
    auto& problem =
        add(kInvalidValueRule, not_yet(key->lifetime), name,
            fmt::format("{} knows no key '{}' in {} yet; {}.", engine_version_, name, object_class,
                        Comings(vocabulary_, versions_).arrival(*key->lifetime.since)),
            member.key_place);
    problem.facts.push_back(fact_of(name, *key->evidence));
  }
}

void VocabularyCheck::check_object(std::string_view object_class, const Json& object) {
  if (object_class.empty() || !object.is(Json::Kind::kObject)) return;
  for (const Json::Member& member : object.members) {
    if (has_hole(words_.text(member.key_place))) continue;
    report_key(object_class, member);
    if (const auto* key = vocabulary_.find_key(object_class, member.key)) {
      check_key_type(*key, member);
    }
  }
}

void VocabularyCheck::check_key_type(const facts::ConfigKey& key, const Json::Member& member) {
  const Json& value = member.value;
  if (!value.known() || value.is(Json::Kind::kNull)) return;
  if (!vocabulary_.keys_of(key.type).empty()) return check_object(key.type, value);
  const auto check = std::ranges::find(kTypeChecks, key.type, &TypeCheck::type);
  if (check == kTypeChecks.end() || check->fits(value)) return;
  const std::string text = shown(words_.text(value.place));
  auto& problem = add(kInvalidValueRule, Severity::kError, member.key,
                      fmt::format("'{}' is no value of the key '{}' in {}, which takes {}.", text,
                                  member.key, engine_version_, check->wanted),
                      value.place);
  problem.facts.push_back(fact_of(member.key, *key.evidence));
}

void VocabularyCheck::report_repeated(const Flag& flag, Place first, Place second) {
  Problem problem;
  problem.rule = kRepeatedFlagRule;
  problem.severity = Severity::kWarning;
  problem.subject = flag.name;
  problem.message =
      fmt::format("'{}' is given twice with different values, and the last one counts.", flag.name);
  problem.word = words_.argument(second);
  problem.span = words_.span(second);
  problem.related.push_back({words_.span(first), "this one has no effect"});
  problems_.push_back(std::move(problem));
}

void VocabularyCheck::report_conflict(Severity most, std::string subject, std::string message,
                                      Place place, std::vector<RelatedPlace> related) {
  auto& problem = add(kConflictRule, lowered(most), std::move(subject), std::move(message), place);
  problem.related = std::move(related);
}

void VocabularyCheck::check_variable(std::string_view name, text::Span span) {
  const auto* variable = vocabulary_.find_variable(name);
  const auto presence = variable == nullptr
                            ? Presence::kNotYet
                            : vocabulary_.presence(variable->lifetime, version_, versions_);
  if (presence == Presence::kPresent || presence == Presence::kMaybe) return;
  // Who builds an engine of his own gives it variables of his own.
  if (presence == Presence::kNotYet && version_.custom()) return;
  // A name that was not found at the last look can have been there before.
  if (variable == nullptr && !facts::has_seen_values(vocabulary_.engine(), version_, versions_)) {
    return;
  }
  Problem problem;
  problem.rule = kUnknownVariableRule;
  problem.severity = Severity::kNote;
  problem.subject = name;
  problem.span = span;
  if (variable == nullptr) {
    problem.message = fmt::format("{} does not read the variable '{}'.", engine_version_, name);
  } else if (presence == Presence::kRemoved) {
    problem.message =
        fmt::format("{} does not read the variable '{}' any more; {}.", engine_version_, name,
                    Comings(vocabulary_, versions_).removal(*variable->lifetime.removed));
    if (!variable->lifetime.instead.empty()) {
      problem.remedies.push_back(fmt::format("Use {}.", variable->lifetime.instead));
    }
  } else {
    problem.message =
        fmt::format("{} does not read the variable '{}' yet; {}.", engine_version_, name,
                    Comings(vocabulary_, versions_).arrival(*variable->lifetime.since));
  }
  if (variable != nullptr) problem.facts.push_back(fact_of(name, *variable->evidence));
  problems_.push_back(std::move(problem));
}

}  // namespace recipelint::serving
