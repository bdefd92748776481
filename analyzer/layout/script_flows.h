#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/shell/evaluate.h"
#include "analyzer/shell/outline.h"
#include "analyzer/text/span.h"

namespace recipelint::layout {

/// Part of what layout tells.
using shell::DemandedName;
using shell::WrittenArm;
using shell::WrittenAssignment;

/// An assignment as a script has it, and what became of it in all evaluations of the script.
struct AssignmentFlow {
  shell::WrittenAssignment written;
  bool executed = false;
  /// See shell::AssignmentUse.
  bool read = false;
};

/// One way of an if or case statement, and whether it was taken.
struct ArmFlow {
  shell::WrittenArm written;
  bool taken = false;
};

/// What became of the values in a script that is run, in all evaluations together: those of its
/// cells that do not end with an error before they start anything.
struct ScriptFlow {
  std::string path;
  /// Some cell comes to a regular end, and no evaluation was cut short: what has not been seen to
  /// be used is not used.
  bool complete = false;
  /// Every cell has the environment that its launcher gives.
  bool environment_known = false;
  std::vector<AssignmentFlow> assignments;
  /// Only of statements that were reached, and whose way never was for the host to decide.
  std::vector<ArmFlow> arms;
  /// What its functions, or those of files that it sources, are told to demand.
  std::vector<shell::DemandedName> demands;
  /// Names that the environment of some cell has.
  std::vector<std::string> provided;
  /// It starts programs elsewhere, on other machines or in containers, which get its environment.
  bool submits = false;
  /// The files that it sources or runs, itself in front.
  std::vector<const text::SourceFile*> files;
};

/// What evaluations tell about their scripts. Safe to use from several threads; the result does not
/// depend on the order of the evaluations.
class FlowRecorder {
 public:
  explicit FlowRecorder(shell::ScriptCache& scripts) : scripts_(scripts) {}
  FlowRecorder(const FlowRecorder&) = delete;
  FlowRecorder& operator=(const FlowRecorder&) = delete;

  /// `environment_known` as in ScriptFlow, for this evaluation.
  void add(const shell::EvaluationInput& input, const shell::Evaluation& evaluation,
           bool environment_known);
  /// In the order of paths.
  std::vector<ScriptFlow> flows() const;

 private:
  struct Branch {
    std::uint64_t taken = 0;
    bool undecided = false;
  };
  /// A place is known by the address of its first byte.
  using Place = const char*;
  struct Facts {
    bool regular = false;
    bool cut_short = false;
    bool environment_known = true;
    bool submits = false;
    /// Executed assignments, and whether they were read.
    std::unordered_map<Place, bool> assignments;
    std::unordered_map<Place, Branch> branches;
    std::unordered_map<Place, shell::DemandedName> demands;
    std::set<std::string, std::less<>> provided;
    std::set<std::string, std::less<>> scripts;
  };
  ScriptFlow flow_of(const std::string& path, const Facts& facts) const;

  shell::ScriptCache& scripts_;
  mutable std::mutex mutex_;
  std::map<std::string, Facts> facts_;
};

/// Where the name stands as a word, lines that are comments left out.
std::vector<text::Span> mentions_of(const text::SourceFile& file, std::string_view name);

}  // namespace recipelint::layout
