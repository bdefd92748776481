#include "analyzer/space/eval_rows.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

#include "analyzer/space/topology.h"

namespace recipelint::space {
namespace {

constexpr std::int64_t kLeastConcurrency = 16;
constexpr std::int64_t kInputTokens = 8192;
constexpr std::int64_t kOutputTokens = 1024;

using Indexes = std::vector<std::size_t>;
using Configuration = std::tuple<std::string_view, std::string_view, std::string_view,
                                 std::string_view, std::string_view, bool>;

/// The highest concurrency that counts.
std::optional<std::int64_t> eligible_concurrency(const MatrixRow& row) {
  std::optional<std::int64_t> highest;
  for (const Concurrency& concurrency : row.concurrencies) {
    if (concurrency.value >= kLeastConcurrency) {
      highest = std::max(highest.value_or(0), concurrency.value);
    }
  }
  return highest;
}

bool has_eval_lengths(const MatrixRow& row) {
  return row.scenario->isl.value == kInputTokens && row.scenario->osl.value == kOutputTokens;
}

Configuration configuration(const MatrixRow& row) {
  const Entry& entry = *row.entry;
  return {entry.model.value_or(""),     entry.runner.value_or(""), entry.framework.value_or(""),
          entry.precision.value_or(""), row.spec_decoding(),       row.dp_attn()};
}

class Marker {
 public:
  Marker(std::span<MatrixRow> matrix, std::span<const std::uint32_t> topologies)
      : matrix_(matrix), topologies_(topologies) {}

  void mark_fixed();
  void mark_agentic();

 private:
  void mark_highest_and_median(const Indexes& group);
  void mark_first_highest(const Indexes& group);
  void mark_best_of_topology(const Indexes& group);

  std::span<MatrixRow> matrix_;
  std::span<const std::uint32_t> topologies_;
};

void Marker::mark_fixed() {
  std::map<Configuration, Indexes> single;
  std::map<std::uint32_t, Indexes> multi;
  for (std::size_t i = 0; i < matrix_.size(); ++i) {
    const MatrixRow& row = matrix_[i];
    if (row.agentic() || !has_eval_lengths(row) || !eligible_concurrency(row)) continue;
    if (row.multi_node()) {
      multi[topologies_[i]].push_back(i);
    } else {
      single[configuration(row)].push_back(i);
    }
  }
  for (const auto& group : single) mark_highest_and_median(group.second);
  for (const auto& group : multi) mark_best_of_topology(group.second);
}

void Marker::mark_agentic() {
  std::map<Configuration, Indexes> single;
  std::map<std::uint32_t, Indexes> multi;
  for (std::size_t i = 0; i < matrix_.size(); ++i) {
    const MatrixRow& row = matrix_[i];
    if (!row.agentic()) continue;
    if (!row.multi_node()) {
      Configuration key = configuration(row);
      std::get<4>(key) = {};
      std::get<5>(key) = false;
      single[key].push_back(i);
    } else if (eligible_concurrency(row)) {
      multi[topologies_[i]].push_back(i);
    }
  }
  for (const auto& group : single) mark_first_highest(group.second);
  for (const auto& group : multi) mark_best_of_topology(group.second);
}

void Marker::mark_highest_and_median(const Indexes& group) {
  std::vector<std::int64_t> values;
  for (const std::size_t i : group) values.push_back(matrix_[i].concurrencies.front().value);
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  const std::int64_t median = values[values.size() / 2];
  for (const std::size_t i : group) {
    const std::int64_t value = matrix_[i].concurrencies.front().value;
    if (value == values.back() || value == median) matrix_[i].run_eval = true;
  }
}

void Marker::mark_first_highest(const Indexes& group) {
  const auto best = std::ranges::max_element(
      group, {}, [this](std::size_t i) { return matrix_[i].concurrencies.front().value; });
  matrix_[*best].run_eval = true;
}

void Marker::mark_best_of_topology(const Indexes& group) {
  const auto best = std::ranges::max_element(
      group, {}, [this](std::size_t i) { return *eligible_concurrency(matrix_[i]); });
  matrix_[*best].run_eval = true;
  matrix_[*best].eval_conc = eligible_concurrency(matrix_[*best]);
}

}  // namespace

void mark_eval_rows(std::span<MatrixRow> matrix, std::span<const std::uint32_t> topologies,
                    EvalChoice choice) {
  for (MatrixRow& row : matrix) {
    row.run_eval = false;
    row.eval_conc.reset();
  }
  Marker marker(matrix, topologies);
  marker.mark_fixed();
  if (choice == EvalChoice::kWithAgentic) marker.mark_agentic();
}

std::vector<MatrixRow> select_eval_rows(std::span<const MatrixRow> matrix) {
  std::vector<MatrixRow> rows(matrix.begin(), matrix.end());
  mark_eval_rows(rows, topology_ids(rows), EvalChoice::kWithAgentic);
  std::erase_if(rows, [](const MatrixRow& row) { return !row.run_eval; });
  for (MatrixRow& row : rows) row.eval_only = true;
  return rows;
}

}  // namespace recipelint::space
