#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The real bash (and the real tools), as the judge of their models.
namespace recipelint::testing {

struct ShellRun {
  std::string output;  // standard output
  int status = 0;

  friend bool operator==(const ShellRun&, const ShellRun&) = default;
};

/// Runs a script with bash: an empty environment apart from PATH and a UTF-8 locale, nothing on
/// standard input, standard error dropped.
ShellRun run_bash(std::string_view script);

/// Runs each snippet in a subshell of one bash.
std::vector<ShellRun> run_bash_snippets(std::span<const std::string> snippets);

/// The text as one single-quoted word.
std::string shell_word(std::string_view text);

/// Whether a program is installed.
bool has_program(std::string_view name);

}  // namespace recipelint::testing
