#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/text/result.h"

/// Exact models of the external commands that recipes use on text: seq, sort, tr, sed and so on.
/// They never touch the host.
namespace recipelint::shell {

struct TextCommandResult {
  std::string output;
  int status = 0;
};

/// What a command can read.
struct TextCommandInput {
  /// Standard input; nullopt if it is not known. A command that does not read it does not care.
  std::optional<std::string_view> standard_input;
  /// The content of a file, nullopt if it is not known. May be empty: no file is known.
  std::function<std::optional<std::string>(std::string_view path)> read_file;
};

/// Whether there is a model of the command, by the last component of its name.
bool is_text_command(std::string_view name);

/// Runs the model. Fails, with the reason, if there is none, if it does not cover these arguments
/// (this includes all that the real command would reject, and results that depend on its
/// implementation or on the host), if it reads something unknown, or if the output exceeds 16 MiB.
text::Result<TextCommandResult> run_text_command(std::string_view name,
                                                 std::span<const std::string> arguments,
                                                 const TextCommandInput& input);

/// The names of all models, sorted.
std::vector<std::string_view> text_command_names();

}  // namespace recipelint::shell
