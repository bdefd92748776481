#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/facts/models.h"
#include "analyzer/launch/install.h"
#include "analyzer/launch/launch.h"
#include "analyzer/layout/workspace.h"
#include "analyzer/shell/evaluate.h"
#include "analyzer/shell/shared_evaluations.h"
#include "analyzer/text/origin.h"
#include "analyzer/text/origin_interner.h"
#include "analyzer/text/span.h"

namespace recipelint::layout {

/// What the evaluation of a script says about one of its places is part of what layout tells.
using shell::Diagnostic;
using shell::DiagnosticKind;

/// Why something about a cell is not known, or why it starts nothing.
struct Reason {
  std::string cause;
  text::Span span;  // may be invalid

  friend bool operator==(const Reason&, const Reason&) = default;
};

/// What one cell would start.
struct CellLaunches {
  enum class Status {
    kComplete,  // every way comes to its launches or a defined end, and every word is known
    kPartial,   // a word is not known, or a bound of the evaluation was reached
    kRejected,  // launcher or script end with an error before they start anything
    kMissing,   // no script or recipe in the repository
  };
  Status status = Status::kComplete;
  /// Without repetitions, in the order in which they were met.
  std::vector<Reason> reasons;
  std::vector<launch::Launch> launches;
  /// What its script puts on the machine besides, on some way.
  std::vector<launch::Install> installs;
  /// What the evaluation of the script has to say about its places.
  std::vector<shell::Diagnostic> diagnostics;
  /// The files of the tree that the evaluation of the script read, itself among them; sorted.
  std::vector<std::string> files;
  /// How much work the evaluation was; see shell::Limits.
  std::uint64_t steps = 0;
};

/// "complete", "partial", "rejected" or "missing".
std::string_view to_string(CellLaunches::Status status);

class FlowRecorder;

/// Works out what cells start. Scripts are parsed once; safe to use from several threads.
class CellEvaluator {
 public:
  /// All must outlive the evaluator and what it gives. `flows`, if given, is told what became of
  /// the values in the scripts.
  CellEvaluator(const Workspace& workspace, shell::ScriptCache& scripts,
                const facts::ModelFacts& models, FlowRecorder* flows = nullptr)
      : workspace_(workspace), scripts_(scripts), models_(models), flows_(flows) {}

  /// Origins belong to `pool`, which must outlive the result.
  CellLaunches evaluate(const Site& site, const Cell& cell, text::OriginPool& pool) const;
  /// The same for a script that is run by hand. It is taken to be started without arguments, in the
  /// top folder or in its own if it sources files that are only there.
  CellLaunches evaluate(const BareScript& script, text::OriginPool& pool) const;
  /// The same for a variant of a recipe that no row selects.
  CellLaunches evaluate(const RecipeRun& run, text::OriginPool& pool) const;
  /// The same for a cell that runs a script, whose environment is known already. Evaluations of one
  /// thread can share `origins`, and cells that are `alike` can share `evaluations`.
  CellLaunches evaluate(const Site& site, const Cell& cell, const LaunchPlan& plan,
                        text::OriginInterner& origins, shell::SharedEvaluations& evaluations) const;
  /// Equal for cells that run the same script in the same place on hosts that answer alike, as
  /// SharedEvaluations wants it.
  static std::string likeness(const Site& site, const Cell& cell, const LaunchPlan& plan);
  /// All commands that the script of a cell would start, not only the programs that matter to a
  /// benchmark. Nullopt if the script cannot be read. Shares with other traces as evaluate() does
  /// with its like.
  std::optional<shell::Evaluation> trace(const Site& site, const Cell& cell, const LaunchPlan& plan,
                                         text::OriginInterner& origins,
                                         shell::SharedEvaluations& evaluations) const;

 private:
  shell::Evaluation run_script(const Site& site, const Cell& cell, const LaunchPlan& plan,
                               shell::EvaluationInput input, text::OriginInterner& origins,
                               shell::SharedEvaluations& evaluations) const;
  CellLaunches evaluate_script(const Site& site, const Cell& cell, const LaunchPlan& plan,
                               text::OriginInterner& origins,
                               shell::SharedEvaluations& evaluations) const;
  CellLaunches evaluate_in(const std::string& folder, const BareScript& script,
                           text::OriginPool& pool) const;
  shell::EvaluationInput input_for(const std::string& script, const Variables& environment) const;
  CellLaunches submit_recipe(const Site& site, const Cell& cell, const Target& target,
                             text::OriginPool& pool) const;

  const Workspace& workspace_;
  shell::ScriptCache& scripts_;
  const facts::ModelFacts& models_;
  FlowRecorder* const flows_;
};

/// The cells of a site in the order of the generator. Eval mode has those rows that the generator
/// selects for evaluations.
std::vector<Cell> cells_of(const Site& site, Mode mode);

}  // namespace recipelint::layout
