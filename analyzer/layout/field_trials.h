#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts/models.h"
#include "analyzer/layout/cell_launches.h"
#include "analyzer/layout/cell_results.h"
#include "analyzer/layout/workspace.h"

namespace recipelint::layout {

/// Fields of a single-node row that can be tried with other values. The concurrency is not among
/// them: a client uses it in any case.
inline constexpr std::array<std::string_view, 9> kTriedFields = {"tp",
                                                                 "pp",
                                                                 "dcp-size",
                                                                 "pcp-size",
                                                                 "ep",
                                                                 "dp-attn",
                                                                 "spec-decoding",
                                                                 "kv-offloading",
                                                                 "kv-offload-backend.name"};

/// The same of a multi-node row, each role for itself.
inline constexpr std::array<std::string_view, 17> kTriedWorkerFields = {"prefill.num-worker",
                                                                        "prefill.tp",
                                                                        "prefill.pp",
                                                                        "prefill.dcp-size",
                                                                        "prefill.pcp-size",
                                                                        "prefill.ep",
                                                                        "prefill.dp-attn",
                                                                        "decode.num-worker",
                                                                        "decode.tp",
                                                                        "decode.pp",
                                                                        "decode.dcp-size",
                                                                        "decode.pcp-size",
                                                                        "decode.ep",
                                                                        "decode.dp-attn",
                                                                        "spec-decoding",
                                                                        "kv-offloading",
                                                                        "kv-offload-backend.name"};

/// What the search space gains by a field.
struct FieldTrial {
  enum class Verdict {
    kMatters,  // something else is launched, or the launcher does something else
    kIgnored,  // whatever the value is, exactly the same is launched and written
    kOpen,     // it cannot be told: `cause`
  };
  Verdict verdict = Verdict::kOpen;
  std::string cause;
  /// The variables in which the field reaches the script; none if the launcher keeps it back.
  std::set<std::string> variables;
};

/// Evaluates cells again with one field of their row changed, and compares.
class FieldTrials {
 public:
  /// Both must outlive it.
  FieldTrials(const Workspace& workspace, const facts::ModelFacts& models);
  ~FieldTrials();
  FieldTrials(const FieldTrials&) = delete;
  FieldTrials& operator=(const FieldTrials&) = delete;

  /// `cells` are those of one site that run the same script; each is tried with the values that the
  /// field has in the others, and without the field. Ends with the first difference. The name of
  /// the result, into which the workflow puts most fields, is no difference.
  FieldTrial run(std::string_view field, std::span<const EvaluatedCell* const> cells);

 private:
  struct Change;
  struct Comparison;
  struct Family;

  /// What can be shared with the cell; what others shared before is dropped if they run another
  /// script.
  Family& family_of(const EvaluatedCell& cell);

  const Workspace& workspace_;
  std::unique_ptr<shell::ScriptCache> scripts_;
  CellEvaluator evaluator_;
  std::unique_ptr<Family> family_;
};

}  // namespace recipelint::layout
