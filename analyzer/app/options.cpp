#include "analyzer/app/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

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
  std::string topic;
  std::string name;
};

void add_shared_options(CLI::App& command, SharedOptions& shared) {
  const std::map<std::string, ColorChoice> colors = {{"auto", ColorChoice::kAuto},
                                                     {"always", ColorChoice::kAlways},
                                                     {"never", ColorChoice::kNever}};
  command.add_option("PATH", shared.paths,
                     "a repository root, a folder, or files (launch scripts, configs, recipes)");
  command.add_option("--root", shared.root, "the repository root (default: found from PATH)");
  command
      .add_option("--keys", shared.keys, "only search-space keys that match this glob (repeatable)")
      ->allow_extra_args(false);
  CLI::Option* config = command.add_option(
      "--config", shared.config, "the configuration file (default: .recipelint.yaml in the root)");
  command.add_flag("--no-config", shared.no_config, "read no configuration file")->excludes(config);
  command.add_option("-j,--jobs", shared.threads, "threads (default: one per processor)");
  command.add_option("--color", shared.color, "auto, always or never")
      ->transform(CLI::CheckedTransformer(colors).description(""));
  command.add_flag("-q,--quiet", shared.quiet, "no summary line");
  command.add_flag("-v,--verbose", shared.verbose, "say more on standard error, timings included");
}

void add_cell_option(CLI::App& command, SharedOptions& shared) {
  command
      .add_option(
          "--cell", shared.cell,
          "only cells with these values (conc=64,tp=8,dp-attn=true); for scripts run by hand: "
          "the values of the run")
      ->delimiter(',')
      ->allow_extra_args(false);
}

void add_run_options(CLI::App& command, SharedOptions& shared) {
  command
      .add_option("--set", shared.set,
                  "NAME=VALUE: run the scripts by hand, with this variable (repeatable)")
      ->allow_extra_args(false);
  command.add_option("--image", shared.image, "the image that a script run by hand is started in");
  command.add_option("--gpu", shared.gpu, "the GPU that a script run by hand has: b200, mi355x");
  command.add_option("--model", shared.model, "the model that a script run by hand serves");
}

void add_check_options(CLI::App& check, RawOptions& raw) {
  add_shared_options(check, raw.shared);
  add_cell_option(check, raw.shared);
  add_run_options(check, raw.shared);
  check
      .add_option("--format", raw.formats,
                  "FMT[=FILE], repeatable; FMT: text, unix, json, sarif, github, gitlab, junit")
      ->allow_extra_args(false);
  check.add_option("--select", raw.select, "only these rules (id, name or group), comma-separated")
      ->delimiter(',')
      ->allow_extra_args(false);
  check.add_option("--ignore", raw.ignore, "not these rules (id, name or group), comma-separated")
      ->delimiter(',')
      ->allow_extra_args(false);
  check.add_option("--fail-on", raw.fail_on, "error, warning, note or never (default: warning)")
      ->check(CLI::IsMember({"error", "warning", "note", "never"}));
  check.add_option("--as-of", raw.as_of,
                   "the day (YYYY-MM-DD) to measure retention of images against");
  check.add_flag("--no-ignores", raw.check.no_ignores, "report what ignore comments suppress");
  check.add_flag("--show-suppressed", raw.check.show_suppressed,
                 "show what comments and the baseline suppress; it does not count");
  check.add_option("--baseline", raw.check.baseline, "a file with findings not to report");
  check.add_option("--write-baseline", raw.check.write_baseline,
                   "write the findings to this file; one that exists only loses what is gone");
  check.add_option("--stdin-file", raw.check.stdin_file,
                   "the file that standard input takes the place of (editors)");
  check.add_option("--max-seconds", raw.check.max_seconds, "give up after this time (exit 3)")
      ->check(CLI::PositiveNumber);
  check
      .add_option("--max-memory-mib", raw.check.max_memory_mib,
                  "give up above this much memory (exit 3)")
      ->check(CLI::PositiveNumber);
  check.add_option("--pr-title", raw.check.pull_request_title,
                   "the title of the pull request, for RL9006");
  check.add_option("--pr-body", raw.check.pull_request_body,
                   "a file with the description of the pull request, for RL9006");
  check.add_option("--sarif-category", raw.sarif_category, "category of the SARIF run");
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

constexpr std::array<std::string_view, 7> kCommands = {"check",   "cells", "argv", "memory",
                                                       "explain", "rules", "facts"};

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

}  // namespace

text::Result<Command> parse_command_line(const std::vector<std::string>& arguments) {
  CLI::App app("Static analyzer and linter for LLM-inference benchmark recipes.", "recipelint");
  app.set_version_flag("--version", "recipelint " RECIPELINT_VERSION);
  app.require_subcommand(1);
  RawOptions raw;
  const auto list_format = [&raw](CLI::App* command) {
    command->add_option("--format", raw.list_format, "text or json")
        ->check(CLI::IsMember({"text", "json"}));
  };

  CLI::App* check = app.add_subcommand("check", "lint (the default command)");
  add_check_options(*check, raw);
  CLI::App* cells = app.add_subcommand("cells", "print the expanded search space");
  add_shared_options(*cells, raw.shared);
  add_cell_option(*cells, raw.shared);
  list_format(cells);
  CLI::App* argv = app.add_subcommand("argv", "print what each cell would launch");
  add_shared_options(*argv, raw.shared);
  add_cell_option(*argv, raw.shared);
  add_run_options(*argv, raw.shared);
  list_format(argv);
  const std::map<std::string, ArgvOptions::Modes> modes = {
      {"throughput", ArgvOptions::Modes::kThroughput},
      {"eval", ArgvOptions::Modes::kEval},
      {"both", ArgvOptions::Modes::kBoth}};
  argv->add_option("--mode", raw.modes, "throughput (default), eval or both")
      ->transform(CLI::CheckedTransformer(modes).description(""));
  CLI::App* memory = app.add_subcommand("memory", "print weights, KV need and what is left");
  add_shared_options(*memory, raw.shared);
  add_cell_option(*memory, raw.shared);
  add_run_options(*memory, raw.shared);
  list_format(memory);
  CLI::App* explain = app.add_subcommand("explain", "print the page of a rule");
  explain->add_option("RULE", raw.rule, "id or name")->required();
  CLI::App* rules = app.add_subcommand("rules", "list the rules");
  list_format(rules);
  CLI::App* facts = app.add_subcommand("facts", "print what is believed, with source and date");
  facts->add_option("TOPIC", raw.topic, "images");
  facts->add_option("NAME", raw.name, "one entry");

  std::vector<std::string> reversed = with_command(arguments, *check);
  std::reverse(reversed.begin(), reversed.end());
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    const auto called = app.get_subcommands();
    return Command(PrintText{called.empty() ? app.help() : called.front()->help()});
  } catch (const CLI::CallForVersion& version) {
    return Command(PrintText{fmt::format("{}\n", version.what())});
  } catch (const CLI::ParseError& error) {
    return usage_error(fmt::format("{} (see recipelint --help)", error.what()));
  }

  if (check->parsed()) return check_command(raw);
  if (cells->parsed()) {
    return Command(CellsOptions{std::move(raw.shared), raw.list_format == "json"});
  }
  if (argv->parsed()) {
    return Command(ArgvOptions{std::move(raw.shared), raw.modes, raw.list_format == "json"});
  }
  if (memory->parsed()) {
    return Command(MemoryOptions{std::move(raw.shared), raw.list_format == "json"});
  }
  if (explain->parsed()) return Command(ExplainOptions{std::move(raw.rule)});
  if (rules->parsed()) return Command(RulesOptions{raw.list_format == "json"});
  return Command(FactsOptions{std::move(raw.topic), std::move(raw.name)});
}

}  // namespace recipelint::app
