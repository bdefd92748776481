#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

/// Scripts under real bash, with stubs in place of what they launch, and the same scripts under the
/// evaluator.
namespace recipelint::testing {

/// A script and what it finds.
struct LaunchProgram {
  std::string script;
  std::map<std::string, std::string> environment;
  std::map<std::string, std::string> other_files;
};

/// What one start of a stub was given: argv, and those variables of its environment that start with
/// "E_".
struct StubCall {
  std::vector<std::string> argv;
  std::vector<std::pair<std::string, std::string>> environment;

  friend bool operator==(const StubCall&, const StubCall&) = default;
};

struct LaunchRun {
  std::vector<StubCall> calls;
  /// Exit status; -1 if the evaluator does not know it.
  int status = 0;
  /// What the evaluator could not say; empty for bash.
  std::vector<std::string> doubts;
};

/// Runs the programs with bash, all in one go. The stubs are vllm, engine and server; each is in a
/// folder of its own. A program that runs for more than some seconds is stopped.
std::vector<LaunchRun> run_with_bash(const std::vector<LaunchProgram>& programs);
/// Evaluates a program; its calls are the certain ones, in order.
LaunchRun run_with_evaluator(const LaunchProgram& program);

/// For messages: one call per line.
std::string describe(const LaunchRun& run);

}  // namespace recipelint::testing
