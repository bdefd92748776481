#include "tests/support/launch_oracle.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "analyzer/shell/evaluate.h"
#include "analyzer/text/file_tree.h"
#include "analyzer/text/source_store.h"
#include "tests/support/shell_oracle.h"

namespace recipelint::testing {
namespace {

namespace fs = std::filesystem;

// Writes its arguments and its E_ variables as NUL-terminated strings.
constexpr std::string_view kStub = R"(#!/bin/sh
{
  printf 'argv\0%d\0' $(($# + 1))
  printf '%s\0' "${0##*/}" "$@"
  for name in E_A E_B E_C; do
    eval "[ -n \"\${$name+x}\" ] && printf 'env\\0%s\\0%s\\0' $name \"\$$name\""
  done
  printf 'end\0'
} >> "$ORACLE_LOG"
)";

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "recipelint-oracle-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void write_file(const fs::path& path, std::string_view text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void add_stubs(const fs::path& folder) {
  for (const char* name : {"vllm", "engine", "server"}) {
    write_file(folder / name, kStub);
    fs::permissions(folder / name, fs::perms::owner_all);
  }
}

bool is_stub(std::string_view name) {
  return name == "vllm" || name == "engine" || name == "server";
}

/// Stubs print nothing and succeed.
class StubModels final : public shell::HostModels {
 public:
  bool knows(std::string_view name) const override { return is_stub(name); }
  std::optional<shell::HostAnswer> answer(const shell::HostQuestion&) const override {
    return shell::HostAnswer{{}, shell::Status::of(0)};
  }
};

std::vector<StubCall> parse_log(const std::string& log) {
  std::vector<std::string> fields;
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = log.find('\0', at);
    fields.push_back(log.substr(at, end - at));
    at = end + 1;
  }
  std::vector<StubCall> calls;
  for (std::size_t i = 0; i + 1 < fields.size();) {
    StubCall call;
    const std::size_t count = std::stoul(fields[i + 1]);
    i += 2;
    for (std::size_t word = 0; word < count; ++word) call.argv.push_back(fields[i++]);
    for (; fields[i] == "env"; i += 3) call.environment.emplace_back(fields[i + 1], fields[i + 2]);
    ++i;
    calls.push_back(std::move(call));
  }
  return calls;
}

std::string command_line(const fs::path& root, const fs::path& folder,
                         const LaunchProgram& program) {
  std::string line = "( cd " + shell_word(folder.string()) +
                     " && env -i PATH=" + shell_word((root / "stubs").string() + ":/usr/bin:/bin") +
                     " LC_ALL=C.UTF-8 ORACLE_LOG=" + shell_word(folder.string() + ".log");
  for (const auto& [name, value] : program.environment)
    line += " " + name + "=" + shell_word(value);
  // The log is written before the program ends, except by what runs in the background.
  return line + " timeout 10 bash main.sh </dev/null >/dev/null 2>&1; echo $? > " +
         shell_word(folder.string() + ".status") + "; wait )\n";
}

}  // namespace

std::vector<LaunchRun> run_with_bash(const std::vector<LaunchProgram>& programs) {
  const TemporaryFolder root;
  add_stubs(root.path() / "stubs");
  std::string driver;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const fs::path folder = root.path() / std::to_string(i);
    write_file(folder / "main.sh", programs[i].script);
    for (const auto& [name, text] : programs[i].other_files) write_file(folder / name, text);
    driver += command_line(root.path(), folder, programs[i]);
  }
  run_bash(driver);
  std::vector<LaunchRun> runs;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const fs::path folder = root.path() / std::to_string(i);
    LaunchRun run;
    run.calls = parse_log(read_file(folder.string() + ".log"));
    run.status = std::atoi(read_file(folder.string() + ".status").c_str());
    runs.push_back(std::move(run));
  }
  return runs;
}

LaunchRun run_with_evaluator(const LaunchProgram& program) {
  text::MemoryTree tree;
  tree.add("main.sh", program.script);
  for (const auto& [name, text] : program.other_files) tree.add(name, text);
  text::SourceStore files(tree);
  shell::ScriptCache scripts(files);
  shell::EvaluationInput input;
  input.scripts = &scripts;
  input.script = input.invoked_as = "main.sh";
  input.working_directory = "/work";
  input.mounts = {{"/work", ""}};
  for (const auto& [name, value] : program.environment) {
    input.environment.push_back({name, shell::Value::of(value)});
  }
  input.wanted = [](std::span<const shell::Value> argv) { return is_stub(argv[0].text()); };
  const StubModels stubs;
  input.host = &stubs;
  text::OriginPool pool;
  const shell::Evaluation result = shell::evaluate(input, pool);
  LaunchRun run;
  for (const shell::Shared<shell::Execution>& execution : result.executions) {
    StubCall call;
    for (const shell::Value& word : execution->argv) {
      call.argv.push_back(word.text());
      if (!word.is_known()) run.doubts.push_back("unknown word " + word.text());
    }
    std::map<std::string, std::string> environment = program.environment;
    for (const std::string& name : execution->removed_environment) environment.erase(name);
    for (const auto& [name, value] : execution->environment) environment[name] = value.text();
    for (const auto& [name, value] : environment) {
      if (name.starts_with("E_")) call.environment.emplace_back(name, value);
    }
    run.calls.push_back(std::move(call));
  }
  for (std::size_t i = 0; i < result.certain.size(); ++i) {
    if (!result.certain[i]) run.doubts.push_back("uncertain call " + run.calls[i].argv[0]);
  }
  if (result.ends.size() != 1) {
    run.doubts.push_back(std::to_string(result.ends.size()) + " ways to end");
  }
  run.status = -1;
  if (!result.ends.empty() && result.ends[0].status.known) run.status = result.ends[0].status.value;
  for (const shell::Diagnostic& diagnostic : result.diagnostics) {
    if (diagnostic.kind == shell::DiagnosticKind::kUnparsed ||
        diagnostic.kind == shell::DiagnosticKind::kUnmodelled ||
        diagnostic.kind == shell::DiagnosticKind::kLimit) {
      run.doubts.push_back(diagnostic.message);
    }
  }
  return run;
}

std::string describe(const LaunchRun& run) {
  std::string out;
  for (const StubCall& call : run.calls) {
    for (const std::string& word : call.argv) out += shell_word(word) + " ";
    for (const auto& [name, value] : call.environment) out += "{" + name + "=" + value + "} ";
    out += "\n";
  }
  for (const std::string& doubt : run.doubts) out += "doubt: " + doubt + "\n";
  return out + "status " + std::to_string(run.status) + "\n";
}

}  // namespace recipelint::testing
