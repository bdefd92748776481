#include "analyzer/launch/documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>

#include "analyzer/text/source_file.h"
#include "analyzer/yaml/document.h"

namespace recipelint::launch {
namespace {

using nlohmann::json;
using shell::Piece;
using shell::Value;

// Options whose value goes to json.loads() or to a JSON validator (spec of vLLM's EngineArgs and of
// SGLang's ServerArgs). Dotted forms ("--speculative-config.method") are other options.
constexpr std::array<std::string_view, 20> kVllmOptions = {
    "--additional-config",
    "--attention-config",
    "--compilation-config",
    "--default-chat-template-kwargs",
    "--ec-transfer-config",
    "--eplb-config",
    "--hf-overrides",
    "--kernel-config",
    "--kv-events-config",
    "--kv-transfer-config",
    "--limit-mm-per-prompt",
    "--media-io-kwargs",
    "--mm-processor-kwargs",
    "--model-loader-extra-config",
    "--override-generation-config",
    "--pooler-config",
    "--profiler-config",
    "--reasoning-config",
    "--speculative-config",
    "--structured-outputs-config",
};
constexpr std::array<std::string_view, 5> kSglangOptions = {
    "--hicache-storage-backend-extra-config",
    "--json-model-override-args",
    "--mm-process-config",
    "--model-loader-extra-config",
    "--preferred-sampling-params",
};

std::span<const std::string_view> json_options(Engine engine) {
  if (engine == Engine::kVllm) return kVllmOptions;
  if (engine == Engine::kSglang) return kSglangOptions;
  return {};
}

struct Problem {
  std::size_t offset = 0;
  std::string text;
};

/// Reads without building anything, and keeps the first error.
class JsonReader final : public nlohmann::json_sax<json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string& last_token,
                   const json::exception& error) override {
    problem = Problem{position > 0 ? position - 1 : 0, {}};
    const std::string_view what = error.what();
    // "... while parsing object key - invalid literal; last read: ...": the kind of thing that was
    // expected is all that is of use.
    const auto begin = what.find("syntax error");
    const auto end = what.find("; last read");
    const auto length = end == std::string_view::npos ? end : end - begin;
    problem->text =
        begin == std::string_view::npos ? "invalid text" : std::string(what.substr(begin, length));
    problem->text += fmt::format(", at '{}'", last_token);
    return false;
  }

  std::optional<Problem> problem;
};

// Python's json.loads also takes these.
bool has_python_number(std::string_view text) {
  return text.find("NaN") != std::string_view::npos ||
         text.find("Infinity") != std::string_view::npos;
}

std::optional<Problem> json_problem(const std::string& text) {
  if (has_python_number(text)) return std::nullopt;
  JsonReader reader;
  json::sax_parse(text, &reader);
  return reader.problem;
}

// '{...}' as a program gets it when the quotes are part of an expanded value: bash does not remove
// those.
bool keeps_quotes(std::string_view text) {
  return text.size() > 1 && (text[0] == '\'' || text[0] == '"') &&
         (text[1] == '{' || text[1] == '[');
}

// Other values than objects and lists ("auto", "@file", "image=4") are not for this check.
bool is_meant_as_json(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return false;
  if (keeps_quotes(text)) return true;
  const char last = text[text.find_last_not_of(kBlanks)];
  return text[first] == '{' || text[first] == '[' || last == '}' || last == ']';
}

/// Where the byte at `offset` comes from, or the nearest piece before it that has a place.
text::Span span_at(const Value& value, std::size_t offset) {
  text::Span span = value.origin().span();
  std::size_t begin = 0;
  for (const Piece& piece : value.pieces()) {
    if (begin > offset) break;
    if (piece.origin.known()) span = piece.origin.span();
    begin += piece.text.get().size();
  }
  return span;
}

/// An option with its value, in one word or two.
struct Option {
  std::string name;
  std::string value;
  const Value* word = nullptr;
  std::size_t value_begin = 0;  // in the word
};

std::optional<Option> option_at(const Launch& launch, std::size_t index) {
  const Value& word = launch.argv[index];
  const std::string text = word.text();
  if (!text.starts_with("--")) return std::nullopt;
  const auto equals = text.find('=');
  if (equals != std::string::npos) {
    if (!word.is_known()) return std::nullopt;
    return Option{text.substr(0, equals), text.substr(equals + 1), &word, equals + 1};
  }
  if (!word.is_known() || index + 1 >= launch.argv.size()) return std::nullopt;
  const Value& next = launch.argv[index + 1];
  if (!next.is_known()) return std::nullopt;
  return Option{text, next.text(), &next, 0};
}

bool takes_json(Engine engine, std::string name) {
  std::replace(name.begin() + 2, name.end(), '_', '-');
  const auto options = json_options(engine);
  return std::find(options.begin(), options.end(), name) != options.end();
}

void check_arguments(const Launch& launch, std::vector<InvalidDocument>& found) {
  for (std::size_t i = launch.arguments_index; i < launch.argv.size(); ++i) {
    const auto option = option_at(launch, i);
    if (!option || !takes_json(launch.engine, option->name)) continue;
    if (!is_meant_as_json(option->value)) continue;
    if (const auto problem = json_problem(option->value)) {
      found.push_back({InvalidDocument::Kind::kArgument, option->name, "JSON", problem->text,
                       span_at(*option->word, option->value_begin + problem->offset),
                       keeps_quotes(option->value)});
    }
  }
}

std::optional<Problem> yaml_problem(const ConfigFile& file, const std::string& text) {
  const text::SourceFile source(file.path, text);
  const auto document = yaml::Document::parse(source);
  if (document) return std::nullopt;
  const text::Span where = document.error().where;
  std::string message = document.error().message;
  if (where.valid())
    message = fmt::format("line {}: {}", source.position(where.begin).line, message);
  if (message.ends_with('.')) message.pop_back();
  return Problem{where.valid() ? where.begin : 0, std::move(message)};
}

void check_file(const ConfigFile& file, std::vector<InvalidDocument>& found) {
  const bool is_json = file.path.ends_with(".json");
  const bool is_yaml = file.path.ends_with(".yaml") || file.path.ends_with(".yml");
  if ((!is_json && !is_yaml) || !file.content.is_known()) return;
  const std::string text = file.content.text();
  const auto problem = is_json ? json_problem(text) : yaml_problem(file, text);
  if (!problem) return;
  found.push_back({InvalidDocument::Kind::kFile, file.path, is_json ? "JSON" : "YAML",
                   problem->text, span_at(file.content, problem->offset), false});
}

}  // namespace

std::vector<InvalidDocument> invalid_documents(const Launch& launch) {
  std::vector<InvalidDocument> found;
  check_arguments(launch, found);
  for (const ConfigFile& file : launch.config_files) check_file(file, found);
  return found;
}

}  // namespace recipelint::launch
