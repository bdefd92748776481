#pragma once

#include <string_view>

#include "analyzer/shell/interpreter.h"

namespace recipelint::shell {

/// A builtin that is about to run. Its status is the result; control flow goes into the world.
struct BuiltinCall {
  Interpreter& interpreter;
  World& world;
  const Invocation& invocation;

  std::size_t count() const { return invocation.words.size(); }
  const Value& value(std::size_t index) const { return invocation.words[index].value(); }
  /// The text of an argument; unknown parts stand as "${cause}".
  std::string text(std::size_t index) const { return value(index).text(); }
  void print(Value output) const { interpreter.io().write(world, 1, std::move(output), span()); }
  text::Span span() const { return invocation.span; }
};

using Builtin = Status (*)(BuiltinCall&);

/// The builtin of that name; null if there is none. Those that run other commands (eval, source,
/// ".", exec, command, builtin) belong to the interpreter itself.
Builtin find_builtin(std::string_view name);
/// Whether bash has a builtin of that name at all.
bool is_builtin(std::string_view name);
/// eval, source, ".", exec, command and builtin.
bool runs_other_commands(std::string_view name);

}  // namespace recipelint::shell
