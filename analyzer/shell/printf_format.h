#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/text/result.h"

namespace recipelint::shell {

/// A run of output with one source, so that the caller can keep the origins of arguments.
struct PrintfPiece {
  enum class Source : std::uint8_t {
    kFormat,    // `text` was in the format
    kArgument,  // `text` was made from argument `argument`
    kVerbatim,  // argument `argument` as it is (%s without width and precision); `text` if known
    kUnknown,   // made from an unknown argument
  };
  Source source = Source::kFormat;
  std::string text;
  std::size_t argument = 0;

  friend bool operator==(const PrintfPiece&, const PrintfPiece&) = default;
};

struct PrintfOutput {
  std::vector<PrintfPiece> pieces;
  int status = 0;
  /// "abc: invalid number", as bash writes to standard error.
  std::vector<std::string> warnings;
};

/// The printf builtin without -v. An argument that is not (fully) known is nullopt. Fails for what
/// depends on the host or is not modelled: %(...)T, %n, a width from an unknown argument.
text::Result<PrintfOutput> format_printf(std::string_view format,
                                         std::span<const std::optional<std::string>> arguments);

/// How echo treats its arguments: the options it found, and where the text starts.
struct EchoOptions {
  bool newline = true;
  bool escapes = false;
  std::size_t first_argument = 0;
};

/// Reads -n, -e, -E and their combinations (xpg_echo off). An unknown argument (nullopt) ends them.
EchoOptions parse_echo_options(std::span<const std::optional<std::string>> arguments);

}  // namespace recipelint::shell
