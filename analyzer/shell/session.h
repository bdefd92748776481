#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "analyzer/shell/evaluate.h"
#include "analyzer/shell/names.h"
#include "analyzer/shell/world.h"

namespace recipelint::shell {

/// Variables that bash itself sets; their ids are the first ones, in this order.
enum WellKnownName : NameId {
  kIfs,
  kHome,
  kPwd,
  kOldPwd,
  kRandom,
  kSeconds,
  kEpochSeconds,
  kEpochRealtime,
  kLineNumber,
  kBashPid,
  kParentPid,
  kUserId,
  kEffectiveUserId,
  kHostName,
  kFunctionNames,
  kBashSource,
  kBashLineNumbers,
  kPipeStatus,
  kBashVersion,
  kOsType,
  kMachineType,
  kHostType,
  kShellLevel,
  kUser,
  kLogName,
  kPath,
  kShell,
  kTerminalName,
  kLanguage,
  kOptionIndex,
  kReply,
  kBashRematch,
  kWellKnownNames,
};

/// The decisions taken while the words of one command are expanded. An expansion that has several
/// outcomes takes one; the command is then expanded again for each of the others, from the world
/// before it.
class ChoiceTape {
 public:
  /// The outcome to take now, below `count`.
  std::uint32_t choose(std::uint32_t count);
  /// Moves on to the next combination; false if all were taken.
  bool advance();
  bool branched() const { return !taken_.empty(); }

 private:
  struct Choice {
    std::uint32_t taken;
    std::uint32_t count;
  };
  std::vector<Choice> taken_;
  std::size_t next_ = 0;
};

/// What one evaluation shares between all its worlds: input, budget, names and results.
class Session {
 public:
  Session(const EvaluationInput& input, text::OriginInterner& origins, JoinPolicy& policy);

  const EvaluationInput& input;
  JoinPolicy& policy;
  NameTable names;
  Evaluation result;
  /// The variables of the environment, as the script found them.
  Table<Variable> start_variables;
  /// The tape of the command being expanded; null where nothing may branch.
  ChoiceTape* tape = nullptr;
  /// The command being run, for $LINENO.
  text::Span current;
  /// More than zero where "set -e" does not apply.
  int unchecked_depth = 0;

  /// Takes `steps` from the budget; false when it is used up: then everything must end.
  bool charge(std::uint64_t steps);
  bool charge_bytes(std::uint64_t bytes);
  /// Takes a decision one way. Worlds that go apart copy what they assume, so a loop that decides
  /// in every turn pays for what its worlds hold.
  void assume(World& world, Assumption assumption);
  bool exhausted() const { return exhausted_; }
  /// Records that a bound was reached, once per place.
  void limit(text::Span span, std::string message);
  void report(const World& world, DiagnosticKind kind, text::Span span, std::string message,
              std::string subject = {});

  /// The same for what happens whatever the host decides.
  void report_certain(DiagnosticKind kind, text::Span span, std::string message,
                      std::string subject);

  text::Origin origin(text::Span span, std::string_view note = {}, text::Origin earlier = {});
  /// Picks one of several outcomes of a decision of the host.
  std::uint32_t choose(World& world, std::uint32_t count, text::Span span, std::string cause);

  std::uint32_t add_assignment(NameId name, text::Span span);
  /// Where the assignments are noted whose values only become part of the value of a variable; null
  /// where what is read counts as used.
  std::vector<std::uint32_t>* reads = nullptr;
  void mark_read(const Variable& variable) {
    if (variable.assignment == Variable::kNoAssignment) return;
    if (reads == nullptr) {
      result.assignments[variable.assignment].read = true;
    } else if (reads->empty() || reads->back() != variable.assignment) {
      reads->push_back(variable.assignment);
    }
  }
  void mark_read(const std::vector<std::uint32_t>& assignments) {
    for (const std::uint32_t assignment : assignments) result.assignments[assignment].read = true;
  }
  /// Whatever uses the value of assignment `to` uses that of `from`. Both may be kNoAssignment.
  void link_assignments(std::uint32_t from, std::uint32_t to);
  /// Marks as read what has become part of something that was read.
  void settle_reads();
  /// An unset variable became nothing, without complaint.
  void note_unset(std::string_view name, text::Span span);
  /// Reports those of them that are part of a recorded command and that nothing can have set.
  void settle_unset();
  void add_demand(std::string name, text::Span span, std::string_view function);
  /// The statement whose first condition or subject is at `span` took the arm `arm`.
  void mark_branch(text::Span span, std::size_t arm, bool undecided);
  void add_command(std::string_view name, text::Span span);
  /// What was noted before, at the same place with the same words, is dropped.
  void add_noted(NotedCommand command);
  /// A command without a model has run: it may have made what its words name ("git clone
  /// https://host/tool.git" makes "tool").
  void note_maker(const std::vector<Value>& argv);
  /// Whether one of them may have made a file or folder of that name.
  bool may_have_made(std::string_view name) const;
  /// Reads a script of the tree; null if it cannot be read.
  const Script* load_script(const std::string& path);
  /// Reads a file of the tree.
  text::Result<const text::SourceFile*> load_file(const std::string& path);

  /// Parses text that was made at run time (eval, bash -c, trap); it lives as long as the session.
  const Script& parse(const std::string& text, text::Span blame);

 private:
  void note_file(const std::string& path);

  struct AssignmentKey {
    const text::SourceFile* file;
    std::uint32_t begin;
    NameId name;
    friend bool operator==(const AssignmentKey&, const AssignmentKey&) = default;
    struct Hash {
      std::size_t operator()(const AssignmentKey& key) const {
        return std::hash<const void*>()(key.file) ^
               ((static_cast<std::size_t>(key.begin) << 20u) + key.name) * 0x9e3779b97f4a7c15u;
      }
    };
  };

  text::OriginInterner& origins_;
  std::uint64_t bytes_ = 0;
  bool exhausted_ = false;
  std::unordered_map<std::string, std::shared_ptr<const Script>> parsed_;
  std::unordered_map<AssignmentKey, std::uint32_t, AssignmentKey::Hash> assignment_ids_;
  std::unordered_set<std::string> seen_;
  std::unordered_set<std::string> words_of_makers_;
  /// From the lower half to the upper one.
  std::unordered_set<std::uint64_t> flows_;
  std::unordered_map<const char*, std::size_t> branch_ids_;
  std::vector<std::pair<std::string, text::Span>> unset_;
};

/// Sends what is read during its life to `reads`; null makes it count as used.
class ReadScope {
 public:
  ReadScope(Session& session, std::vector<std::uint32_t>* reads)
      : session_(session), outer_(std::exchange(session.reads, reads)) {}
  ~ReadScope() { session_.reads = outer_; }
  ReadScope(const ReadScope&) = delete;
  ReadScope& operator=(const ReadScope&) = delete;

 private:
  Session& session_;
  std::vector<std::uint32_t>* const outer_;
};

}  // namespace recipelint::shell
