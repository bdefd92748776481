#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "analyzer/facts/catalog.h"
#include "analyzer/serving/argument_parser.h"
#include "analyzer/serving/given_options.h"

namespace recipelint::serving::atom {

/// The programs that take ATOM's options.
enum class Frontend : std::uint8_t {
  kServer,   // python3 -m atom.entrypoints.openai_server
  kForeign,  // a program with options of its own beside ATOM's, such as the server of ATOMesh
};

/// What ATOM's own parser makes of a command line.
class Arguments : public GivenOptions {
 public:
  Arguments() : GivenOptions("ATOM") {}

  /// `argv` is the whole command, `first` the index of the first argument of ATOM in it. Of equal
  /// options the last one counts.
  static Arguments parse(std::span<const shell::Value> argv, std::size_t first, Frontend frontend,
                         const facts::EngineVersion& version, const facts::Catalog& catalog);

  /// The value of an option whose value may be missing: then `without_value`.
  Setting<std::string> optional_string(std::string_view name, std::string_view without_value) const;
  /// The numbers of an option that takes a Python list in one word: "[1, 2, 4]".
  Setting<std::vector<std::int64_t>> list_of_integers(std::string_view name) const;

 private:
  friend class ArgumentReader;
};

}  // namespace recipelint::serving::atom
