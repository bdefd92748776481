#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/shell/ast.h"
#include "analyzer/shell/execution.h"
#include "analyzer/shell/join_policy.h"
#include "analyzer/shell/value.h"
#include "analyzer/text/kind_cache.h"
#include "analyzer/text/origin.h"
#include "analyzer/text/origin_interner.h"
#include "analyzer/text/source_store.h"

/// Symbolic evaluation of bash scripts: what a script would start in a given environment, without
/// running anything.
namespace recipelint::shell {

/// Parses each script of a tree at most once. Safe to use from several threads.
class ScriptCache {
 public:
  explicit ScriptCache(text::SourceStore& files) : files_(files), tree_(files.tree()) {}
  ScriptCache(const ScriptCache&) = delete;
  ScriptCache& operator=(const ScriptCache&) = delete;

  /// The script at a path relative to the root; null if it cannot be read. Lives as long as the
  /// cache.
  const Script* load(const std::string& path);
  text::SourceStore& files() { return files_; }
  /// The tree of the files, asked once what is at a path: scripts look for the same files over and
  /// over.
  const text::FileTree& tree() const { return tree_; }

 private:
  struct Slot {
    std::once_flag parsed;
    std::shared_ptr<const Script> script;
  };

  text::SourceStore& files_;
  text::KindCache tree_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::unique_ptr<Slot>> slots_;
};

/// Shows a folder of the tree under an absolute path, as a container does: "/workspace" -> "".
struct Mount {
  std::string path;
  std::string folder;
};

struct EnvironmentVariable {
  std::string name;
  Value value;
};

/// What a command or function that is not evaluated is taken to print and to return.
struct HostAnswer {
  Value output;
  Status status;
};

/// Looks at a command that is about to run.
struct HostQuestion {
  std::string_view name;
  std::span<const Value> arguments;  // without the name
  /// The value of a variable, nullopt if it is not set.
  std::function<std::optional<Value>(std::string_view)> variable;
};

/// Named models of commands and functions that only the host could run.
class HostModels {
 public:
  virtual ~HostModels() = default;
  virtual bool knows(std::string_view name) const = 0;
  /// Only for names it knows; nullopt means "evaluate it as usual".
  virtual std::optional<HostAnswer> answer(const HostQuestion& question) const = 0;
};

/// Bounds of one evaluation. They count work, not time, so that results do not depend on the
/// machine.
struct Limits {
  /// Worlds at one time before those that differ least are made one.
  std::uint32_t worlds = 16;
  /// Statements, words and loop turns, plus one for each 64 bytes copied.
  std::uint64_t steps = 2'000'000;
  std::uint32_t loop_turns = 20'000;
  std::uint64_t value_bytes = 1u << 20u;
  std::uint64_t total_bytes = 16u << 20u;
  std::uint32_t call_depth = 100;
  std::uint32_t executions = 2'000;
};

struct EvaluationInput {
  ScriptCache* scripts = nullptr;
  /// Relative to the root.
  std::string script;
  /// $0 as the caller writes it, relative to `working_directory` or absolute.
  std::string invoked_as;
  std::vector<Value> arguments;
  std::vector<EnvironmentVariable> environment;
  /// Whether a name that `environment` does not have is unset, or simply not known. An unknown
  /// variable still counts as unset where the script has a default for it (${X:-default}).
  enum class Absent : std::uint8_t { kUnset, kUnknown };
  Absent absent = Absent::kUnset;
  /// Names that every host sets, each to its own value (HOME, PATH, ...), unless given.
  bool host_variables = true;
  /// Absolute.
  std::string working_directory = "/";
  std::vector<Mount> mounts;
  Limits limits;
  /// Which external commands are to be recorded, by argv. Null: all of them.
  std::function<bool(std::span<const Value>)> wanted;
  /// Which of the others are to be noted where they are reached. Nothing else depends on that: not
  /// what counts as a start, and not which ways are told apart. Null: none.
  std::function<bool(std::span<const Value>)> noted;
  const HostModels* host = nullptr;
};

/// A place and status with which the script ends; it can stand for several ways to come there.
struct WorldEnd {
  Status status;
  /// Why it ended, if not by exit or at its last line: "set -e after 'false'".
  std::string reason;
  text::Span span;
  /// What it said last to its caller; empty if that is nothing or not the same on all ways.
  std::string printed;
  /// What it started, in order.
  RecordedExecutions executions;
  std::vector<Assumption> assumptions;
};

enum class DiagnosticKind : std::uint8_t {
  kUnparsed,          // a statement that could not be understood
  kLimit,             // a bound of the evaluation was reached
  kMissingSource,     // source of a file that is not there
  kOutsideSource,     // source of a file outside the root
  kUnsetVariable,     // set -u and an unset variable
  kRequiredVariable,  // ${X:?} and X is unset or empty
  kArithmetic,        // division by zero, syntax error in an expression
  kIntegerExpected,   // [ text -gt 1 ]
  kCommandNotFound,   // certainly no command: a flag, an assignment-like word, a variable's name
  kUnmodelled,        // something of bash itself that is not evaluated
  kReadonly,          // assignment to a readonly variable
  kRefusedArgument,   // a function's argument loop refuses a word of its call
  kMissingArgument,   // a function with an argument loop demands an option that its call lacks
  kUnsetExpansion,    // an unset variable, without set -u, in what a recorded command is made of
  kIgnoredArgument,   // a function's argument loop drops an option of its call; the message: which
};

/// Something that deserves to be said about one place of a script.
struct Diagnostic {
  DiagnosticKind kind = DiagnosticKind::kUnparsed;
  text::Span span;
  std::string message;
  /// The variable, file or command concerned.
  std::string subject;
  /// Whether it happens whatever the host decides.
  bool certain = true;
  /// Whether the script looks at the status of the command, so that "set -e" does not apply.
  bool tested = false;
  /// Whether the complaint goes to /dev/null.
  bool silenced = false;
  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

/// An assignment in a script and whether anything has read its value.
struct AssignmentUse {
  std::string name;
  text::Span span;
  /// It was used for something other than to give a value to variables that nothing has read.
  bool read = false;
};

/// The name of a variable that was handed to a function which ends the script, or fails, unless it
/// is set (see contracts.h).
struct DemandedName {
  std::string name;
  /// The word that hands it over.
  text::Span span;
  std::string function;
};

/// An if or case statement that was reached, by its first condition or its subject.
struct BranchUse {
  text::Span span;
  /// Bit i for its arm i, in order, the else arm behind the others; arms from 63 on share a bit.
  std::uint64_t taken = 0;
  /// Whether only the host knew the way, at least once.
  bool undecided = false;
};

/// An external command that was reached.
struct CommandUse {
  std::string name;
  text::Span span;
};

/// An external command that the caller wanted to be noted, on one of the ways that lead there.
struct NotedCommand {
  std::vector<Value> argv;
  /// As in Execution.
  std::vector<text::Span> argument_spans;
  text::Span span;
  std::vector<Frame> call_stack;
};

struct Evaluation {
  enum class Outcome : std::uint8_t {
    kComplete,
    kPartial,   // a word of a recorded command is unknown, or a limit was reached
    kRejected,  // every way ends with a failure before anything was recorded
    kMissing,   // the script cannot be read
  };
  Outcome outcome = Outcome::kComplete;
  std::vector<WorldEnd> ends;
  /// The executions of all ends, without repetitions, in the order in which they were reached.
  std::vector<Shared<Execution>> executions;
  /// For each of them whether every way that does not fail first comes to an equal one.
  std::vector<bool> certain;
  std::vector<Diagnostic> diagnostics;
  std::vector<AssignmentUse> assignments;
  std::vector<DemandedName> demands;
  std::vector<BranchUse> branches;
  /// The scripts of the tree that ran or were sourced, relative to the root, each once.
  std::vector<std::string> scripts;
  /// Whether code ran of which only the host knows what it does.
  bool ran_unknown_code = false;
  std::vector<CommandUse> commands;
  /// One for each place and text, in the order in which they were reached.
  std::vector<NotedCommand> noted;
  /// The files of the tree that were read, the script itself among them; sorted.
  std::vector<std::string> files;
  std::uint64_t steps = 0;
  std::uint32_t most_worlds = 0;
};

/// Evaluates `input.script`. Origins of what it gives belong to the pool of `origins`, and texts to
/// `input.scripts`; both must outlive the result. Never fails: bad input ends in an outcome.
Evaluation evaluate(const EvaluationInput& input, text::OriginInterner& origins);
/// After so many passes a result stands as it is.
constexpr int kMostPasses = 4;
/// One pass of it. Joins what `policy` allows; if that can be refined by the result, the evaluation
/// is worth another pass.
Evaluation evaluate_once(const EvaluationInput& input, text::OriginInterner& origins,
                         JoinPolicy& policy);
/// The same with origins of its own in `pool`.
Evaluation evaluate(const EvaluationInput& input, text::OriginPool& pool);

}  // namespace recipelint::shell
