#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyzer/launch/launch.h"
#include "analyzer/shell/evaluate.h"

namespace recipelint::launch {

/// The engine, router, client or companion that a command starts.
struct Program {
  std::string name;
  std::size_t index = 0;
  std::size_t arguments_index = 0;
  Engine engine = Engine::kOther;
  Role role = Role::kAggregate;
};

/// Looks for a program that matters to a benchmark behind any wrappers; nullopt if there is none.
std::optional<Program> recognize(std::span<const shell::Value> argv);

/// The launches of an evaluation that recorded what recognize() knows, in the order in which they
/// were reached.
std::vector<Launch> launches_of(const shell::Evaluation& evaluation);

/// The word of argv with the image that a container is started from ("docker run ... IMAGE");
/// nullopt if it runs in none.
std::optional<std::size_t> image_word(const Launch& launch);

/// Whether it is a server: an engine that answers requests itself.
bool is_server(const Launch& launch);

}  // namespace recipelint::launch
