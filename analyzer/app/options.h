#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "analyzer/facts/date.h"
#include "analyzer/findings/finding.h"
#include "analyzer/text/result.h"

namespace recipelint::app {

enum class ColorChoice { kAuto, kAlways, kNever };

/// What every command that reads a repository understands.
struct SharedOptions {
  /// Files and folders as given; empty means ".".
  std::vector<std::string> paths;
  /// --root; without it the root is found from the paths.
  std::optional<std::string> root;
  /// --keys: globs over search-space keys.
  std::vector<std::string> keys;
  /// --cell: FIELD=VALUE each.
  std::vector<std::string> cell;
  /// --set: NAME=VALUE each. This and the next say how a script is run that no row describes.
  std::vector<std::string> set;
  std::optional<std::string> image;
  std::optional<std::string> gpu;
  std::optional<std::string> model;
  /// --recipe-path: folders with copies of the upstream recipe repository, in which recipes are
  /// looked up that launchers take from there.
  std::vector<std::string> recipe_paths;
  /// --config FILE; empty: the one in the root.
  std::string config;
  bool no_config = false;
  /// A file whose content is not what is on disk.
  struct Replacement {
    std::string path;
    std::string bytes;
  };
  std::optional<Replacement> replacement;
  unsigned threads = 0;  // 0: one per processor
  ColorChoice color = ColorChoice::kAuto;
  bool quiet = false;
  bool verbose = false;
};

/// --format FMT[=FILE]; without a file the document goes to standard output.
struct OutputRequest {
  std::string format;
  std::string file;
};

struct CheckOptions {
  SharedOptions shared;
  std::vector<OutputRequest> outputs;  // never empty; at most one to standard output
  std::vector<std::string> select;     // rule ids, names or groups ("3xxx", "RL3"); empty: all
  std::vector<std::string> ignore;
  /// The lowest level that makes the run fail, nullopt: never. Not set without --fail-on: then the
  /// configuration says, else it is a warning.
  std::optional<std::optional<findings::Level>> fail_on;
  std::optional<facts::Date> as_of;
  std::string sarif_category;
  /// --pr-title: the title of the pull request; --pr-body: a file with its text.
  std::optional<std::string> pull_request_title;
  std::string pull_request_body;
  bool no_ignores = false;
  bool show_suppressed = false;
  /// Files with known findings; empty: none.
  std::string baseline;
  std::string write_baseline;
  /// --diff-base: a git revision; empty: none.
  std::string diff_base;
  /// --stdin-file: the file that standard input takes the place of; empty: none.
  std::string stdin_file;
  /// Last resorts; 0: no bound.
  double max_seconds = 0;
  std::uint64_t max_memory_mib = 0;
};

struct CellsOptions {
  SharedOptions shared;
  bool json = false;
};

struct ArgvOptions {
  enum class Modes { kThroughput, kEval, kBoth };

  SharedOptions shared;
  Modes modes = Modes::kThroughput;
  bool json = false;
};

struct MemoryOptions {
  SharedOptions shared;
  bool json = false;
};

struct ExplainOptions {
  std::string rule;
};

struct RulesOptions {
  bool json = false;
};

struct FactsOptions {
  std::string topic;  // empty: list the topics
  std::string name;   // empty: all entries
};

struct CompletionsOptions {
  std::string shell;  // "bash", "zsh" or "fish"
};

struct ManOptions {};

/// A text that answers the request (--help, --version).
struct PrintText {
  std::string text;
};

using Command = std::variant<CheckOptions, CellsOptions, ArgvOptions, MemoryOptions, ExplainOptions,
                             RulesOptions, FactsOptions, CompletionsOptions, ManOptions, PrintText>;

/// Reads a command line (arguments without the program name). The error message says what is wrong
/// and what to do, in one line.
text::Result<Command> parse_command_line(const std::vector<std::string>& arguments);

/// One option or positional argument, for the man page and completions.
struct OptionUsage {
  /// "-q", "--quiet"; a positional argument has its name alone.
  std::vector<std::string> names;
  bool positional = false;
  /// What it takes: "FILE", "DIR" and "PATH" are looked for on disk, "RULE" in the catalog, and
  /// "a|b" are the words to choose from. Empty for a flag.
  std::string value;
  std::string description;
};

struct CommandUsage {
  std::string name;
  std::string description;
  std::vector<OptionUsage> options;
};

/// All commands, from the same description that command lines are read with.
std::vector<CommandUsage> command_line_usage();

}  // namespace recipelint::app
