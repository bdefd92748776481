#include "analyzer/serving/sglang/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/serving/dynamo_options.h"
#include "analyzer/serving/vocabulary_check.h"

namespace recipelint::serving::sglang {
namespace {

using facts::Flag;
using facts::FlagKind;

/// The option that a spelling sets: itself, or the one that a deprecated spelling stands for.
const Flag& destination_of(const Flag& flag, const facts::Vocabulary& vocabulary) {
  if (!flag.lifetime.deprecated) return flag;
  const Flag* other = vocabulary.find_flag(flag.lifetime.instead);
  return other != nullptr && other->takes_value() == flag.takes_value() ? *other : flag;
}

/// Is the value an object? A text in its place can be the name of a file.
bool is_object(FlagKind kind, std::string_view text) {
  if (kind == FlagKind::kJsonOrString) return text.starts_with('{');
  return kind == FlagKind::kJson;
}

struct Suffix {
  std::string_view text;
  std::int64_t factor;
};
constexpr std::array<Suffix, 9> kSuffixes = {{
    {"Ki", std::int64_t{1} << 10},
    {"Mi", std::int64_t{1} << 20},
    {"Gi", std::int64_t{1} << 30},
    {"Ti", std::int64_t{1} << 40},
    {"k", 1000},
    {"K", 1000},
    {"M", 1000 * 1000},
    {"G", 1000 * 1000 * 1000},
    {"T", std::int64_t{1000} * 1000 * 1000 * 1000},
}};

}  // namespace

Frontend frontend_of(std::string_view program) {
  if (program.find("sglang serve") != std::string_view::npos) return Frontend::kServe;
  const bool launches = program.find("sglang.launch_server") != std::string_view::npos ||
                        program.find("sglang.srt.") != std::string_view::npos;
  return launches ? Frontend::kLaunchServer : Frontend::kForeign;
}

std::optional<std::int64_t> parse_suffixed_int(std::string_view text) {
  for (const auto& [suffix, factor] : kSuffixes) {
    if (!text.ends_with(suffix)) continue;
    const auto number = parse_python_float(text.substr(0, text.size() - suffix.size()));
    if (!number) return std::nullopt;
    const double product = *number * static_cast<double>(factor);
    constexpr double kMost = 9e18;
    if (!(product > -kMost && product < kMost)) return std::nullopt;
    return static_cast<std::int64_t>(product);
  }
  return parse_python_int(text);
}

/// Takes a command line apart.
class ArgumentReader {
 public:
  ArgumentReader(const facts::EngineVersion& version, const facts::Catalog& catalog)
      : vocabulary_(*catalog.vocabulary("sglang")),
        table_(vocabulary_, version, catalog.versions()),
        check_(vocabulary_, version, catalog.versions(), result_.words_) {}

  Arguments run(std::span<const shell::Value> argv, std::size_t first, Frontend frontend) {
    std::vector<Token> tokens;
    for (std::size_t i = 0; i < argv.size(); ++i) {
      const std::size_t word = result_.words_.add(argv[i], i);
      if (i < first) continue;
      tokens.push_back(
          {std::string(result_.words_.text(word)), result_.words_.whole(word), nullptr});
    }
    if (frontend == Frontend::kForeign) tokens = without_dynamo_options(tokens);
    parse(tokens, frontend);
    result_.problems_ = check_.take();
    std::ranges::stable_sort(result_.problems_, {}, &Problem::word);
    return std::move(result_);
  }

 private:
  void parse(const std::vector<Token>& tokens, Frontend frontend) {
    // Whether "sglang serve" takes a model by its place was not seen: it is no error.
    auto parsed = parse_arguments(tokens, table_, frontend == Frontend::kServe ? 1 : 0);
    for (const Place& place : parsed.unknown) open(result_.words_.cause(place));
    for (const ParseFault& fault : parsed.faults) {
      if (!is_foreign(fault, frontend)) check_.check_fault(fault);
    }
    for (Occurrence& occurrence : parsed.options) {
      check_.check_option(occurrence);
      add(std::move(occurrence));
    }
    // The options of a file come before those of the command line.
    if (const Argument* file = result_.find("--config")) {
      open(fmt::format("the configuration file {}", result_.words_.text(file->values[0].place)));
    }
  }

  void open(std::string_view cause) {
    if (result_.open_.empty()) result_.open_ = cause;
  }

  /// A program with options of its own knows words that SGLang does not.
  static bool is_foreign(const ParseFault& fault, Frontend frontend) {
    return frontend == Frontend::kForeign && (fault.kind == ParseFault::Kind::kUnknownOption ||
                                              fault.kind == ParseFault::Kind::kUnexpectedWord);
  }

  void add(Occurrence occurrence) {
    Argument argument;
    argument.flag = &destination_of(*occurrence.option.flag, vocabulary_);
    argument.negated = occurrence.option.negated;
    argument.name = occurrence.name;
    argument.values = std::move(occurrence.values);
    const auto kind = argument.flag->kind;
    const bool given = !argument.values.empty();
    if (given && is_object(kind, argument.values.front().text)) read_object(argument);
    const auto old = std::ranges::find(result_.arguments_, argument.flag, &Argument::flag);
    if (old == result_.arguments_.end()) {
      result_.arguments_.push_back(std::move(argument));
      return;
    }
    if (differ(*old, argument)) check_.report_repeated(*argument.flag, old->name, argument.name);
    argument.occurrences = old->occurrences + 1;
    *old = std::move(argument);
  }

  void read_object(Argument& argument) {
    const Token& value = argument.values.front();
    auto result = parse_json(result_.words_, value.place, HumanNumbers::kRefused);
    if (!result.value) {
      // What an unknown piece holds can make it right.
      if (has_hole(value.text)) {
        argument.json = Json::unknown(value.place);
        return;
      }
      return check_.report_invalid_json(*argument.flag, value.place, result.error);
    }
    argument.json = std::move(result.value);
    check_.check_object(argument.flag->json_class, *argument.json);
  }

  /// Both are known, and different.
  static bool differ(const Argument& a, const Argument& b) {
    if (a.negated != b.negated || a.values.size() != b.values.size()) return true;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
      if (has_hole(a.values[i].text) || has_hole(b.values[i].text)) return false;
      if (a.values[i].text != b.values[i].text) return true;
    }
    return false;
  }

  const facts::Vocabulary& vocabulary_;
  OptionTable table_;
  Arguments result_;
  VocabularyCheck check_;
};

Arguments Arguments::parse(std::span<const shell::Value> argv, std::size_t first, Frontend frontend,
                           const facts::EngineVersion& version, const facts::Catalog& catalog) {
  return ArgumentReader(version, catalog).run(argv, first, frontend);
}

Setting<std::int64_t> Arguments::suffixed_integer(std::string_view name) const {
  const auto text = string(name);
  Setting<std::int64_t> setting;
  setting.source = text.source;
  setting.origin = text.origin;
  setting.span = text.span;
  setting.word = text.word;
  setting.reason = text.reason;
  if (!text.value) return setting;
  setting.value = parse_suffixed_int(*text.value);
  if (setting.value) return setting;
  setting.source = Source::kUnknown;
  setting.reason = "SGLang refuses the value";
  return setting;
}

}  // namespace recipelint::serving::sglang
