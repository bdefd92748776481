#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "analyzer/facts/catalog.h"
#include "analyzer/launch/launch.h"
#include "analyzer/serving/argument_parser.h"
#include "analyzer/serving/given_options.h"

namespace recipelint::serving::vllm {

/// The programs that take vLLM's options.
enum class Frontend : std::uint8_t {
  kServe,      // vllm serve MODEL
  kApiServer,  // python3 -m vllm.entrypoints.openai.api_server --model MODEL
  kForeign,    // a program with options of its own beside vLLM's, such as dynamo.vllm
};
/// What the words of Launch::program say.
Frontend frontend_of(std::string_view program);

/// What vLLM's own parser makes of a command line.
class Arguments : public GivenOptions {
 public:
  Arguments() : GivenOptions("vLLM") {}

  /// `argv` is the whole command, `first` the index of the first argument of vLLM in it. Of equal
  /// options the last one counts, and dotted keys replace JSON.
  static Arguments parse(std::span<const shell::Value> argv, std::size_t first, Frontend frontend,
                         std::span<const launch::ConfigFile> config_files,
                         const facts::EngineVersion& version, const facts::Catalog& catalog);

  /// The model given by position; also one given by --model to "vllm serve".
  const std::optional<Token>& model() const { return model_; }

 private:
  friend class ArgumentReader;

  std::optional<Token> model_;
};

}  // namespace recipelint::serving::vllm
