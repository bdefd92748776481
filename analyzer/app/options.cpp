#include "analyzer/app/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <system_error>

#include "analyzer/app/facts_topics.h"

namespace recipelint::app {
namespace {

constexpr std::array<std::string_view, 7> kFormats = {"text",   "unix",   "json", "sarif",
                                                      "github", "gitlab", "junit"};

/// What CLI11 fills in; turned into a Command once everything is known to be valid.
struct RawOptions {
  SharedOptions shared;
  CheckOptions check;  // only what needs no further reading
  std::vector<std::string> formats;
  std::vector<std::string> select;
  std::vector<std::string> ignore;
  std::string fail_on;
  std::string as_of;
  std::string sarif_category;
  std::string list_format = "text";
  ArgvOptions::Modes modes = ArgvOptions::Modes::kThroughput;
  std::string rule;
  std::string shell;
  std::string topic;
  std::string name;
};

std::string check_positive(const std::string& text) {
  double number = 0;
  const bool valid = CLI::detail::lexical_cast(text, number) && number > 0;
  return valid ? std::string() : fmt::format("'{}' is no number above 0", text);
}

/// Takes the names of `choices`. CLI11's own validator names the numbers behind them as well.
template <typename Choice>
CLI::Validator one_of(std::map<std::string, Choice> choices) {
  return CLI::Validator(
      [choices = std::move(choices)](std::string& text) {
        const auto found = choices.find(text);
        if (found != choices.end()) {
          text = std::to_string(static_cast<int>(found->second));
          return std::string();
        }
        std::vector<std::string> names;
        for (const auto& [name, choice] : choices) names.push_back(name);
        return fmt::format("{} not in {{{}}}", text, fmt::join(names, ","));
      },
      "");
}

/// "text|unix|...[=FILE]".
std::string format_choices() {
  return fmt::format("{}[=FILE]", fmt::join(kFormats, "|"));
}

void add_shared_options(CLI::App& command, SharedOptions& shared) {
  const std::map<std::string, ColorChoice> colors = {{"auto", ColorChoice::kAuto},
                                                     {"always", ColorChoice::kAlways},
                                                     {"never", ColorChoice::kNever}};
  command
      .add_option("PATH", shared.paths,
                  "a repository root, a folder, or files (launch scripts, configs, recipes)")
      ->type_name("PATH");
  command.add_option("--root", shared.root, "the repository root (default: found from PATH)")
      ->type_name("DIR");
  command
      .add_option("--keys", shared.keys, "only search-space keys that match this glob (repeatable)")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  command
      .add_option("--recipe-path", shared.recipe_paths,
                  "a copy of the upstream recipe repository, to look recipes up in (repeatable)")
      ->type_name("DIR")
      ->allow_extra_args(false);
  CLI::Option* config =
      command
          .add_option("--config", shared.config,
                      "the configuration file (default: .recipelint.yaml in the root)")
          ->type_name("FILE");
  command.add_flag("--no-config", shared.no_config, "read no configuration file")->excludes(config);
  command.add_option("-j,--jobs", shared.threads, "threads (default: one per processor)")
      ->type_name("N");
  command.add_option("--color", shared.color, "when to colour the text (default: on a terminal)")
      ->type_name("auto|always|never")
      ->transform(one_of(colors));
  command.add_flag("-q,--quiet", shared.quiet, "no summary line");
  command.add_flag("-v,--verbose", shared.verbose, "say more on standard error, timings included");
}

void add_cell_option(CLI::App& command, SharedOptions& shared) {
  command
      .add_option(
          "--cell", shared.cell,
          "only cells with these values (conc=64,tp=8,dp-attn=true); for scripts run by hand: "
          "the values of the run")
      ->type_name("FIELD=VALUE,...")
      ->delimiter(',')
      ->allow_extra_args(false);
}

void add_run_options(CLI::App& command, SharedOptions& shared) {
  command
      .add_option("--set", shared.set, "run the scripts by hand, with this variable (repeatable)")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command.add_option("--image", shared.image, "the image that a script run by hand is started in")
      ->type_name("REF");
  command.add_option("--gpu", shared.gpu, "the GPU that a script run by hand has: b200, mi355x")
      ->type_name("NAME");
  command.add_option("--model", shared.model, "the model that a script run by hand serves")
      ->type_name("NAME");
}

void add_check_options(CLI::App& check, RawOptions& raw) {
  add_shared_options(check, raw.shared);
  add_cell_option(check, raw.shared);
  add_run_options(check, raw.shared);
  check
      .add_option("--format", raw.formats,
                  "the format of the report, to standard output or FILE (repeatable)")
      ->type_name(format_choices())
      ->allow_extra_args(false);
  check.add_option("--select", raw.select, "only these rules (id, name or group), comma-separated")
      ->type_name("RULE,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  check.add_option("--ignore", raw.ignore, "not these rules (id, name or group), comma-separated")
      ->type_name("RULE,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  check
      .add_option("--fail-on", raw.fail_on,
                  "the lowest level that makes the run fail (default: warning)")
      ->type_name("error|warning|note|never")
      ->check(CLI::IsMember({"error", "warning", "note", "never"}).description(""));
  check
      .add_option("--as-of", raw.as_of,
                  "the day to measure retention of images against (default: none is read)")
      ->type_name("YYYY-MM-DD");
  check.add_flag("--no-ignores", raw.check.no_ignores, "report what ignore comments suppress");
  check.add_flag("--show-suppressed", raw.check.show_suppressed,
                 "show what comments and the baseline suppress; it does not count");
  check.add_option("--baseline", raw.check.baseline, "a file with findings not to report")
      ->type_name("FILE");
  check
      .add_option("--write-baseline", raw.check.write_baseline,
                  "write the findings to this file; one that exists only loses what is gone")
      ->type_name("FILE");
  check
      .add_option("--diff-base", raw.check.diff_base,
                  "report only what the change since this git revision introduced")
      ->type_name("REF");
  check
      .add_option("--stdin-file", raw.check.stdin_file,
                  "the file that standard input takes the place of (editors)")
      ->type_name("FILE");
  check.add_option("--max-seconds", raw.check.max_seconds, "give up after this time (exit 3)")
      ->type_name("SECONDS")
      ->check(CLI::Validator(check_positive, ""));
  check
      .add_option("--max-memory-mib", raw.check.max_memory_mib,
                  "give up above this much memory (exit 3)")
      ->type_name("MIB")
      ->check(CLI::Validator(check_positive, ""));
  check
      .add_option("--pr-title", raw.check.pull_request_title,
                  "the title of the pull request, for RL9006")
      ->type_name("TEXT");
  check
      .add_option("--pr-body", raw.check.pull_request_body,
                  "a file with the description of the pull request, for RL9006")
      ->type_name("FILE");
  check.add_option("--sarif-category", raw.sarif_category, "category of the SARIF run")
      ->type_name("NAME");
}

text::Error usage_error(std::string message) {
  return {std::move(message), {}};
}

/// Whether two names stand for one file, however they are spelled.
bool same_file(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto resolved = [&error](const std::string& path) {
    return fs::weakly_canonical(fs::absolute(path, error), error);
  };
  return a == b || resolved(a) == resolved(b);
}

/// The first request for a file that another one before it asks for; null if there is none.
const OutputRequest* file_named_twice(const std::vector<OutputRequest>& requests) {
  for (std::size_t i = 1; i < requests.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool both_files = !requests[i].file.empty() && !requests[j].file.empty();
      if (both_files && same_file(requests[i].file, requests[j].file)) return &requests[i];
    }
  }
  return nullptr;
}

text::Result<std::vector<OutputRequest>> output_requests(const std::vector<std::string>& formats) {
  std::vector<OutputRequest> requests;
  for (const std::string& given : formats) {
    const auto equals = given.find('=');
    OutputRequest request{given.substr(0, equals), {}};
    if (equals != std::string::npos) request.file = given.substr(equals + 1);
    if (std::find(kFormats.begin(), kFormats.end(), request.format) == kFormats.end()) {
      return usage_error(fmt::format("unknown format '{}'; choose one of: {}", request.format,
                                     fmt::join(kFormats, ", ")));
    }
    if (equals != std::string::npos && request.file.empty()) {
      return usage_error(fmt::format("--format {} names no file after '='", given));
    }
    requests.push_back(std::move(request));
  }
  if (const auto* twice = file_named_twice(requests)) {
    return usage_error(fmt::format("two documents cannot go to one file '{}'", twice->file));
  }
  const auto to_standard_output =
      std::count_if(requests.begin(), requests.end(), [](const auto& r) { return r.file.empty(); });
  if (to_standard_output > 1) {
    return usage_error("only one --format can go to standard output; give the others a =FILE");
  }
  if (requests.empty()) requests.push_back({"text", {}});
  return requests;
}

std::optional<findings::Level> fail_level(std::string_view word) {
  if (word == "error") return findings::Level::kError;
  if (word == "warning") return findings::Level::kWarning;
  if (word == "note") return findings::Level::kNote;
  return std::nullopt;
}

text::Result<Command> check_command(RawOptions& raw) {
  CheckOptions options = std::move(raw.check);
  options.shared = std::move(raw.shared);
  auto outputs = output_requests(raw.formats);
  if (!outputs) return outputs.error();
  options.outputs = std::move(*outputs);
  options.select = std::move(raw.select);
  options.ignore = std::move(raw.ignore);
  if (!raw.fail_on.empty()) options.fail_on = fail_level(raw.fail_on);
  options.sarif_category = std::move(raw.sarif_category);
  const bool narrowed =
      !options.select.empty() || !options.ignore.empty() || !options.shared.keys.empty();
  if (!options.write_baseline.empty() && narrowed) {
    return usage_error("--write-baseline needs a whole run, without --select, --ignore and --keys");
  }
  if (!raw.as_of.empty()) {
    options.as_of = facts::parse_date(raw.as_of);
    if (!options.as_of) {
      return usage_error(fmt::format("--as-of '{}' is no day; write YYYY-MM-DD", raw.as_of));
    }
  }
  return Command(std::move(options));
}

constexpr std::array<std::string_view, 9> kCommands = {
    "check", "cells", "argv", "memory", "explain", "rules", "facts", "completions", "man"};

/// The first word that is neither an option nor the value of one, as far as `check` can tell: it
/// knows all options that stand before a command.
std::size_t first_plain_word(const std::vector<std::string>& arguments, const CLI::App& check) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].starts_with('-')) return i;
    const CLI::Option* option = check.get_option_no_throw(arguments[i]);
    const bool takes_value = option != nullptr && option->get_items_expected_max() > 0;
    if (takes_value && arguments[i].find('=') == std::string::npos) ++i;
  }
  return arguments.size();
}

/// The command first, wherever it stands among its options; "recipelint PATH" is short for
/// "recipelint check PATH".
std::vector<std::string> with_command(std::vector<std::string> arguments, const CLI::App& check) {
  constexpr std::array<std::string_view, 3> kAlone = {"-h", "--help", "--version"};
  const bool alone =
      !arguments.empty() && std::find(kAlone.begin(), kAlone.end(), arguments[0]) != kAlone.end();
  if (alone) return arguments;
  const std::size_t word = first_plain_word(arguments, check);
  const bool named = word < arguments.size() && std::find(kCommands.begin(), kCommands.end(),
                                                          arguments[word]) != kCommands.end();
  if (named) {
    std::rotate(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(word),
                arguments.begin() + static_cast<std::ptrdiff_t>(word) + 1);
  } else {
    arguments.insert(arguments.begin(), "check");
  }
  return arguments;
}

std::string topic_choices() {
  std::vector<std::string_view> names;
  for (const FactsTopic& topic : facts_topics()) names.push_back(topic.name);
  return fmt::format("{}", fmt::join(names, "|"));
}

void add_list_format(CLI::App& command, RawOptions& raw) {
  command.add_option("--format", raw.list_format, "how to print it (default: text)")
      ->type_name("text|json")
      ->check(CLI::IsMember({"text", "json"}).description(""));
}

/// All commands with their options. Help, the man page and completions come from this as well.
void add_commands(CLI::App& app, RawOptions& raw) {
  app.set_version_flag("--version", "recipelint " RECIPELINT_VERSION);
  app.require_subcommand(1);
  CLI::App* check = app.add_subcommand("check", "lint (the default command)");
  add_check_options(*check, raw);
  CLI::App* cells = app.add_subcommand("cells", "print the expanded search space");
  add_shared_options(*cells, raw.shared);
  add_cell_option(*cells, raw.shared);
  add_list_format(*cells, raw);
  CLI::App* argv = app.add_subcommand("argv", "print what each cell would launch");
  add_shared_options(*argv, raw.shared);
  add_cell_option(*argv, raw.shared);
  add_run_options(*argv, raw.shared);
  add_list_format(*argv, raw);
  const std::map<std::string, ArgvOptions::Modes> modes = {
      {"throughput", ArgvOptions::Modes::kThroughput},
      {"eval", ArgvOptions::Modes::kEval},
      {"both", ArgvOptions::Modes::kBoth}};
  argv->add_option("--mode", raw.modes, "which runs of a cell (default: throughput)")
      ->type_name("throughput|eval|both")
      ->transform(one_of(modes));
  CLI::App* memory = app.add_subcommand("memory", "print weights, KV need and what is left");
  add_shared_options(*memory, raw.shared);
  add_cell_option(*memory, raw.shared);
  add_run_options(*memory, raw.shared);
  add_list_format(*memory, raw);
  CLI::App* explain = app.add_subcommand("explain", "print the page of a rule");
  explain->add_option("RULE", raw.rule, "id or name")->type_name("RULE")->required();
  CLI::App* rules = app.add_subcommand("rules", "list the rules");
  add_list_format(*rules, raw);
  CLI::App* facts = app.add_subcommand("facts", "print what is believed, with source and date");
  facts->add_option("TOPIC", raw.topic, "what about (default: list the topics)")
      ->type_name(topic_choices());
  facts->add_option("NAME", raw.name, "one entry")->type_name("NAME");
  CLI::App* completions =
      app.add_subcommand("completions", "print the completions of a shell, to be sourced by it");
  completions->add_option("SHELL", raw.shell, "the shell")
      ->type_name("bash|zsh|fish")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}).description(""))
      ->required();
  app.add_subcommand("man", "print the manual page");
}

OptionUsage usage_of(const CLI::Option& option) {
  OptionUsage usage;
  for (const std::string& name : option.get_snames()) usage.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) usage.names.push_back("--" + name);
  usage.positional = usage.names.empty();
  if (usage.positional) usage.names.push_back(option.get_name());
  if (option.get_items_expected_max() > 0) usage.value = option.get_type_name();
  usage.description = option.get_description();
  return usage;
}

}  // namespace

std::vector<CommandUsage> command_line_usage() {
  CLI::App app("", "recipelint");
  RawOptions raw;
  add_commands(app, raw);
  std::vector<CommandUsage> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    CommandUsage& usage = commands.emplace_back();
    usage.name = command->get_name();
    usage.description = command->get_description();
    for (const CLI::Option* option : command->get_options()) {
      usage.options.push_back(usage_of(*option));
    }
  }
  return commands;
}

text::Result<Command> parse_command_line(const std::vector<std::string>& arguments) {
  CLI::App app("Static analyzer and linter for LLM-inference benchmark recipes.", "recipelint");
  RawOptions raw;
  add_commands(app, raw);

  std::vector<std::string> reversed = with_command(arguments, *app.get_subcommand("check"));
  std::reverse(reversed.begin(), reversed.end());
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    const auto called = app.get_subcommands();
    return Command(PrintText{called.empty() ? app.help() : called.front()->help("recipelint")});
  } catch (const CLI::CallForVersion& version) {
    return Command(PrintText{fmt::format("{}\n", version.what())});
  } catch (const CLI::ParseError& error) {
    return usage_error(fmt::format("{} (see recipelint --help)", error.what()));
  }

  const std::string& command = app.get_subcommands().front()->get_name();
  const bool as_json = raw.list_format == "json";
  if (command == "check") return check_command(raw);
  if (command == "cells") return Command(CellsOptions{std::move(raw.shared), as_json});
  if (command == "argv") return Command(ArgvOptions{std::move(raw.shared), raw.modes, as_json});
  if (command == "memory") return Command(MemoryOptions{std::move(raw.shared), as_json});
  if (command == "explain") return Command(ExplainOptions{std::move(raw.rule)});
  if (command == "rules") return Command(RulesOptions{as_json});
  if (command == "completions") return Command(CompletionsOptions{std::move(raw.shell)});
  if (command == "man") return Command(ManOptions{});
  return Command(FactsOptions{std::move(raw.topic), std::move(raw.name)});
}

}  // namespace recipelint::app
