#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/shell/value.h"
#include "analyzer/shell/world.h"

namespace recipelint::shell {

/// Sets an option of "set -o NAME" or "shopt -o"; false if there is no such option. Options without
/// an effect on the evaluation are accepted.
bool set_long_option(Options& options, std::string_view name, bool value);
/// Sets an option of "set -X".
bool set_short_option(Options& options, char letter, bool value);
/// Sets an option of "shopt"; false if there is no such option.
bool set_shell_option(Options& options, std::string_view name, bool value);
/// Whether an option of "set -o" or shopt is on; nullopt if it is not followed.
std::optional<bool> option_value(const Options& options, std::string_view name);

/// The command line of bash or sh.
struct ShellArguments {
  Options options;
  std::optional<Value> command;  // -c
  std::optional<Value> script;   // neither: the program is read from standard input
  Value zeroth;
  std::vector<Value> positional;
};

/// Nullopt if an unknown word stands where an option could.
std::optional<ShellArguments> parse_shell_arguments(const std::vector<Value>& argv);

}  // namespace recipelint::shell
