#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/space/problem.h"
#include "analyzer/space/search_space.h"

namespace recipelint::space {

/// One concurrency of a row and the place it comes from: the item of conc-list, or for a range the
/// bounds from conc-start to conc-end.
struct Concurrency {
  std::int64_t value = 0;
  text::Span span;
  /// As the generator has it, who copies the items of a list and doubles whatever number
  /// conc-start is.
  yaml::Scalar written = std::int64_t{0};
};

/// One row of the generated matrix: one job of the benchmark workflow. Fields that are not here are
/// those of the entry, the scenario and the row, with the defaults that the accessors give. Valid
/// as long as the search space.
struct MatrixRow {
  const MasterConfig* config = nullptr;
  const Entry* entry = nullptr;
  const Scenario* scenario = nullptr;
  const Row* row = nullptr;
  /// Never empty. One value, except for multi-node fixed-seq-len rows, which carry all of the
  /// row's.
  std::vector<Concurrency> concurrencies;
  std::string exp_name;
  std::optional<std::int64_t> max_model_len;      // tokens; fixed-seq-len only
  std::optional<std::int64_t> total_cpu_dram_gb;  // 10^9 bytes; agentic only
  bool run_eval = false;
  bool eval_only = false;
  std::optional<std::int64_t> eval_conc;  // multi-node rows with run_eval

  bool multi_node() const { return entry->is_multinode; }
  bool agentic() const { return scenario->kind == ScenarioKind::kAgenticCoding; }
  std::int64_t pp() const { return row->pp.value_or(1); }
  std::int64_t dcp_size() const { return row->dcp_size.value_or(1); }
  std::int64_t pcp_size() const { return row->pcp_size.value_or(1); }
  std::int64_t ep() const { return row->ep.value_or(1); }
  bool dp_attn() const { return row->dp_attn.value_or(false); }
  std::string_view spec_decoding() const { return row->spec_decoding.value_or("none"); }
  std::string_view kv_offloading() const { return row->kv_offloading.value_or("none"); }
  bool disagg() const { return entry->disagg.value_or(false); }
  /// The row's, else the entry's; null if neither has one.
  const Component* router() const;
  const String& kv_p2p_transfer() const;
};

inline constexpr std::int64_t kAgenticDurationSeconds = 3600;

/// Bounds on what hostile input can make of a small file.
struct ExpandLimits {
  std::size_t rows = 100'000;
  std::size_t points = 400'000;
};

/// The matrix that `generate_sweep_configs.py full-sweep` prints for these files, in its order and
/// with its default choice of evaluation rows. A row of the search space that lacks what a launch
/// needs (tp, or prefill and decode; a concurrency) gives no matrix row; the readers have reported
/// it. Adds problems for what only shows here: budgets of CPU memory that cannot be computed,
/// points that occur twice, limits.
std::vector<MatrixRow> expand(const SearchSpace& space, std::vector<Problem>& problems,
                              const ExpandLimits& limits = {});

/// The rows that `--evals-only` keeps of expand()'s: with run_eval and eval_only set.
std::vector<MatrixRow> select_eval_rows(std::span<const MatrixRow> matrix);

}  // namespace recipelint::space
