#pragma once

#include "analyzer/shell/builtins.h"

/// The builtins by family; find_builtin() has them by name.
namespace recipelint::shell::builtins {

// builtins_variables.cpp
Status declare(BuiltinCall& call);
Status unset(BuiltinCall& call);
Status shift(BuiltinCall& call);
Status set(BuiltinCall& call);
Status let(BuiltinCall& call);
Status getopts(BuiltinCall& call);

// builtins_io.cpp
Status echo(BuiltinCall& call);
Status printf(BuiltinCall& call);
Status read(BuiltinCall& call);
Status mapfile(BuiltinCall& call);

// builtins_control.cpp
Status succeed(BuiltinCall& call);
Status fail(BuiltinCall& call);
Status exit(BuiltinCall& call);
Status leave_function(BuiltinCall& call);
Status leave_loop(BuiltinCall& call);
Status test(BuiltinCall& call);
Status trap(BuiltinCall& call);
Status change_directory(BuiltinCall& call);
Status print_directory(BuiltinCall& call);
Status push_directory(BuiltinCall& call);
Status shell_options(BuiltinCall& call);
Status type(BuiltinCall& call);
Status of_the_host(BuiltinCall& call);

}  // namespace recipelint::shell::builtins
