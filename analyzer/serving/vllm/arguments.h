#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts/catalog.h"
#include "analyzer/launch/launch.h"
#include "analyzer/serving/argument_parser.h"
#include "analyzer/serving/json.h"
#include "analyzer/serving/problem.h"
#include "analyzer/serving/setting.h"
#include "analyzer/serving/words.h"

namespace recipelint::serving::vllm {

/// The programs that take vLLM's options.
enum class Frontend : std::uint8_t {
  kServe,      // vllm serve MODEL
  kApiServer,  // python3 -m vllm.entrypoints.openai.api_server --model MODEL
  kForeign,    // a program with options of its own beside vLLM's, such as dynamo.vllm
};
/// What the words of Launch::program say.
Frontend frontend_of(std::string_view program);

/// One option with the value that counts: the last one, and dotted keys over JSON.
struct Argument {
  const facts::Flag* flag = nullptr;
  bool negated = false;
  Place name;                 // the option as written
  std::vector<Token> values;  // empty for dotted keys
  std::optional<Json> json;   // of JSON options, if it could be read
  std::size_t occurrences = 1;
};

/// What vLLM's own parser makes of a command line.
class Arguments {
 public:
  /// `argv` is the whole command, `first` the index of the first argument of vLLM in it.
  static Arguments parse(std::span<const shell::Value> argv, std::size_t first, Frontend frontend,
                         std::span<const launch::ConfigFile> config_files,
                         const facts::EngineVersion& version, const facts::Catalog& catalog);

  const Words& words() const { return words_; }
  /// The model given by position; also one given by --model to "vllm serve".
  const std::optional<Token>& model() const { return model_; }
  /// The option with this full name ("--max-num-seqs"); null if it is not given.
  const Argument* find(std::string_view name) const;
  const std::vector<Argument>& all() const { return arguments_; }
  /// Why there may be further options: the cause of a word that could hold any; empty if there is
  /// none.
  const std::string& open() const { return open_; }
  /// In the order of the command line.
  const std::vector<Problem>& problems() const { return problems_; }

  // The value of an option. Without the option: a setting without value, by default or, if there
  // may be further options, unknown. A value that vLLM refuses is unknown, too.
  Setting<std::int64_t> integer(std::string_view name) const;
  Setting<double> number(std::string_view name) const;
  Setting<std::string> string(std::string_view name) const;
  Setting<bool> boolean(std::string_view name) const;
  Setting<std::vector<std::int64_t>> integers(std::string_view name) const;

  /// A value inside a JSON option, by its keys; the option itself without keys. Null if it is not
  /// there, or not readable.
  const Json* json(std::string_view name, std::initializer_list<std::string_view> keys = {}) const;
  /// The same as settings.
  Setting<std::int64_t> json_integer(std::string_view name, std::string_view key) const;
  Setting<double> json_number(std::string_view name, std::string_view key) const;
  Setting<std::string> json_string(std::string_view name, std::string_view key) const;

 private:
  friend class ArgumentReader;
  template <typename T>
  Setting<T> setting_of(const Argument* argument) const;
  template <typename T, typename Convert>
  Setting<T> convert(std::string_view name, Convert convert_text) const;
  template <typename T>
  Setting<T> json_setting(std::string_view name, std::string_view key,
                          std::optional<T> (*read)(const Json&)) const;

  Words words_;
  std::optional<Token> model_;
  std::vector<Argument> arguments_;  // in the order of their first occurrence
  std::string open_;
  std::vector<Problem> problems_;
};

}  // namespace recipelint::serving::vllm
