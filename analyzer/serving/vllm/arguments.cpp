#include "analyzer/serving/dynamo_options.h"
#include "analyzer/serving/vllm/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <array>
#include <utility>

#include "analyzer/facts/split.h"
#include "analyzer/serving/vllm/config_file.h"
#include "analyzer/serving/vocabulary_check.h"

namespace recipelint::serving::vllm {
namespace {

using facts::FlagKind;

bool is_json(FlagKind kind) {
  return kind == FlagKind::kJson || kind == FlagKind::kJsonOrString;
}

/// The part of "--a.b=c" that names the option: "--a.b".
std::string_view name_part(std::string_view text) {
  return text.substr(0, text.find('='));
}

/// "--a_b.c_d=e_f" becomes "--a-b.c_d=e_f".
void normalize_underscores(std::string& text) {
  if (!text.starts_with("--")) return;
  const auto end = std::min(text.find_first_of(".="), text.size());
  std::replace(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '_', '-');
}

/// Adds members to an object: of equal keys, objects are merged, lists are joined, and anything
/// else is replaced.
void merge(Json& into, Json::Member member) {
  const auto same = std::ranges::find(into.members, member.key, &Json::Member::key);
  if (same == into.members.end()) {
    into.members.push_back(std::move(member));
    return;
  }
  Json& old = same->value;
  if (old.is(Json::Kind::kObject) && member.value.is(Json::Kind::kObject)) {
    for (auto& inner : member.value.members) merge(old, std::move(inner));
  } else if (old.is(Json::Kind::kArray) && member.value.is(Json::Kind::kArray)) {
    for (auto& item : member.value.items) old.items.push_back(std::move(item));
  } else {
    old = std::move(member.value);
  }
}

/// Reads a JSON argument; without a value if it is invalid.
JsonResult read_json(const Words& words, const Token& token, HumanNumbers human_numbers) {
  if (token.json != nullptr) return {*token.json, {}};
  if (token.text.empty() || token.text == "None") return {Json(), {}};
  auto result = parse_json(words, token.place, human_numbers);
  // What an unknown piece holds can make it right.
  if (!result.value && has_hole(token.text)) return {Json::unknown(token.place), {}};
  return result;
}

bool looks_like_object(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  const auto last = text.find_last_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' && text[last] == '}';
}

}  // namespace

Frontend frontend_of(std::string_view program) {
  if (program.find("api_server") != std::string_view::npos) return Frontend::kApiServer;
  const bool serves = program.find("vllm serve") != std::string_view::npos;
  return serves ? Frontend::kServe : Frontend::kForeign;
}

/// Takes a command line apart in the order in which vLLM does it.
class ArgumentReader {
 public:
  ArgumentReader(const facts::EngineVersion& version, const facts::Catalog& catalog)
      : version_(version),
        versions_(catalog.versions()),
        vocabulary_(*catalog.vocabulary("vllm")),
        table_(vocabulary_, version, versions_),
        check_(vocabulary_, version, versions_, result_.words_) {}

  Arguments run(std::span<const shell::Value> argv, std::size_t first, Frontend frontend,
                std::span<const launch::ConfigFile> config_files) {
    frontend_ = frontend;
    for (std::size_t i = 0; i < argv.size(); ++i) {
      const std::size_t word = result_.words_.add(argv[i], i);
      if (i < first) continue;
      tokens_.push_back(
          {std::string(result_.words_.text(word)), result_.words_.whole(word), nullptr});
    }
    if (frontend == Frontend::kForeign) tokens_ = without_dynamo_options(tokens_);
    take_model();
    insert_config_file(config_files);
    for (Token& token : tokens_) normalize_underscores(token.text);
    expand_optimization_levels();
    take_dotted_keys();
    parse();
    add_dotted_objects();
    finish();
    return std::move(result_);
  }

 private:
  enum class From : std::uint8_t { kCommandLine, kConfigFile };

  /// An option that was given as dotted keys, with everything merged into one object.
  struct Dotted {
    std::string spelling;
    Place name;
    Json object;
  };

  bool has(std::string_view change) const {
    const auto* found = versions_.find_change("vllm", change);
    // What is not known counts as the newest version.
    return found != nullptr && !version_.certainly_lacks(*found);
  }

  HumanNumbers human_numbers() const {
    return has("human-numbers-in-json") ? HumanNumbers::kRead : HumanNumbers::kRefused;
  }

  void open(std::string_view cause) {
    if (result_.open_.empty()) result_.open_ = cause;
  }

  // --- The model, before anything else ---

  void take_model() {
    if (frontend_ != Frontend::kServe) return;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const std::string& text = tokens_[i].text;
      if (text == "--model" && i + 1 < tokens_.size()) {
        result_.model_ = tokens_[i + 1];
        return erase(i, 2);
      }
      if (text.starts_with("--model=")) {
        result_.model_ = part(tokens_[i], std::string_view("--model=").size());
        return erase(i, 1);
      }
    }
    if (tokens_.empty() || tokens_.front().text.starts_with('-')) return;
    result_.model_ = tokens_.front();
    erase(0, 1);
  }

  static Token part(const Token& token, std::size_t begin) {
    Place place = token.place;
    place.begin += begin;
    return {token.text.substr(begin), place, nullptr};
  }

  void erase(std::size_t begin, std::size_t count) {
    const auto at = tokens_.begin() + static_cast<std::ptrdiff_t>(begin);
    tokens_.erase(at, at + static_cast<std::ptrdiff_t>(count));
  }

  // --- --config FILE ---

  void insert_config_file(std::span<const launch::ConfigFile> config_files) {
    const auto at = std::ranges::find(tokens_, "--config", &Token::text);
    if (at == tokens_.end() || at + 1 == tokens_.end()) return;
    const Token file = *(at + 1);
    tokens_.erase(at, at + 2);
    const auto found = std::ranges::find(config_files, file.text, &launch::ConfigFile::path);
    if (found == config_files.end()) {
      return open(fmt::format("the configuration file {}", result_.words_.text(file.place)));
    }
    const std::size_t argument = result_.words_.argument(file.place);
    config_word_ = result_.words_.add(found->content, argument);
    auto read = read_config_file(result_.words_, *config_word_, table_);
    if (!read.error.empty()) {
      check_.report_invalid_file(found->path, read.error_place, read.error);
      open("a configuration file that cannot be read");
    }
    if (!read.open.empty()) open(read.open);
    tokens_.insert(tokens_.begin(), read.tokens.begin(), read.tokens.end());
  }

  From source_of(Place place) const {
    return config_word_ && place.word == *config_word_ ? From::kConfigFile : From::kCommandLine;
  }

  // --- -O ---

  /// "-O2", "-O=2" and "-O 2" set the optimization level. Before there were levels, -O was short
  /// for
  /// --compilation-config.
  void expand_optimization_levels() {
    const bool levels = has("optimization-levels");
    std::vector<Token> expanded;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (!is_optimization_level(i, levels)) {
        expanded.push_back(token);
        continue;
      }
      Token name = token;
      name.text = levels ? "--optimization-level" : "--compilation-config";
      name.place.end = name.place.begin + 2;
      expanded.push_back(std::move(name));
      if (token.text != "-O") expanded.push_back(part(token, token.text[2] == '=' ? 3 : 2));
    }
    tokens_ = std::move(expanded);
  }

  bool is_optimization_level(std::size_t index, bool levels) const {
    const std::string_view text = tokens_[index].text;
    if (!text.starts_with("-O")) return false;
    if (!levels) return !text.starts_with("-O.");
    if (text != "-O") return true;
    constexpr std::array<std::string_view, 4> kLevels = {"0", "1", "2", "3"};
    return index + 1 < tokens_.size() &&
           std::ranges::find(kLevels, tokens_[index + 1].text) != kLevels.end();
  }

  // --- --compilation-config.key value ---

  static bool is_dotted(const Token& token) {
    return token.json == nullptr && token.text.starts_with('-') &&
           name_part(token.text).find('.') != std::string_view::npos;
  }

  void take_dotted_keys() {
    std::vector<Token> rest;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (!is_dotted(token) || has_hole(name_part(token.text))) {
        rest.push_back(token);
        continue;
      }
      const auto name = name_part(token.text);
      if (name.size() < token.text.size()) {
        add_dotted(token, name, part(token, name.size() + 1));
      } else if (i + 1 < tokens_.size()) {
        add_dotted(token, name, tokens_[++i]);
      } else {
        const ParseFault fault{ParseFault::Kind::kMissingValue, token.place, token.text, {}};
        check_.check_fault(fault);
      }
    }
    tokens_ = std::move(rest);
  }

  void add_dotted(const Token& token, std::string_view name, const Token& value) {
    const bool appends = name.ends_with('+');
    if (appends) name.remove_suffix(1);
    const auto keys = facts::split(name, '.');
    Place place = token.place;
    place.end = place.begin + name.size();
    Json json = appends ? list_of(value) : dotted_value(value);
    for (std::size_t i = keys.size() - 1; i > 1; --i) {
      Json object;
      object.kind = Json::Kind::kObject;
      object.place = json.place;
      object.members.push_back(
          {std::string(keys[i]), key_place(place, name, keys[i]), std::move(json)});
      json = std::move(object);
    }
    Dotted& dotted = dotted_named(keys.front(), place);
    if (keys.size() < 2) return;
    merge(dotted.object, {std::string(keys[1]), key_place(place, name, keys[1]), std::move(json)});
  }

  static Place key_place(Place option, std::string_view name, std::string_view key) {
    const auto offset = static_cast<std::size_t>(key.data() - name.data());
    return {option.word, option.begin + offset, option.begin + offset + key.size()};
  }

  Dotted& dotted_named(std::string_view spelling, Place place) {
    for (Dotted& dotted : dotted_) {
      if (dotted.spelling == spelling) return dotted;
    }
    place.end = place.begin + spelling.size();
    Json object;
    object.kind = Json::Kind::kObject;
    object.place = place;
    dotted_.push_back({std::string(spelling), place, std::move(object)});
    return dotted_.back();
  }

  /// JSON if it is some, else a number with a suffix, else a string.
  Json dotted_value(const Token& value) const {
    auto json = parse_json(result_.words_, value.place, HumanNumbers::kRefused);
    if (json.value) return *std::move(json.value);
    if (has_hole(value.text)) return Json::unknown(value.place);
    const auto number = parse_human_int(value.text);
    if (!number || !has("human-numbers-in-json")) return Json::of_text(value.text, value.place);
    Json result;
    result.kind = Json::Kind::kInteger;
    result.integer = *number;
    result.number = static_cast<double>(*number);
    result.place = value.place;
    return result;
  }

  static Json list_of(const Token& value) {
    Json list;
    list.kind = Json::Kind::kArray;
    list.place = value.place;
    std::size_t begin = 0;
    for (const auto item : facts::split(value.text, ',')) {
      begin = static_cast<std::size_t>(item.data() - value.text.data());
      const Place place{value.place.word, value.place.begin + begin,
                        value.place.begin + begin + item.size()};
      list.items.push_back(has_hole(item) ? Json::unknown(place)
                                          : Json::of_text(std::string(item), place));
      list.open |= has_hole(item);
    }
    return list;
  }

  // --- What is left ---

  void parse() {
    const std::size_t positionals = frontend_ == Frontend::kServe && !result_.model_ ? 1 : 0;
    auto parsed = parse_arguments(tokens_, table_, positionals);
    if (!parsed.positionals.empty()) result_.model_ = parsed.positionals.front();
    for (const Place& place : parsed.unknown) open(result_.words_.cause(place));
    for (const ParseFault& fault : parsed.faults) {
      if (!is_foreign(fault)) check_.check_fault(fault);
    }
    for (Occurrence& occurrence : parsed.options) {
      check_.check_option(occurrence);
      add(std::move(occurrence));
    }
  }

  /// A program with options of its own knows words that vLLM does not.
  bool is_foreign(const ParseFault& fault) const {
    return frontend_ == Frontend::kForeign && (fault.kind == ParseFault::Kind::kUnknownOption ||
                                               fault.kind == ParseFault::Kind::kUnexpectedWord);
  }

  void add(Occurrence occurrence) {
    Argument argument;
    argument.flag = occurrence.option.flag;
    argument.negated = occurrence.option.negated;
    argument.name = occurrence.name;
    argument.values = std::move(occurrence.values);
    if (is_json(argument.flag->kind) && !argument.values.empty()) read_object(argument);
    const auto old = std::ranges::find(result_.arguments_, argument.flag, &Argument::flag);
    if (old == result_.arguments_.end()) {
      result_.arguments_.push_back(std::move(argument));
      return;
    }
    if (argument.flag->kind == facts::FlagKind::kAppend) {
      std::ranges::move(argument.values, std::back_inserter(old->values));
      return;
    }
    if (differ(*old, argument)) check_.report_repeated(*argument.flag, old->name, argument.name);
    argument.occurrences = old->occurrences + 1;
    *old = std::move(argument);
  }

  void read_object(Argument& argument) {
    const facts::Flag& flag = *argument.flag;
    const Token& value = argument.values.front();
    const bool may_be_text = flag.kind == FlagKind::kJsonOrString && value.json == nullptr;
    if (may_be_text && !looks_like_object(value.text)) return;
    auto result = read_json(result_.words_, value, human_numbers());
    if (!result.value) return check_.report_invalid_json(flag, value.place, result.error);
    argument.json = std::move(result.value);
    check_.check_object(flag.json_class, *argument.json);
  }

  /// Both are known, given on the command line, and different.
  bool differ(const Argument& a, const Argument& b) const {
    if (source_of(a.name) == From::kConfigFile || source_of(b.name) == From::kConfigFile) {
      return false;
    }
    if (a.negated != b.negated) return true;
    if (a.values.size() != b.values.size()) return true;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
      if (has_hole(a.values[i].text) || has_hole(b.values[i].text)) return false;
      if (a.values[i].text != b.values[i].text) return true;
    }
    return false;
  }

  /// Puts the objects that dotted keys made at the end of the command line, as vLLM does: they
  /// replace what was there.
  void add_dotted_objects() {
    for (Dotted& dotted : dotted_) {
      // Where -O is an optimization level, it has no keys.
      if (dotted.spelling == "-O") dotted.spelling = "--compilation-config";
      auto found = table_.find(dotted.spelling);
      if (found.outcome == OptionTable::Outcome::kNone) {
        found = table_.find_abbreviation(dotted.spelling);
      }
      if (found.outcome != OptionTable::Outcome::kOne) {
        const ParseFault fault{ParseFault::Kind::kUnknownOption, dotted.name, {}, {}};
        if (!is_foreign(fault)) check_.check_fault(fault);
        continue;
      }
      check_.check_option({found.match, dotted.name, {}});
      add_dotted_object(found.match, std::move(dotted));
    }
  }

  void add_dotted_object(const OptionTable::Match& option, Dotted dotted) {
    check_.check_object(option.flag->json_class, dotted.object);
    Argument argument;
    argument.flag = option.flag;
    argument.name = dotted.name;
    argument.json = std::move(dotted.object);
    const auto old = std::ranges::find(result_.arguments_, option.flag, &Argument::flag);
    if (old == result_.arguments_.end()) {
      result_.arguments_.push_back(std::move(argument));
      return;
    }
    if (source_of(old->name) == From::kCommandLine) report_replaced(*old, argument);
    argument.occurrences = old->occurrences + 1;
    *old = std::move(argument);
  }

  void report_replaced(const Argument& old, const Argument& dotted) {
    const std::string name(dotted.flag->name);
    check_.report_conflict(
        Severity::kWarning, name,
        fmt::format("The keys of '{}' that are given with dots replace the whole value that is "
                    "given without; vLLM does not merge the two.",
                    name),
        dotted.name, {{result_.words_.span(old.name), "this value has no effect"}});
  }

  void finish() {
    result_.problems_ = check_.take();
    std::ranges::stable_sort(result_.problems_, {}, &Problem::word);
  }

  const facts::EngineVersion& version_;
  const facts::VersionFacts& versions_;
  const facts::Vocabulary& vocabulary_;
  OptionTable table_;
  Frontend frontend_ = Frontend::kServe;
  Arguments result_;
  VocabularyCheck check_;
  std::vector<Token> tokens_;
  std::optional<std::size_t> config_word_;
  std::vector<Dotted> dotted_;
};

Arguments Arguments::parse(std::span<const shell::Value> argv, std::size_t first, Frontend frontend,
                           std::span<const launch::ConfigFile> config_files,
                           const facts::EngineVersion& version, const facts::Catalog& catalog) {
  return ArgumentReader(version, catalog).run(argv, first, frontend, config_files);
}

}  // namespace recipelint::serving::vllm
