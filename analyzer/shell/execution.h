#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/shell/shared.h"
#include "analyzer/shell/value.h"
#include "analyzer/text/span.h"

namespace recipelint::shell {

/// A file as the script has left it.
struct VirtualFile {
  enum class Kind : std::uint8_t {
    kFile,
    kFolder,
    kRemoved,
  };
  Kind kind = Kind::kFile;
  Value content;
  /// The redirection or command that wrote it last.
  text::Span writer;
};

/// Files that the script created, changed or removed, by absolute path.
using VirtualFiles = std::map<std::string, Shared<VirtualFile>, std::less<>>;

/// Exit status of a command: known, or the cause why only the host knows it.
struct Status {
  int value = 0;
  bool known = true;
  std::string cause;

  static Status of(int value) { return {value, true, {}}; }
  static Status unknown(std::string cause) { return {0, false, std::move(cause)}; }
  /// "!" in front of the command.
  Status negated() const { return known ? of(value == 0 ? 1 : 0) : unknown("not " + cause); }
  bool is_failure() const { return known && value != 0; }
  friend bool operator==(const Status&, const Status&) = default;
};

/// A decision that only the host can make and that the evaluation took one way.
struct Assumption {
  text::Span span;
  /// What the outcome depends on: "exit status of curl", "environment variable USER".
  std::string cause;
  /// "succeeds", "fails", "is empty", "is set".
  std::string outcome;
  /// Which of the alternatives this is.
  std::uint32_t choice = 0;

  friend bool operator==(const Assumption&, const Assumption&) = default;
};

/// One level of the call stack.
struct Frame {
  /// "main", "source" or the name of a function.
  std::string function;
  /// The path as BASH_SOURCE shows it.
  std::string source;
  /// The command that entered this level; invalid for the script itself.
  text::Span call;

  friend bool operator==(const Frame&, const Frame&) = default;
};

/// One start of an external command that the caller wanted to see.
struct Execution {
  /// The command as exec would get it.
  std::vector<Value> argv;
  /// For each word of argv where it stands: a word of a command or an element of an array. May be
  /// invalid.
  std::vector<text::Span> argument_spans;
  /// Exported variables that differ from, or are absent in, the environment of the script.
  std::vector<std::pair<std::string, Value>> environment;
  /// Names of the script's environment that are no longer exported.
  std::vector<std::string> removed_environment;
  Shared<VirtualFiles> files;
  std::string working_directory;
  bool background = false;
  /// Decisions of the host that led here; those of which every other way fails are left out.
  std::vector<Assumption> assumptions;
  text::Span span;
  Shared<std::vector<Frame>> call_stack;

  /// The content of a file that the script wrote; null if it did not. A relative path starts at the
  /// working directory.
  const VirtualFile* find_file(std::string_view path) const;
};

/// Whether both start the same command at the same place in the same environment.
bool same_execution(const Execution& a, const Execution& b);

/// An execution of one world, which may stand for several ways to come here.
struct RecordedExecution {
  Shared<Execution> execution;
  /// On all of these ways, not only on some.
  bool always = true;
};
using RecordedExecutions = std::vector<RecordedExecution>;

/// Adds what only `other` has, and notes what not both have.
void merge_executions(RecordedExecutions& into, const RecordedExecutions& other);

}  // namespace recipelint::shell
