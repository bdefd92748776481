#include "analyzer/launch/recognize.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "analyzer/shell/wrappers.h"

namespace recipelint::launch {
namespace {

using shell::Value;

/// A command by its name, perhaps with its first argument ("vllm serve").
struct NamedProgram {
  std::string_view command;
  std::string_view subcommand;
  Engine engine;
  Role role;
};

constexpr std::array<NamedProgram, 19> kCommands = {{
    {"vllm", "serve", Engine::kVllm, Role::kAggregate},
    {"vllm", "bench", Engine::kVllm, Role::kClient},
    {"vllm-router", "", Engine::kOther, Role::kRouter},
    {"vllm_router", "", Engine::kOther, Role::kRouter},
    {"sglang", "serve", Engine::kSglang, Role::kAggregate},
    {"sglang-router", "", Engine::kOther, Role::kRouter},
    {"sglang_router", "", Engine::kOther, Role::kRouter},
    {"smg", "", Engine::kOther, Role::kRouter},
    {"trtllm-serve", "disaggregated", Engine::kTensorRtLlm, Role::kRouter},
    {"trtllm-serve", "", Engine::kTensorRtLlm, Role::kAggregate},
    {"trtllm-bench", "", Engine::kTensorRtLlm, Role::kClient},
    {"lmcache", "", Engine::kOther, Role::kCompanion},
    {"lmcache_server", "", Engine::kOther, Role::kCompanion},
    {"mooncake_master", "", Engine::kOther, Role::kCompanion},
    {"mooncake_client", "", Engine::kOther, Role::kCompanion},
    {"etcd", "", Engine::kOther, Role::kCompanion},
    {"nats-server", "", Engine::kOther, Role::kCompanion},
    {"aiperf", "", Engine::kOther, Role::kClient},
    {"genai-perf", "", Engine::kOther, Role::kClient},
}};

/// A Python module: exactly this name, or anything below it if it ends with a dot.
struct NamedModule {
  std::string_view name;
  Engine engine;
  Role role;
};

constexpr std::array<NamedModule, 19> kModules = {{
    {"vllm.entrypoints.", Engine::kVllm, Role::kAggregate},
    {"vllm_router.", Engine::kOther, Role::kRouter},
    {"sglang.launch_server", Engine::kSglang, Role::kAggregate},
    {"sglang.srt.", Engine::kSglang, Role::kAggregate},
    {"sglang.bench_serving", Engine::kSglang, Role::kClient},
    {"sglang.bench_one_batch_server", Engine::kSglang, Role::kClient},
    {"sglang_router.", Engine::kOther, Role::kRouter},
    {"smg.", Engine::kOther, Role::kRouter},
    {"atom.entrypoints.", Engine::kAtom, Role::kAggregate},
    {"atom.mesh.", Engine::kOther, Role::kRouter},
    {"tensorrt_llm.commands.serve", Engine::kTensorRtLlm, Role::kAggregate},
    {"dynamo.vllm", Engine::kVllm, Role::kAggregate},
    {"dynamo.sglang", Engine::kSglang, Role::kAggregate},
    {"dynamo.trtllm", Engine::kTensorRtLlm, Role::kAggregate},
    {"dynamo.frontend", Engine::kOther, Role::kRouter},
    {"dynamo.", Engine::kOther, Role::kCompanion},
    {"mooncake.", Engine::kOther, Role::kCompanion},
    {"lmcache.", Engine::kOther, Role::kCompanion},
    {"vllm.benchmarks.", Engine::kVllm, Role::kClient},
}};

/// Python files that are run by their path.
constexpr std::array<NamedModule, 4> kScripts = {{
    {"benchmark_serving.py", Engine::kOther, Role::kClient},
    {"bench_serving.py", Engine::kOther, Role::kClient},
    {"launch_server.py", Engine::kSglang, Role::kAggregate},
    {"api_server.py", Engine::kVllm, Role::kAggregate},
}};

/// Images whose entry point is the server.
struct NamedImage {
  std::string_view part;
  std::string_view program;
  Engine engine;
};

constexpr std::array<NamedImage, 3> kServerImages = {{
    {"vllm-openai", "vllm serve", Engine::kVllm},
    {"vllm-overlay", "vllm serve", Engine::kVllm},
    {"vllm/", "vllm serve", Engine::kVllm},
}};

std::string base_name(const Value& word) {
  const std::string text = word.text();
  const auto slash = text.rfind('/');
  return slash == std::string::npos ? text : text.substr(slash + 1);
}

// Whether the last component of a path is known, wherever the host has it.
bool has_known_name(const Value& word) {
  if (word.is_known()) return true;
  const shell::Piece& last = word.pieces().back();
  return last.known && last.text.get().find('/') != std::string::npos;
}

bool is_python(const std::string& name) {
  return name == "python" || name.starts_with("python3") || name.starts_with("python2");
}

const NamedModule* find_module(std::string_view module) {
  for (const NamedModule& candidate : kModules) {
    const bool is_prefix = candidate.name.ends_with('.');
    if (is_prefix ? module.starts_with(candidate.name) : module == candidate.name) {
      return &candidate;
    }
  }
  return nullptr;
}

std::optional<Program> python_program(std::span<const Value> argv, std::size_t first) {
  constexpr std::string_view kOptionsWithOperand = "WXQ";
  for (std::size_t i = first + 1; i < argv.size() && argv[i].is_known(); ++i) {
    const std::string word = argv[i].text();
    if (word == "-m") {
      if (i + 1 >= argv.size()) return std::nullopt;
      const std::string module = argv[i + 1].text();
      const NamedModule* found = find_module(module);
      if (found == nullptr) return std::nullopt;
      return Program{"python3 -m " + module, first, i + 2, found->engine, found->role};
    }
    if (word == "-c" || word == "-") return std::nullopt;
    if (word.size() > 1 && word[0] == '-') {
      if (word.size() == 2 && kOptionsWithOperand.find(word[1]) != std::string_view::npos) ++i;
      continue;
    }
    const std::string script = base_name(argv[i]);
    for (const NamedModule& candidate : kScripts) {
      if (script != candidate.name) continue;
      return Program{"python3 " + script, first, i + 1, candidate.engine, candidate.role};
    }
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Program> command_program(std::span<const Value> argv, std::size_t first) {
  const std::string name = base_name(argv[first]);
  if (is_python(name)) return python_program(argv, first);
  for (const NamedProgram& candidate : kCommands) {
    if (candidate.command != name) continue;
    if (candidate.subcommand.empty()) {
      return Program{name, first, first + 1, candidate.engine, candidate.role};
    }
    if (first + 1 < argv.size() && argv[first + 1].text() == candidate.subcommand) {
      return Program{name + " " + std::string(candidate.subcommand), first, first + 2,
                     candidate.engine, candidate.role};
    }
  }
  return std::nullopt;
}

std::optional<Program> image_program(std::span<const Value> argv, std::size_t image) {
  const std::string name = argv[image].text();
  for (const NamedImage& candidate : kServerImages) {
    if (name.find(candidate.part) == std::string::npos) continue;
    return Program{std::string(candidate.program), image, image + 1, candidate.engine,
                   Role::kAggregate};
  }
  return std::nullopt;
}

// The value of "--name VALUE" or "--name=VALUE"; empty if absent or unknown.
std::string option_value(std::span<const Value> argv, std::string_view name) {
  for (std::size_t i = 0; i < argv.size(); ++i) {
    const std::string word = argv[i].text();
    if (word == name) return i + 1 < argv.size() ? argv[i + 1].text() : std::string();
    if (word.starts_with(name) && word.size() > name.size() && word[name.size()] == '=') {
      return word.substr(name.size() + 1);
    }
  }
  return {};
}

bool has_flag(std::span<const Value> argv, std::string_view name) {
  return std::any_of(argv.begin(), argv.end(),
                     [&](const Value& word) { return word.is_known() && word.text() == name; });
}

Role refined_role(const Program& program, std::span<const Value> argv) {
  if (program.role != Role::kAggregate) return program.role;
  const std::string mode = option_value(argv, "--disaggregation-mode");
  const std::string server_role = option_value(argv, "--server_role");
  const std::string transfer =
      option_value(argv, "--kv-transfer-config") + option_value(argv, "--kv_transfer_config");
  const bool produces = transfer.find("kv_producer") != std::string::npos;
  const bool consumes = transfer.find("kv_consumer") != std::string::npos;
  if (mode == "prefill" || server_role == "CONTEXT" || produces ||
      has_flag(argv, "--is-prefill-worker")) {
    return Role::kPrefill;
  }
  if (mode == "decode" || server_role == "GENERATION" || consumes ||
      has_flag(argv, "--is-decode-worker")) {
    return Role::kDecode;
  }
  return Role::kAggregate;
}

// The file names that a word may hold: "path", "--option=path", "@path".
void add_config_file(const shell::Execution& execution, const std::string& word, Launch& launch) {
  std::vector<std::string> candidates = {word};
  if (word.starts_with('-')) {
    if (const auto equals = word.find('='); equals != std::string::npos) {
      candidates.push_back(word.substr(equals + 1));
    }
  }
  if (word.starts_with('@')) candidates.push_back(word.substr(1));
  for (const std::string& path : candidates) {
    const shell::VirtualFile* file = execution.find_file(path);
    if (file == nullptr) continue;
    const bool seen = std::any_of(launch.config_files.begin(), launch.config_files.end(),
                                  [&](const ConfigFile& known) { return known.path == path; });
    if (!seen) launch.config_files.push_back({path, file->content});
  }
}

bool names_config(const std::string& variable) {
  return variable.find("CONFIG") != std::string::npos || variable.ends_with("_CFG");
}

Launch make_launch(const shell::Execution& execution, bool certain, const Program& program) {
  Launch launch;
  launch.program = program.name;
  launch.program_index = program.index;
  launch.arguments_index = program.arguments_index;
  launch.engine = program.engine;
  launch.certain = certain;
  launch.argv = execution.argv;
  launch.argument_spans = execution.argument_spans;
  for (const shell::Frame& frame : *execution.call_stack) {
    if (frame.call.valid()) launch.calls.push_back(frame.call);
  }
  launch.span = execution.span;
  launch.role = refined_role(program, execution.argv);
  for (const auto& [name, value] : execution.environment) launch.environment.emplace(name, value);
  for (const Value& word : execution.argv) add_config_file(execution, word.text(), launch);
  for (const auto& [name, value] : execution.environment) {
    if (names_config(name)) add_config_file(execution, value.text(), launch);
  }
  return launch;
}

}  // namespace

std::optional<Program> recognize(std::span<const Value> argv) {
  std::size_t first = 0;
  while (first < argv.size()) {
    if (!has_known_name(argv[first])) return std::nullopt;
    if (auto program = command_program(argv, first)) return program;
    const auto inner = shell::unwrap(argv.subspan(first));
    if (!inner || inner->is_shell_text) return std::nullopt;
    const std::size_t next = first + inner->first;
    if (inner->image) {
      const bool has_command =
          next < argv.size() && argv[next].is_known() && command_program(argv, next).has_value();
      if (!has_command && !inner->entrypoint) return image_program(argv, first + *inner->image);
    }
    if (inner->first == 0) return std::nullopt;
    first = next;
  }
  return std::nullopt;
}

std::vector<Launch> launches_of(const shell::Evaluation& evaluation) {
  std::vector<Launch> launches;
  for (std::size_t i = 0; i < evaluation.executions.size(); ++i) {
    const shell::Execution& execution = *evaluation.executions[i];
    if (const auto program = recognize(execution.argv)) {
      launches.push_back(make_launch(execution, evaluation.certain[i], *program));
    }
  }
  return launches;
}

std::optional<std::size_t> image_word(const Launch& launch) {
  const std::span<const Value> argv(launch.argv);
  std::size_t first = 0;
  while (first < argv.size()) {
    const auto inner = shell::unwrap(argv.subspan(first));
    if (!inner) return std::nullopt;
    if (inner->image) return first + *inner->image;
    if (inner->is_shell_text || inner->first == 0) return std::nullopt;
    first += inner->first;
  }
  return std::nullopt;
}

bool is_server(const Launch& launch) {
  return launch.role == Role::kAggregate || launch.role == Role::kPrefill ||
         launch.role == Role::kDecode;
}

}  // namespace recipelint::launch
