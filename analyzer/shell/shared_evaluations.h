#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "analyzer/shell/evaluate.h"
#include "analyzer/shell/witness.h"

namespace recipelint::shell {

/// Evaluations of one script that stand for each other as far as their environments allow: one that
/// differs only in values that the script passes on, computes with or compares alike is not made
/// again; its words, and where they come from, are exchanged. Not thread-safe.
class SharedEvaluations {
 public:
  /// What evaluate(input, origins) gives, but without the executions of single ends, and `steps`
  /// and how texts are cut into pieces of one origin may be those of another run. All inputs must
  /// be equal but for values of their environments, and the host models must answer all of them
  /// alike. Results share parts, so all of them stay in one thread.
  Evaluation evaluate(const EvaluationInput& input, text::OriginInterner& origins);

  /// How many were really made.
  std::size_t evaluated() const { return runs_.size(); }

 private:
  /// An evaluation that was made.
  struct Run {
    Witness witness;
    std::vector<EnvironmentVariable> environment;
    Evaluation evaluation;
    JoinPolicy policy;
    /// The links of its results that lead to the environment.
    std::unordered_set<const text::OriginLink*> led_by_environment;
    /// False if places of the environment are among its results, or it was cut off.
    bool is_reusable = true;
  };

  static bool needs_other_pass(Run& run);
  Run& make_run(const EvaluationInput& input, text::OriginInterner& origins);
  static Evaluation with_values(const Run& run, const std::vector<std::string>& parameters,
                                const std::vector<EnvironmentVariable>& environment,
                                text::OriginInterner& origins);
  static std::optional<Evaluation> stand_in(const Run& run, const EvaluationInput& input,
                                            text::OriginInterner& origins);

  std::deque<Run> runs_;
  /// By what environments must have in common to stand for each other.
  std::map<std::string, std::vector<Run*>> runs_by_shape_;
};

}  // namespace recipelint::shell
