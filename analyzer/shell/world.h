#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/shell/ast.h"
#include "analyzer/shell/execution.h"
#include "analyzer/shell/join_policy.h"
#include "analyzer/shell/names.h"
#include "analyzer/shell/shared.h"
#include "analyzer/shell/table.h"
#include "analyzer/shell/variable.h"

namespace recipelint::shell {

/// Shell options that change the evaluation; the others are accepted and ignored.
struct Options {
  bool errexit = false;
  bool nounset = false;
  bool pipefail = false;
  bool noglob = false;
  bool allexport = false;
  bool errtrace = false;
  bool noexec = false;
  bool extglob = false;
  bool nullglob = false;
  bool failglob = false;
  bool dotglob = false;
  bool globstar = false;
  bool nocasematch = false;
  bool lastpipe = false;
  bool inherit_errexit = false;
  bool braceexpand = true;
  bool xtrace = false;

  friend bool operator==(const Options&, const Options&) = default;
};

/// Where a file descriptor leads.
struct Descriptor {
  enum class Kind : std::uint8_t {
    kTerminal,  // what the caller of the script gave: input unknown, output dropped
    kClosed,
    kNull,     // /dev/null
    kCapture,  // output: buffer `index` of the world
    kInput,    // input: source `index` of the world
    kFile,     // output: the virtual file `path`
    kHost,     // something outside: a device, socket or unknown path; `path` is the cause
  };
  Kind kind = Kind::kTerminal;
  std::uint32_t index = 0;
  std::string path;

  friend bool operator==(const Descriptor&, const Descriptor&) = default;
};

/// Open file descriptors; those not listed are closed, except that 0, 1 and 2 start as the
/// terminal.
using Descriptors = std::map<int, Descriptor>;

/// Something that is read: its text and how far reading has come.
struct InputSource {
  Value text;
  std::size_t piece = 0;
  std::size_t offset = 0;
};

struct FunctionBinding {
  const FunctionDefinition* definition = nullptr;
  /// The file that defined it, as BASH_SOURCE shows it.
  std::string source;

  friend bool operator==(const FunctionBinding&, const FunctionBinding&) = default;
};

struct Positional {
  std::vector<Value> values;
  /// Not empty if the number of parameters is not known: the cause.
  std::string uncertain_count;
};

/// The bindings that a function call or a prefix assignment hides, to be put back at its end.
struct Scope {
  enum class Kind : std::uint8_t { kFunction, kAssignments };
  Kind kind = Kind::kFunction;
  std::vector<std::pair<NameId, Shared<Variable>>> hidden;
};

/// Code of which only the host knows what it does, run in this shell: what it does not have may be
/// set.
struct UnknownCode {
  std::string cause;
  /// By eval: it is made to set variables. Else a file that is sourced, such as that of a virtual
  /// environment: names for which the script has a default count as unset.
  bool evaluated = false;

  friend bool operator==(const UnknownCode&, const UnknownCode&) = default;
};

/// What a subshell copies and loses again.
struct ShellState {
  Table<Variable> variables;
  Table<FunctionBinding> functions;
  Shared<Positional> positional;
  Shared<std::vector<Scope>> scopes;
  Shared<std::vector<Frame>> frames;
  Shared<Descriptors> descriptors;
  Shared<std::map<std::string, Value>> traps;
  Shared<std::string> directory;           // absolute
  Shared<std::string> previous_directory;  // empty until the first cd
  Shared<UnknownCode> unknown_code;        // empty if there was none
  Value zeroth;                            // $0
  Value last_background;                   // $!
  Options options;
  std::uint32_t subshell_depth = 0;
  /// getopts: the word it is in, and how far.
  std::uint32_t option_word = 0;
  std::uint32_t option_offset = 0;
};

/// How control leaves a statement.
enum class Flow : std::uint8_t {
  kNext,
  kBreak,
  kContinue,
  kReturn,
  kAbort,  // an expansion failed: on with the next command of the file
  kExit,
};

/// One state of affairs during an evaluation. Copying is cheap: copies share what they do not
/// change.
class World {
 public:
  ShellState shell;

  Status status;
  Flow flow = Flow::kNext;
  /// Loops that kBreak and kContinue still have to leave.
  int flow_levels = 0;
  /// For kExit: why, if not because of an exit command or the end of the script.
  std::string exit_reason;
  text::Span exit_span;
  std::vector<Status> pipe_status;
  /// Of the last command substitution in the command being run.
  std::optional<Status> substitution_status;

  /// What it said last to the caller of the script; empty if ways that were joined differ in it.
  Shared<Value> printed;

  Shared<VirtualFiles> files;
  Shared<std::vector<Shared<Value>>> captures;
  Shared<std::vector<InputSource>> inputs;
  Shared<RecordedExecutions> executions;
  Shared<std::vector<Assumption>> assumptions;

  bool is_running() const { return flow == Flow::kNext; }
};

using WorldPtr = std::unique_ptr<World>;
using Worlds = std::vector<WorldPtr>;

/// Whether the two would go on in the same way, whatever they have launched so far.
bool indistinguishable(const World& a, const World& b);
/// Whether they have launched the same.
bool same_executions(const World& a, const World& b);
/// Makes `into`, from which `other` is indistinguishable, stand for both: assumptions that they do
/// not share are dropped, and launches that not both have are no longer certain.
void absorb(World& into, const World& other);

enum class Widening : std::uint8_t {
  kAllowed,  // only what the policy does not keep apart
  kForced,   // whatever differs: there are too many worlds
};

/// Makes `into` stand for both: what differs becomes unknown, with a cause taken from the first
/// assumption that they do not share. Gives false, and changes nothing, if they differ in more than
/// variables, files, output and status.
bool widen(World& into, const World& other, const NameTable& names, JoinPolicy& policy,
           Widening widening);

}  // namespace recipelint::shell
