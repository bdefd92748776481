#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/app/commands.h"
#include "rules/rule.h"

namespace recipelint::app {
namespace {

enum class ValueKind { kNone, kFree, kFile, kFolder, kWords };

/// What can follow an option or stand for a positional argument.
struct Value {
  ValueKind kind = ValueKind::kFree;
  std::vector<std::string> words;
};

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (const rules::Rule& rule : rules::catalog()) {
    names.emplace_back(rule.id);
    names.emplace_back(rule.name);
  }
  return names;
}

/// "a|b|c[=FILE]" -> a, b, c.
std::vector<std::string> choices(std::string_view text) {
  text = text.substr(0, text.find('['));
  std::vector<std::string> words;
  while (!text.empty()) {
    const auto end = std::min(text.find('|'), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

Value value_of(const OptionUsage& option) {
  const std::string& value = option.value;
  if (value.empty()) return {ValueKind::kNone, {}};
  if (value == "FILE" || value == "PATH") return {ValueKind::kFile, {}};
  if (value == "DIR") return {ValueKind::kFolder, {}};
  if (value == "RULE" || value == "RULE,...") return {ValueKind::kWords, rule_names()};
  if (value.find('|') != std::string::npos) return {ValueKind::kWords, choices(value)};
  return {};
}

/// The argument of a command that is not an option; null if it has none.
const OptionUsage* positional(const CommandUsage& command) {
  const auto found = std::find_if(command.options.begin(), command.options.end(),
                                  [](const OptionUsage& option) { return option.positional; });
  return found == command.options.end() ? nullptr : &*found;
}

std::vector<std::string> option_names(const CommandUsage& command) {
  std::vector<std::string> names;
  for (const OptionUsage& option : command.options) {
    if (option.positional) continue;
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

std::vector<std::string> command_names(const std::vector<CommandUsage>& commands) {
  std::vector<std::string> names;
  for (const CommandUsage& command : commands) names.push_back(command.name);
  return names;
}

/// In single quotes, for all three shells: no description has a quote or a backslash in it.
std::string quoted(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c != '\'' && c != '\\') out.push_back(c);
  }
  return fmt::format("'{}'", out);
}

// ------------------------------------------------------------------------------------------- bash

std::string bash_reply(const Value& value) {
  switch (value.kind) {
    case ValueKind::kFile:
      return "mapfile -t COMPREPLY < <(compgen -f -- \"$current\")";
    case ValueKind::kFolder:
      return "mapfile -t COMPREPLY < <(compgen -d -- \"$current\")";
    case ValueKind::kWords:
      return fmt::format("mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$current\")",
                         fmt::join(value.words, " "));
    case ValueKind::kNone:
    case ValueKind::kFree:
      break;
  }
  return "COMPREPLY=()";
}

void write_bash(const std::vector<CommandUsage>& commands, std::ostream& out) {
  const auto names = command_names(commands);
  out << "# bash completion for recipelint\n"
         "_recipelint() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  local command=check explicit='' word\n"
         "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n";
  out << fmt::format("    case $word in {}) command=$word explicit=1; break ;; esac\n  done\n",
                     fmt::join(names, "|"));
  out << "  case $command:$previous in\n";
  for (const CommandUsage& command : commands) {
    for (const OptionUsage& option : command.options) {
      const Value value = value_of(option);
      if (option.positional || value.kind == ValueKind::kNone) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : option.names) {
        patterns.push_back(fmt::format("{}:{}", command.name, name));
      }
      out << fmt::format("    {}) {}; return ;;\n", fmt::join(patterns, "|"), bash_reply(value));
    }
  }
  out << "  esac\n  if [[ $current == -* ]]; then\n    case $command in\n";
  for (const CommandUsage& command : commands) {
    out << fmt::format("      {}) {} ;;\n", command.name,
                       bash_reply({ValueKind::kWords, option_names(command)}));
  }
  out << "    esac\n    return\n  fi\n  case $command in\n";
  for (const CommandUsage& command : commands) {
    const OptionUsage* argument = positional(command);
    if (argument == nullptr) continue;
    out << fmt::format("    {}) {} ;;\n", command.name, bash_reply(value_of(*argument)));
  }
  out << fmt::format(
      "  esac\n  if [[ -z $explicit ]]; then\n"
      "    mapfile -t -O \"${{#COMPREPLY[@]}}\" COMPREPLY < <(compgen -W '{}' -- \"$current\")\n"
      "  fi\n}}\ncomplete -o filenames -F _recipelint recipelint\n",
      fmt::join(names, " "));
}

// -------------------------------------------------------------------------------------------- zsh

std::string zsh_action(const Value& value) {
  switch (value.kind) {
    case ValueKind::kFile:
      return "_files";
    case ValueKind::kFolder:
      return "_files -/";
    case ValueKind::kWords:
      return fmt::format("({})", fmt::join(value.words, " "));
    case ValueKind::kNone:
    case ValueKind::kFree:
      break;
  }
  return "";
}

/// Brackets and colons end a description in _arguments.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':') out.push_back('\\');
    out.push_back(c);
  }
  return out;
}

std::string zsh_value_name(const OptionUsage& option) {
  std::string name = option.value.substr(0, option.value.find_first_of("[|:"));
  return option.value.find('|') == std::string::npos ? name : "choice";
}

void write_zsh_option(const OptionUsage& option, std::ostream& out) {
  const Value value = value_of(option);
  const std::string action = zsh_action(value);
  if (option.positional) {
    const bool many = option.value == "PATH";
    out << fmt::format("        '{}:{}:{}'\n", many ? "*" : "", option.names.front(), action);
    return;
  }
  for (const std::string& name : option.names) {
    std::string tail;
    if (value.kind != ValueKind::kNone) {
      tail = fmt::format(":{}:{}", zsh_text(zsh_value_name(option)), action);
    }
    std::string text = zsh_text(option.description);
    text.erase(std::remove(text.begin(), text.end(), '\''), text.end());
    out << fmt::format("        '*{}[{}]{}'\n", name, text, tail);
  }
}

void write_zsh(const std::vector<CommandUsage>& commands, std::ostream& out) {
  out << "#compdef recipelint\n_recipelint() {\n  local -a commands specs\n  commands=(\n";
  for (const CommandUsage& command : commands) {
    out << fmt::format("    {}\n", quoted(fmt::format("{}:{}", command.name, command.description)));
  }
  out << fmt::format(
      "  )\n  local command=check word\n  local -i explicit=0\n"
      "  for word in ${{words[2,CURRENT-1]}}; do\n"
      "    case $word in ({}) command=$word; explicit=1; break ;; esac\n  done\n"
      "  case $command in\n",
      fmt::join(command_names(commands), "|"));
  for (const CommandUsage& command : commands) {
    out << fmt::format("    ({})\n      specs=(\n", command.name);
    for (const OptionUsage& option : command.options) write_zsh_option(option, out);
    out << "      ) ;;\n";
  }
  out << "  esac\n"
         "  if (( explicit )); then\n"
         "    words=(\"${(@)words:#$command}\")\n    (( CURRENT-- ))\n"
         "  elif [[ ${words[CURRENT]} != -* ]]; then\n"
         "    _describe command commands\n  fi\n"
         "  _arguments -s $specs\n}\n"
         "if [[ $funcstack[1] == _recipelint ]]; then _recipelint \"$@\"; "
         "else compdef _recipelint recipelint; fi\n";
}

// ------------------------------------------------------------------------------------------- fish

std::string fish_value(const Value& value) {
  switch (value.kind) {
    case ValueKind::kNone:
      return "";
    case ValueKind::kFile:
      return " -r -F";
    case ValueKind::kFolder:
      return " -x -a '(__fish_complete_directories)'";
    case ValueKind::kWords:
      return fmt::format(" -x -a '{}'", fmt::join(value.words, " "));
    case ValueKind::kFree:
      break;
  }
  return " -x";
}

void write_fish(const std::vector<CommandUsage>& commands, std::ostream& out) {
  const std::string all = fmt::format("{}", fmt::join(command_names(commands), " "));
  const std::string none = fmt::format("not __fish_seen_subcommand_from {}", all);
  out << "# fish completion for recipelint\n";
  for (const CommandUsage& command : commands) {
    out << fmt::format("complete -c recipelint -n '{}' -a {} -d {}\n", none, command.name,
                       quoted(command.description));
  }
  for (const CommandUsage& command : commands) {
    const bool is_default = command.name == "check";
    const std::string condition =
        is_default
            ? fmt::format("not __fish_seen_subcommand_from {}",
                          fmt::join(command_names({commands.begin() + 1, commands.end()}), " "))
            : fmt::format("__fish_seen_subcommand_from {}", command.name);
    for (const OptionUsage& option : command.options) {
      const Value value = value_of(option);
      if (option.positional) {
        if (value.kind == ValueKind::kFile) continue;  // what fish does by itself
        out << fmt::format("complete -c recipelint -n '{}'{}\n", condition, fish_value(value));
        continue;
      }
      std::string names;
      for (const std::string& name : option.names) {
        names += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2))
                                        : fmt::format(" -s {}", name.substr(1));
      }
      out << fmt::format("complete -c recipelint -n '{}'{} -d {}{}\n", condition, names,
                         quoted(option.description), fish_value(value));
    }
  }
}

}  // namespace

int run_completions(const CompletionsOptions& options, const Streams& streams) {
  const std::vector<CommandUsage> commands = command_line_usage();
  if (options.shell == "bash") write_bash(commands, streams.out);
  if (options.shell == "zsh") write_zsh(commands, streams.out);
  if (options.shell == "fish") write_fish(commands, streams.out);
  return kClean;
}

}  // namespace recipelint::app
