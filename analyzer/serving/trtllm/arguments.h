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
#include "analyzer/serving/given_options.h"

namespace recipelint::serving::trtllm {

/// The programs that take TensorRT-LLM's settings.
enum class Frontend : std::uint8_t {
  kServe,    // trtllm-serve MODEL, trtllm-serve serve MODEL
  kForeign,  // a program with options of its own, such as dynamo.trtllm
};
/// What the words of Launch::program say.
Frontend frontend_of(std::string_view program);

/// A setting of the YAML file, by its keys: {"kv_cache_config", "dtype"}.
using Path = std::initializer_list<std::string_view>;

/// What TensorRT-LLM makes of a command line and of the YAML file that it names. The file wins.
class Arguments : public GivenOptions {
 public:
  Arguments() : GivenOptions("TensorRT-LLM") {}

  /// `argv` is the whole command, `first` the index of the first argument of the program in it.
  static Arguments parse(std::span<const shell::Value> argv, std::size_t first, Frontend frontend,
                         std::span<const launch::ConfigFile> config_files,
                         const facts::EngineVersion& version, const facts::Catalog& catalog);

  const std::optional<Token>& model() const { return model_; }

  /// A value of the YAML file; null if it is not there, or not readable.
  const Json* yaml(Path path) const;

  // The setting of a key, else of an option ("" if there is none). Without both: a setting without
  // value, by default or, if there may be more than is known, unknown. null counts as no value.
  Setting<std::int64_t> integer_of(Path path, std::string_view option = {}) const;
  Setting<double> number_of(Path path, std::string_view option = {}) const;
  Setting<std::string> string_of(Path path, std::string_view option = {}) const;
  Setting<bool> boolean_of(Path path, std::string_view option = {}) const;
  Setting<std::vector<std::int64_t>> integers_of(Path path) const;
  /// Whether a key is null: what it stands for is switched off.
  Setting<bool> switched_off(Path path) const;

 private:
  friend class ArgumentReader;
  template <typename T>
  Setting<T> key_setting(Path path, std::optional<T> (*read)(const Json&)) const;
  template <typename T>
  Setting<T> setting_of_key(const Json& value, std::optional<T> (*read)(const Json&)) const;

  std::optional<Token> model_;
  std::optional<Json> root_;
  /// Why the file can hold anything; empty if it is known.
  std::string file_open_;
};

}  // namespace recipelint::serving::trtllm
