#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/shell/value.h"

namespace recipelint::shell {

/// The command that a wrapper (env, nohup, timeout, numactl, mpirun, srun, docker run ...) starts.
struct WrappedCommand {
  enum class Where : std::uint8_t {
    kHere,       // same files, same environment
    kContainer,  // in a container or on another machine: other files, perhaps another environment
  };
  /// Index in argv of its first word.
  std::size_t first = 0;
  Where where = Where::kHere;
  /// Variables that the wrapper sets (env A=1, docker run -e A=1).
  std::vector<std::pair<std::string, Value>> environment;
  /// Index of the image for "docker run".
  std::optional<std::size_t> image;
  /// docker run --entrypoint: the program that gets the words from `first` on.
  std::optional<Value> entrypoint;
  /// The inner command is one text for a shell (ssh host "..."), not words.
  bool is_shell_text = false;
};

/// Looks behind one wrapper; nullopt if argv[0] is none, or starts nothing.
std::optional<WrappedCommand> unwrap(std::span<const Value> argv);

}  // namespace recipelint::shell
