#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/shell/value.h"
#include "analyzer/text/origin.h"
#include "analyzer/text/span.h"

namespace recipelint::launch {

enum class Engine : std::uint8_t { kVllm, kSglang, kTensorRtLlm, kAtom, kOther };
/// "vllm", "sglang", "trtllm", "atom", "other".
std::string_view to_string(Engine engine);

/// What a process is for. A server that does both phases is kAggregate.
enum class Role : std::uint8_t { kAggregate, kPrefill, kDecode, kRouter, kClient, kCompanion };
/// "aggregate", "prefill", "decode", "router", "client", "companion".
std::string_view to_string(Role role);

/// A configuration file that the recipe writes and the launch reads.
struct ConfigFile {
  std::string path;
  shell::Value content;
};

/// One process that a cell starts: the command as exec would get it, every word with its origin.
struct Launch {
  /// The engine command behind wrappers (env, nohup, mpirun, ...): "vllm serve",
  /// "python3 -m sglang.launch_server", "trtllm-serve".
  std::string program;
  /// Index in argv of the first word of `program`.
  std::size_t program_index = 0;
  /// Index in argv of the first argument of the engine itself. For an image whose entry point is
  /// the engine ("docker run IMAGE --model m") that is the word after the image.
  std::size_t arguments_index = 0;
  Engine engine = Engine::kOther;
  Role role = Role::kAggregate;
  /// False if it depends on a condition that only the host can decide.
  bool certain = true;
  std::vector<shell::Value> argv;
  /// For each word of argv where the command that starts it takes it, whatever its text is made of:
  /// "$MODEL", "${COMMAND[@]}". Empty for a launch that no script starts; single ones may
  /// be invalid.
  std::vector<text::Span> argument_spans;
  /// Environment that differs from, or is absent in, the environment of the cell's script.
  std::map<std::string, shell::Value, std::less<>> environment;
  std::vector<ConfigFile> config_files;
  /// The command, or the block of a recipe file, that starts it.
  text::Span span;
  /// The commands that led there, outermost first: calls of functions, sourced files. Empty if the
  /// script itself starts it, and for what no script starts.
  std::vector<text::Span> calls;

  /// Where word `index` of argv stands: where it is written as a word of its own, on the command or
  /// in an array, else as in argument_spans, else where its text is written. May be invalid.
  text::Span place_of(std::size_t index) const;
};

}  // namespace recipelint::launch
