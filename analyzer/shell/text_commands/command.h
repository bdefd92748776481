#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/shell/text_commands/text_commands.h"

/// What the models of commands share.
namespace recipelint::shell {

using CommandResult = text::Result<TextCommandResult>;
using Arguments = std::span<const std::string>;

/// One model: an entry of the table in text_commands.cpp.
using CommandModel = CommandResult (*)(Arguments arguments, const TextCommandInput& input);

CommandResult run_awk(Arguments arguments, const TextCommandInput& input);
CommandResult run_basename(Arguments arguments, const TextCommandInput& input);
CommandResult run_bc(Arguments arguments, const TextCommandInput& input);
CommandResult run_cut(Arguments arguments, const TextCommandInput& input);
CommandResult run_dirname(Arguments arguments, const TextCommandInput& input);
CommandResult run_expr(Arguments arguments, const TextCommandInput& input);
CommandResult run_grep(Arguments arguments, const TextCommandInput& input);
CommandResult run_head(Arguments arguments, const TextCommandInput& input);
CommandResult run_jq(Arguments arguments, const TextCommandInput& input);
CommandResult run_paste(Arguments arguments, const TextCommandInput& input);
CommandResult run_rev(Arguments arguments, const TextCommandInput& input);
CommandResult run_sed(Arguments arguments, const TextCommandInput& input);
CommandResult run_seq(Arguments arguments, const TextCommandInput& input);
CommandResult run_sort(Arguments arguments, const TextCommandInput& input);
CommandResult run_tail(Arguments arguments, const TextCommandInput& input);
CommandResult run_tr(Arguments arguments, const TextCommandInput& input);
CommandResult run_uniq(Arguments arguments, const TextCommandInput& input);
CommandResult run_wc(Arguments arguments, const TextCommandInput& input);
CommandResult run_xargs(Arguments arguments, const TextCommandInput& input);

constexpr std::size_t kMostCommandOutput = 16u << 20u;

/// The reason why a model gives nothing: "a form of sort that is not modelled: --parallel".
text::Error not_modelled(std::string_view command, std::string_view what);

/// What getopt_long makes of the arguments.
struct ParsedOptions {
  struct Option {
    char letter = '\0';
    std::string value;
  };
  std::vector<Option> options;  // in order
  std::vector<std::string> operands;

  bool has(char letter) const;
  /// The value of the last occurrence.
  std::optional<std::string> value(char letter) const;
};

struct LongOption {
  std::string_view name;
  char letter = '\0';
};

enum class OptionOrder : std::uint8_t {
  kAnywhere,        // options behind operands count too
  kBeforeOperands,  // the first operand ends them
};

/// `letters` as for getopt: a ":" behind those that take a value. Fails for any other option.
text::Result<ParsedOptions> parse_options(std::string_view command, Arguments arguments,
                                          std::string_view letters,
                                          std::span<const LongOption> long_options = {},
                                          OptionOrder order = OptionOrder::kAnywhere);

/// The texts of the files that the operands name, "-" being standard input, in order; without
/// operands standard input.
text::Result<std::vector<std::string>> read_files(std::string_view command,
                                                  std::span<const std::string> operands,
                                                  const TextCommandInput& input);

/// The same, one after the other.
text::Result<std::string> read_input(std::string_view command,
                                     std::span<const std::string> operands,
                                     const TextCommandInput& input);

/// The lines without their newlines. A last line need not have one.
std::vector<std::string_view> split_lines(std::string_view text);

/// A whole number without sign that fits.
std::optional<std::uint64_t> to_count(std::string_view digits);

bool is_ascii(std::string_view text);

}  // namespace recipelint::shell
