#include "analyzer/shell/builtins.h"

#include <algorithm>
#include <array>

#include "analyzer/shell/builtins_impl.h"

namespace recipelint::shell {
namespace {

struct NamedBuiltin {
  std::string_view name;
  Builtin run;
};

/// Sorted by name.
constexpr std::array<NamedBuiltin, 55> kBuiltins = {{
    {":", builtins::succeed},
    {"[", builtins::test},
    {"alias", builtins::succeed},
    {"bg", builtins::of_the_host},
    {"bind", builtins::succeed},
    {"break", builtins::leave_loop},
    {"caller", builtins::of_the_host},
    {"cd", builtins::change_directory},
    {"compgen", builtins::of_the_host},
    {"complete", builtins::succeed},
    {"continue", builtins::leave_loop},
    {"coproc", builtins::of_the_host},
    {"declare", builtins::declare},
    {"dirs", builtins::of_the_host},
    {"disown", builtins::succeed},
    {"echo", builtins::echo},
    {"enable", builtins::succeed},
    {"exit", builtins::exit},
    {"export", builtins::declare},
    {"false", builtins::fail},
    {"fc", builtins::of_the_host},
    {"fg", builtins::of_the_host},
    {"getopts", builtins::getopts},
    {"hash", builtins::of_the_host},
    {"help", builtins::succeed},
    {"history", builtins::succeed},
    {"jobs", builtins::of_the_host},
    {"kill", builtins::of_the_host},
    {"let", builtins::let},
    {"local", builtins::declare},
    {"logout", builtins::exit},
    {"mapfile", builtins::mapfile},
    {"popd", builtins::push_directory},
    {"printf", builtins::printf},
    {"pushd", builtins::push_directory},
    {"pwd", builtins::print_directory},
    {"read", builtins::read},
    {"readarray", builtins::mapfile},
    {"readonly", builtins::declare},
    {"return", builtins::leave_function},
    {"set", builtins::set},
    {"shift", builtins::shift},
    {"shopt", builtins::shell_options},
    {"suspend", builtins::of_the_host},
    {"test", builtins::test},
    {"times", builtins::of_the_host},
    {"trap", builtins::trap},
    {"true", builtins::succeed},
    {"type", builtins::type},
    {"typeset", builtins::declare},
    {"ulimit", builtins::of_the_host},
    {"umask", builtins::of_the_host},
    {"unalias", builtins::succeed},
    {"unset", builtins::unset},
    {"wait", builtins::of_the_host},
}};

constexpr bool comes_before(const NamedBuiltin& builtin, std::string_view name) {
  return builtin.name < name;
}

static_assert(std::is_sorted(kBuiltins.begin(), kBuiltins.end(),
                             [](const NamedBuiltin& a, const NamedBuiltin& b) {
                               return comes_before(a, b.name);
                             }));

constexpr std::array<std::string_view, 6> kRunners = {".",    "builtin", "command",
                                                      "eval", "exec",    "source"};

}  // namespace

Builtin find_builtin(std::string_view name) {
  const auto* found = std::lower_bound(kBuiltins.begin(), kBuiltins.end(), name, comes_before);
  return found != kBuiltins.end() && found->name == name ? found->run : nullptr;
}

bool runs_other_commands(std::string_view name) {
  return std::find(kRunners.begin(), kRunners.end(), name) != kRunners.end();
}

bool is_builtin(std::string_view name) {
  return runs_other_commands(name) || find_builtin(name) != nullptr;
}

}  // namespace recipelint::shell
