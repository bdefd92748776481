#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "analyzer/facts/catalog.h"
#include "analyzer/launch/launch.h"
#include "analyzer/serving/given_options.h"

namespace recipelint::serving::sglang {

/// The programs that take SGLang's options.
enum class Frontend : std::uint8_t {
  kLaunchServer,  // python3 -m sglang.launch_server
  kServe,         // sglang serve
  kForeign,       // a program with options of its own beside SGLang's, such as dynamo.sglang
};
/// What the words of Launch::program say.
Frontend frontend_of(std::string_view program);

/// What SGLang's own parser makes of a command line. Spellings that are deprecated stand under the
/// name of the option that they set.
class Arguments : public GivenOptions {
 public:
  Arguments() : GivenOptions("SGLang") {}

  /// `argv` is the whole command, `first` the index of the first argument of SGLang in it. Of
  /// options with one destination the last one counts.
  static Arguments parse(std::span<const shell::Value> argv, std::size_t first, Frontend frontend,
                         const facts::EngineVersion& version, const facts::Catalog& catalog);

  /// Is the switch given?
  bool has(std::string_view name) const { return find(name) != nullptr; }
  /// A number that may have a suffix: "128k", "128Ki".
  Setting<std::int64_t> suffixed_integer(std::string_view name) const;

 private:
  friend class ArgumentReader;
};

/// "128k" is 128000, "128Ki" is 131072, and a plain number is what Python's int() makes of it.
/// Nullopt for anything else, and for numbers beyond 64 bits.
std::optional<std::int64_t> parse_suffixed_int(std::string_view text);

}  // namespace recipelint::serving::sglang
