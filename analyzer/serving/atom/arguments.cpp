#include "analyzer/serving/atom/arguments.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "analyzer/serving/vocabulary_check.h"

namespace recipelint::serving::atom {
namespace {

using facts::FlagKind;

/// Options of a group keep the one spelling that they have.
constexpr std::array<std::string_view, 3> kOneSpelling = {"--enable-eplb", "--eplb-config",
                                                          "--eplb-enable"};

/// "--a-b=c_d" with '_' in place of '-', or the reverse, in the name. "--no-" of a negation stays.
std::string with_separator(std::string_view text, char from, char to) {
  constexpr std::string_view kNegation = "--no-";
  std::string result(text);
  const std::size_t begin = text.starts_with(kNegation) ? kNegation.size() : 2;
  const std::size_t end = std::min(text.find('='), text.size());
  for (std::size_t i = begin; i < end; ++i) {
    if (result[i] == from) result[i] = to;
  }
  return result;
}

std::string_view name_part(std::string_view text) {
  return text.substr(0, text.find('='));
}

}  // namespace

/// Takes a command line apart as ATOM does.
class ArgumentReader {
 public:
  ArgumentReader(const facts::EngineVersion& version, const facts::Catalog& catalog)
      : version_(version),
        versions_(catalog.versions()),
        table_(*catalog.vocabulary("atom"), version, versions_),
        check_(*catalog.vocabulary("atom"), version, versions_, result_.words_) {}

  Arguments run(std::span<const shell::Value> argv, std::size_t first, Frontend frontend) {
    frontend_ = frontend;
    std::vector<Token> tokens;
    for (std::size_t i = 0; i < argv.size(); ++i) {
      const std::size_t word = result_.words_.add(argv[i], i);
      if (i < first) continue;
      tokens.push_back(
          {registered(result_.words_.text(word)), result_.words_.whole(word), nullptr});
    }
    auto parsed = parse_arguments(tokens, table_, 0);
    for (const Place& place : parsed.unknown) open(result_.words_.cause(place));
    for (const ParseFault& fault : parsed.faults) {
      if (!is_foreign(fault)) check_.check_fault(fault);
    }
    for (Occurrence& occurrence : parsed.options) add(std::move(occurrence));
    result_.problems_ = check_.take();
    std::ranges::stable_sort(result_.problems_, {}, &Problem::word);
    return std::move(result_);
  }

 private:
  /// Nothing that the version leaves open is refused.
  bool may_have(std::string_view change) const {
    const auto* found = versions_.find_change("atom", change);
    return found != nullptr && !version_.certainly_lacks(*found);
  }

  void open(std::string_view cause) {
    if (result_.open_.empty()) result_.open_ = cause;
  }

  bool knows(std::string_view text) const {
    const auto name = name_part(text);
    return table_.find(name).outcome != OptionTable::Outcome::kNone ||
           table_.find_abbreviation(name).outcome == OptionTable::Outcome::kOne;
  }

  /// A spelling with the other of '-' and '_', as it is registered, where the version takes both.
  std::string registered(std::string_view text) const {
    if (!text.starts_with("--") || knows(text)) return std::string(text);
    for (const auto& other : {with_separator(text, '-', '_'), with_separator(text, '_', '-')}) {
      if (!knows(other)) continue;
      const auto* flag = table_.find(name_part(other)).match.flag;
      if (takes_both(flag)) return other;
    }
    return std::string(text);
  }

  bool takes_both(const facts::Flag* flag) const {
    const bool one =
        flag != nullptr && std::ranges::find(kOneSpelling, flag->name) != kOneSpelling.end();
    if (one) return false;
    if (may_have("both-spellings")) return true;
    if (flag == nullptr) return false;
    if (flag->name == "--index-cache-dtype") return true;  // always had both
    return flag->name == "--kv_cache_dtype" && may_have("both-spellings-of-kv-cache-dtype");
  }

  bool is_foreign(const ParseFault& fault) const {
    return frontend_ == Frontend::kForeign && (fault.kind == ParseFault::Kind::kUnknownOption ||
                                               fault.kind == ParseFault::Kind::kUnexpectedWord);
  }

  void add(Occurrence occurrence) {
    check_option(occurrence);
    Argument argument;
    argument.flag = occurrence.option.flag;
    argument.negated = occurrence.option.negated;
    argument.name = occurrence.name;
    argument.values = std::move(occurrence.values);
    if (argument.flag->kind == FlagKind::kJson && !argument.values.empty()) read_object(argument);
    const auto old = std::ranges::find(result_.arguments_, argument.flag, &Argument::flag);
    if (old == result_.arguments_.end()) {
      result_.arguments_.push_back(std::move(argument));
      return;
    }
    if (differ(*old, argument)) check_.report_repeated(*argument.flag, old->name, argument.name);
    argument.occurrences = old->occurrences + 1;
    *old = std::move(argument);
  }

  void check_option(const Occurrence& occurrence) {
    const auto* change = versions_.find_change("atom", "prefix-caching-default");
    const bool negatable = change == nullptr || !version_.certainly_lacks(*change);
    if (occurrence.option.negated && occurrence.option.flag->name == "--enable_prefix_caching" &&
        !negatable) {
      // It was a switch that was off.
      return check_.check_fault({ParseFault::Kind::kUnknownOption, occurrence.name, {}, {}});
    }
    check_.check_option(occurrence);
  }

  void read_object(Argument& argument) {
    const Token& value = argument.values.front();
    auto result = parse_json(result_.words_, value.place, HumanNumbers::kRefused);
    if (!result.value && !has_hole(value.text)) {
      return check_.report_invalid_json(*argument.flag, value.place, result.error);
    }
    argument.json = result.value ? std::move(*result.value) : Json::unknown(value.place);
    check_.check_object(argument.flag->json_class, *argument.json);
  }

  static bool differ(const Argument& a, const Argument& b) {
    if (a.negated != b.negated) return true;
    if (a.values.size() != b.values.size()) return true;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
      if (has_hole(a.values[i].text) || has_hole(b.values[i].text)) return false;
      if (a.values[i].text != b.values[i].text) return true;
    }
    return false;
  }

  const facts::EngineVersion& version_;
  const facts::VersionFacts& versions_;
  OptionTable table_;
  Frontend frontend_ = Frontend::kServer;
  Arguments result_;
  VocabularyCheck check_;
};

Arguments Arguments::parse(std::span<const shell::Value> argv, std::size_t first, Frontend frontend,
                           const facts::EngineVersion& version, const facts::Catalog& catalog) {
  return ArgumentReader(version, catalog).run(argv, first, frontend);
}

Setting<std::string> Arguments::optional_string(std::string_view name,
                                                std::string_view without_value) const {
  auto setting = string(name);
  const Argument* argument = find(name);
  if (argument == nullptr || !argument->values.empty()) return setting;
  setting.source = Source::kExplicit;
  setting.value = without_value;
  setting.reason.clear();
  return setting;
}

Setting<std::vector<std::int64_t>> Arguments::list_of_integers(std::string_view name) const {
  const auto text = string(name);
  Setting<std::vector<std::int64_t>> setting;
  setting.source = text.source;
  setting.span = text.span;
  setting.origin = text.origin;
  setting.word = text.word;
  setting.reason = text.reason;
  if (!text.value) return setting;
  // Python lists of plain numbers are JSON, but for a comma at the end and for round brackets.
  const Token& token = find(name)->values.back();
  const auto json = parse_json(words(), token.place, HumanNumbers::kRefused);
  std::vector<std::int64_t> numbers;
  const bool is_list = json.value && json.value->is(Json::Kind::kArray);
  if (is_list) {
    for (const Json& item : json.value->items) {
      if (item.is(Json::Kind::kInteger)) numbers.push_back(item.integer);
    }
  }
  if (is_list && numbers.size() == json.value->items.size()) {
    setting.value = std::move(numbers);
  } else {
    setting.source = Source::kUnknown;
    setting.reason = "it is no plain list of numbers";
  }
  return setting;
}

}  // namespace recipelint::serving::atom
