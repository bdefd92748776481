#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/shell/interpreter.h"

namespace recipelint::shell {

/// An external command that is about to run.
struct ExternalCall {
  Interpreter& interpreter;
  World& world;
  /// argv[0] is the name.
  const std::vector<Value>& argv;
  text::Span span;
};

/// Runs the model of an external command: what it prints, the files it writes, its status. Nullopt
/// if it has none, or none for these arguments; then nothing has happened.
std::optional<Status> run_modelled(ExternalCall& call);

/// Whether the command is one of those that every host has (or a text command).
bool is_on_every_host(std::string_view name);

}  // namespace recipelint::shell
