#include "analyzer/shell/options.h"

#include <algorithm>
#include <array>
#include <utility>

namespace recipelint::shell {
namespace {

struct NamedOption {
  std::string_view name;
  char letter;
  bool Options::*field;  // null: accepted, without effect
};

constexpr std::array<NamedOption, 27> kSetOptions = {{
    {"allexport", 'a', &Options::allexport},
    {"braceexpand", 'B', &Options::braceexpand},
    {"emacs", '\0', nullptr},
    {"errexit", 'e', &Options::errexit},
    {"errtrace", 'E', &Options::errtrace},
    {"functrace", 'T', nullptr},
    {"hashall", 'h', nullptr},
    {"histexpand", 'H', nullptr},
    {"history", '\0', nullptr},
    {"ignoreeof", '\0', nullptr},
    {"interactive-comments", '\0', nullptr},
    {"keyword", 'k', nullptr},
    {"monitor", 'm', nullptr},
    {"noclobber", 'C', nullptr},
    {"noexec", 'n', &Options::noexec},
    {"noglob", 'f', &Options::noglob},
    {"nolog", '\0', nullptr},
    {"notify", 'b', nullptr},
    {"nounset", 'u', &Options::nounset},
    {"onecmd", 't', nullptr},
    {"physical", 'P', nullptr},
    {"pipefail", '\0', &Options::pipefail},
    {"posix", '\0', nullptr},
    {"privileged", 'p', nullptr},
    {"verbose", 'v', nullptr},
    {"vi", '\0', nullptr},
    {"xtrace", 'x', &Options::xtrace},
}};

constexpr std::array<NamedOption, 8> kShellOptions = {{
    {"dotglob", '\0', &Options::dotglob},
    {"extglob", '\0', &Options::extglob},
    {"failglob", '\0', &Options::failglob},
    {"globstar", '\0', &Options::globstar},
    {"inherit_errexit", '\0', &Options::inherit_errexit},
    {"lastpipe", '\0', &Options::lastpipe},
    {"nocasematch", '\0', &Options::nocasematch},
    {"nullglob", '\0', &Options::nullglob},
}};

bool apply(const NamedOption& option, Options& options, bool value) {
  if (option.field != nullptr) options.*(option.field) = value;
  return true;
}

}  // namespace

bool set_long_option(Options& options, std::string_view name, bool value) {
  const auto* found = std::find_if(kSetOptions.begin(), kSetOptions.end(),
                                   [&](const NamedOption& o) { return o.name == name; });
  return found != kSetOptions.end() && apply(*found, options, value);
}

bool set_short_option(Options& options, char letter, bool value) {
  const auto* found = std::find_if(kSetOptions.begin(), kSetOptions.end(), [&](const auto& o) {
    return o.letter != '\0' && o.letter == letter;
  });
  return found != kSetOptions.end() && apply(*found, options, value);
}

bool set_shell_option(Options& options, std::string_view name, bool value) {
  const auto* found = std::find_if(kShellOptions.begin(), kShellOptions.end(),
                                   [&](const NamedOption& o) { return o.name == name; });
  return found == kShellOptions.end() || apply(*found, options, value);
}

std::optional<bool> option_value(const Options& options, std::string_view name) {
  const auto look = [&](const auto& table) -> std::optional<bool> {
    for (const NamedOption& option : table) {
      if (option.name == name && option.field != nullptr) return options.*(option.field);
    }
    return std::nullopt;
  };
  const std::optional<bool> set = look(kSetOptions);
  return set ? set : look(kShellOptions);
}

std::optional<ShellArguments> parse_shell_arguments(const std::vector<Value>& argv) {
  ShellArguments out;
  bool has_command = false;
  bool reads_input = false;
  std::size_t i = 1;
  for (; i < argv.size(); ++i) {
    if (!argv[i].is_known()) {
      if (has_command) break;
      return std::nullopt;
    }
    const std::string word = argv[i].text();
    if (word == "-" || word == "--") {
      ++i;
      break;
    }
    if (word.size() < 2 || (word[0] != '-' && word[0] != '+')) break;
    if (word.starts_with("--")) {
      if (word == "--rcfile" || word == "--init-file") ++i;
      continue;
    }
    const bool value = word[0] == '-';
    for (const char letter : std::string_view(word).substr(1)) {
      if (letter == 'c') {
        has_command = true;
      } else if (letter == 's') {
        reads_input = true;
      } else if (letter == 'o' || letter == 'O') {
        if (++i < argv.size()) {
          const std::string name = argv[i].text();
          letter == 'o' ? set_long_option(out.options, name, value)
                        : set_shell_option(out.options, name, value);
        }
      } else {
        set_short_option(out.options, letter, value);
      }
    }
  }
  out.zeroth = argv.front();
  if (has_command) {
    if (i >= argv.size()) return std::nullopt;
    out.command = argv[i++];
    if (i < argv.size()) out.zeroth = argv[i++];
  } else if (i < argv.size() && !reads_input) {
    out.script = argv[i++];
    out.zeroth = *out.script;
  }
  out.positional.assign(argv.begin() + static_cast<std::ptrdiff_t>(std::min(i, argv.size())),
                        argv.end());
  return out;
}

}  // namespace recipelint::shell
