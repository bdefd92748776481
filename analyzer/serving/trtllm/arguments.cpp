#include "analyzer/serving/trtllm/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "analyzer/serving/vocabulary_check.h"
#include "analyzer/serving/yaml_json.h"

namespace recipelint::serving::trtllm {
namespace {

/// The class of the YAML file in data/trtllm_keys.tsv.
constexpr std::string_view kFileClass = "LlmArgs";

/// Subcommands of trtllm-serve that take other options.
constexpr std::array<std::string_view, 3> kOtherCommands = {
    "disaggregated", "disaggregated_mpi_worker", "mm_embedding_serve"};

/// Options of dynamo.trtllm under the names of trtllm-serve, beside those that only have '-' for
/// '_'.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kForeignNames = {{
    {"--expert-parallel-size", "--moe_expert_parallel_size"},
    {"--extra-engine-args", "--config"},
}};

/// Options of dynamo.trtllm that set what the YAML file would set.
constexpr std::array<std::string_view, 4> kForeignSettings = {
    "--enable-attention-dp", "--kv-block-size", "--no-enable-attention-dp",
    "--override-engine-args"};

std::string_view name_part(std::string_view text) {
  return text.substr(0, text.find('='));
}

template <typename List>
bool contains(const List& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

std::optional<std::int64_t> read_integer(const Json& value) {
  if (value.is(Json::Kind::kString)) return parse_python_int(value.text);
  return value.is(Json::Kind::kInteger) ? std::optional(value.integer) : std::nullopt;
}

std::optional<double> read_number(const Json& value) {
  if (value.is(Json::Kind::kString)) return parse_python_float(value.text);
  const bool is_number = value.is(Json::Kind::kInteger) || value.is(Json::Kind::kFloat);
  return is_number ? std::optional(value.number) : std::nullopt;
}

std::optional<std::string> read_string(const Json& value) {
  return value.is(Json::Kind::kString) ? std::optional(value.text) : std::nullopt;
}

std::optional<bool> read_boolean(const Json& value) {
  if (value.is(Json::Kind::kBool)) return value.boolean;
  // What pydantic makes of words.
  if (!value.is(Json::Kind::kString)) return std::nullopt;
  std::string text = value.text;
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (text == "true") return true;
  return text == "false" ? std::optional(false) : std::nullopt;
}

std::optional<std::vector<std::int64_t>> read_integers(const Json& value) {
  if (!value.is(Json::Kind::kArray) || value.open) return std::nullopt;
  std::vector<std::int64_t> numbers;
  for (const Json& item : value.items) {
    const auto number = read_integer(item);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

Frontend frontend_of(std::string_view program) {
  const bool serves = program.find("trtllm-serve") != std::string_view::npos ||
                      program.find("tensorrt_llm.commands.serve") != std::string_view::npos;
  return serves ? Frontend::kServe : Frontend::kForeign;
}

class ArgumentReader {
 public:
  ArgumentReader(const facts::EngineVersion& version, const facts::Catalog& catalog)
      : versions_(catalog.versions()),
        vocabulary_(*catalog.vocabulary("trtllm")),
        table_(vocabulary_, version, versions_, OptionTable::Abbreviations::kRefused),
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
    if (!takes_other_options()) {
      if (frontend_ == Frontend::kForeign) translate_foreign_options();
      parse();
      read_file(config_files);
    }
    result_.problems_ = check_.take();
    std::ranges::stable_sort(result_.problems_, {}, &Problem::word);
    return std::move(result_);
  }

 private:
  void open(std::string_view cause) {
    if (result_.open_.empty()) result_.open_ = cause;
    if (result_.file_open_.empty()) result_.file_open_ = cause;
  }

  bool takes_other_options() {
    if (frontend_ != Frontend::kServe || tokens_.empty()) return false;
    const std::string& command = tokens_.front().text;
    if (contains(kOtherCommands, command)) {
      open(fmt::format("trtllm-serve {} has a configuration of its own", command));
      return true;
    }
    if (command == "serve") tokens_.erase(tokens_.begin());
    return false;
  }

  // --- The command line ---

  void translate_foreign_options() {
    std::vector<Token> translated;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      Token token = tokens_[i];
      if (!token.text.starts_with("--")) {
        translated.push_back(std::move(token));
        continue;
      }
      const std::string name(name_part(token.text));
      if (name == "--model" || name == "--model-path") {
        if (name.size() < token.text.size()) {
          result_.model_ = part(token, name.size() + 1);
        } else if (i + 1 < tokens_.size()) {
          result_.model_ = tokens_[++i];
        }
        continue;
      }
      if (contains(kForeignSettings, name)) open(fmt::format("the option {}", name));
      if (name.size() < token.text.size()) {
        Token value = part(token, name.size() + 1);
        token.place.end = token.place.begin + name.size();
        translated.push_back({translated_name(name), token.place, nullptr});
        translated.push_back(std::move(value));
        continue;
      }
      translated.push_back({translated_name(name), token.place, nullptr});
      // An unknown word behind an option of the program itself is its value.
      const bool own = table_.find(translated.back().text).outcome == OptionTable::Outcome::kNone;
      if (own && i + 1 < tokens_.size() && tokens_[i + 1].text.starts_with(kHole)) ++i;
    }
    tokens_ = std::move(translated);
  }

  static Token part(const Token& token, std::size_t begin) {
    Place place = token.place;
    place.begin += begin;
    return {token.text.substr(begin), place, nullptr};
  }

  static std::string translated_name(std::string_view name) {
    const auto found = std::ranges::find(kForeignNames, name,
                                         &std::pair<std::string_view, std::string_view>::first);
    std::string result(found == kForeignNames.end() ? name : found->second);
    if (result.starts_with("--")) std::replace(result.begin() + 2, result.end(), '-', '_');
    return result;
  }

  void parse() {
    const std::size_t positionals = frontend_ == Frontend::kServe ? 1 : 0;
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

  bool is_foreign(const ParseFault& fault) const {
    return frontend_ == Frontend::kForeign && (fault.kind == ParseFault::Kind::kUnknownOption ||
                                               fault.kind == ParseFault::Kind::kUnexpectedWord);
  }

  void add(Occurrence occurrence) {
    Argument argument;
    argument.flag = occurrence.option.flag;
    argument.name = occurrence.name;
    argument.values = std::move(occurrence.values);
    const auto old = std::ranges::find(result_.arguments_, argument.flag, &Argument::flag);
    if (old == result_.arguments_.end()) {
      result_.arguments_.push_back(std::move(argument));
      return;
    }
    const bool collects = argument.flag->kind == facts::FlagKind::kAppend;
    if (!collects && differ(*old, argument)) {
      check_.report_repeated(*argument.flag, old->name, argument.name);
    }
    argument.occurrences = old->occurrences + 1;
    *old = std::move(argument);
  }

  static bool differ(const Argument& a, const Argument& b) {
    if (a.values.empty() || b.values.empty()) return false;
    const std::string& first = a.values.back().text;
    const std::string& second = b.values.back().text;
    return !has_hole(first) && !has_hole(second) && first != second;
  }

  // --- The file ---

  void read_file(std::span<const launch::ConfigFile> config_files) {
    const Argument* argument = result_.find("--config");
    if (argument == nullptr || argument->values.empty()) return;
    const Token& path = argument->values.back();
    const auto found = std::ranges::find(config_files, path.text, &launch::ConfigFile::path);
    if (found == config_files.end()) {
      return open(fmt::format("the configuration file {}", result_.words_.text(path.place)));
    }
    const std::size_t word =
        result_.words_.add(found->content, result_.words_.argument(path.place));
    auto yaml = read_yaml(result_.words_, word);
    if (!yaml.root) {
      if (yaml.error.empty()) return open(result_.words_.cause(result_.words_.whole(word)));
      check_.report_invalid_file(found->path, yaml.error_place, yaml.error);
      return open("a configuration file that cannot be read");
    }
    if (yaml.root->is(Json::Kind::kObject)) {
      check_.check_object(kFileClass, *yaml.root);
      result_.root_ = std::move(yaml.root);
    } else if (!yaml.root->known()) {
      open(result_.words_.cause(result_.words_.whole(word)));
    } else if (!yaml.root->is(Json::Kind::kNull)) {
      check_.report_invalid_file(found->path, result_.words_.whole(word),
                                 "it is no mapping from keys to values");
      open("a configuration file that cannot be read");
    }
  }

  const facts::VersionFacts& versions_;
  const facts::Vocabulary& vocabulary_;
  OptionTable table_;
  Frontend frontend_ = Frontend::kServe;
  Arguments result_;
  VocabularyCheck check_;
  std::vector<Token> tokens_;
};

Arguments Arguments::parse(std::span<const shell::Value> argv, std::size_t first, Frontend frontend,
                           std::span<const launch::ConfigFile> config_files,
                           const facts::EngineVersion& version, const facts::Catalog& catalog) {
  return ArgumentReader(version, catalog).run(argv, first, frontend, config_files);
}

const Json* Arguments::yaml(Path path) const {
  if (!root_) return nullptr;
  const Json* value = &*root_;
  for (const auto key : path) {
    value = value->find(key);
    if (value == nullptr) return nullptr;
  }
  return value;
}

template <typename T>
Setting<T> Arguments::setting_of_key(const Json& value,
                                     std::optional<T> (*read)(const Json&)) const {
  Setting<T> setting;
  setting.source = Source::kExplicit;
  setting.word = words().argument(value.place);
  setting.span = words().span(value.place);
  setting.origin = words().origin(value.place);
  setting.value = read(value);
  if (setting.value) return setting;
  setting.source = Source::kUnknown;
  setting.reason = words().cause(value.place);
  if (setting.reason.empty()) setting.reason = "TensorRT-LLM refuses the value";
  return setting;
}

template <typename T>
Setting<T> Arguments::key_setting(Path path, std::optional<T> (*read)(const Json&)) const {
  if (!file_open_.empty()) return Setting<T>::unknown(file_open_);
  if (!root_) return Setting<T>::none();
  const Json* value = &*root_;
  for (const auto key : path) {
    const Json* inner = value->find(key);
    if (inner == nullptr) {
      const bool hidden = value->open || !value->known();
      return hidden ? Setting<T>::unknown(std::string(words().cause(value->place)))
                    : Setting<T>::none();
    }
    value = inner;
  }
  if (value->is(Json::Kind::kNull)) return Setting<T>::none();
  return setting_of_key(*value, read);
}

Setting<std::int64_t> Arguments::integer_of(Path path, std::string_view option) const {
  auto setting = key_setting<std::int64_t>(path, read_integer);
  return option.empty() ? setting : either(std::move(setting), integer(option));
}

Setting<double> Arguments::number_of(Path path, std::string_view option) const {
  auto setting = key_setting<double>(path, read_number);
  return option.empty() ? setting : either(std::move(setting), number(option));
}

Setting<std::string> Arguments::string_of(Path path, std::string_view option) const {
  auto setting = key_setting<std::string>(path, read_string);
  return option.empty() ? setting : either(std::move(setting), string(option));
}

Setting<bool> Arguments::boolean_of(Path path, std::string_view option) const {
  auto setting = key_setting<bool>(path, read_boolean);
  return option.empty() ? setting : either(std::move(setting), boolean(option));
}

Setting<std::vector<std::int64_t>> Arguments::integers_of(Path path) const {
  return key_setting<std::vector<std::int64_t>>(path, read_integers);
}

Setting<bool> Arguments::switched_off(Path path) const {
  const auto nullness = [](const Json& value) -> std::optional<bool> {
    return value.known() ? std::optional(value.is(Json::Kind::kNull)) : std::nullopt;
  };
  const Json* value = yaml(path);
  if (value != nullptr && value->is(Json::Kind::kNull)) {
    return setting_of_key<bool>(*value, nullness);
  }
  const auto setting = key_setting<bool>(path, nullness);
  return setting.known() ? Setting<bool>::by_default(false) : setting;
}

}  // namespace recipelint::serving::trtllm
