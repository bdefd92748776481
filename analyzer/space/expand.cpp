#include "analyzer/space/expand.h"

#include <fmt/format.h>

#include <utility>

#include "analyzer/space/coerce.h"
#include "analyzer/space/dram_budget.h"
#include "analyzer/space/duplicate_points.h"
#include "analyzer/space/eval_rows.h"
#include "analyzer/space/field_reader.h"
#include "analyzer/space/read_support.h"
#include "analyzer/space/topology.h"

namespace recipelint::space {
namespace {

constexpr std::int64_t kChatTemplateTokens = 256;  // of headroom, beside isl and osl

/// The bounds of a range as one place, if they stand side by side.
text::Span range_span(const Row& row) {
  const text::Span start = row.conc_start.key();
  const text::Span end = row.conc_end.span();
  return start.file == end.file && start.begin < end.end ? start.joined_with(end) : start;
}

/// `value` as a product of `start`: a float if that is one, else an integer.
yaml::Scalar doubled(std::int64_t value, const yaml::Scalar& start) {
  if (std::holds_alternative<double>(start)) return static_cast<double>(value);
  return value;
}

/// conc-start, doubled until conc-end, which is always the last value.
std::vector<Concurrency> range_concurrencies(const Row& row) {
  std::vector<Concurrency> values;
  if (!row.conc_start || !row.conc_end) return values;
  const std::int64_t start = *row.conc_start;
  const std::int64_t end = *row.conc_end;
  if (start <= 0 || start > end) return values;
  const text::Span span = range_span(row);
  const yaml::Scalar written = row.conc_start.node.scalar();
  values.push_back({start, span, written});
  while (values.back().value <= end / 2) {
    const std::int64_t value = values.back().value * 2;
    values.push_back({value, span, doubled(value, written)});
  }
  if (values.back().value != end) values.push_back({end, span, row.conc_end.node.scalar()});
  return values;
}

std::vector<Concurrency> row_concurrencies(const Row& row) {
  if (!row.conc_list || row.conc_list->empty()) return range_concurrencies(row);
  std::vector<Concurrency> values;
  values.reserve(row.conc_list->size());
  for (const Integer& item : *row.conc_list) {
    if (item) values.push_back({*item, item.span(), item.node.scalar()});
  }
  return values;
}

std::string length_name(const Scenario& scenario) {
  const std::int64_t isl = scenario.isl.value_or(0);
  const std::int64_t osl = scenario.osl.value_or(0);
  if (isl == 1024 && osl == 1024) return "1k1k";
  if (isl == 8192 && osl == 1024) return "8k1k";
  return fmt::format("{}_{}", python_str(scenario.isl.node.scalar()),
                     python_str(scenario.osl.node.scalar()));
}

std::string offload_name(const Row& row) {
  const std::string_view offloading = row.kv_offloading.value_or("none");
  if (offloading == "none") return "kvnone";
  const std::string_view backend =
      row.kv_offload_backend ? row.kv_offload_backend->name.value_or("") : "";
  return fmt::format("kv{}-{}", offloading, backend);
}

std::string worker_tag(const Worker& worker, char role) {
  std::string tag = fmt::format("{}{}x{}", role, python_str(worker.num_worker.node.scalar()),
                                python_str(worker.tp.node.scalar()));
  if (worker.ep.value_or(1) != 1) tag += fmt::format("ep{}", python_str(worker.ep.node.scalar()));
  if (worker.dp_attn.value_or(false)) tag += "dpa";
  return tag;
}

std::optional<std::int64_t> model_length(const Scenario& scenario) {
  if (!scenario.isl || !scenario.osl) return std::nullopt;
  std::int64_t length = 0;
  if (__builtin_add_overflow(*scenario.isl, *scenario.osl, &length)) return std::nullopt;
  if (__builtin_add_overflow(length, kChatTemplateTokens, &length)) return std::nullopt;
  return length;
}

class Expander {
 public:
  Expander(const SearchSpace& space, const ExpandLimits& limits, std::vector<Problem>& problems)
      : limits_(limits),
        reporter_(problems, kSchemaRule),
        dram_(space.runners ? &*space.runners : nullptr, reporter_) {}

  std::vector<MatrixRow> expand(const SearchSpace& space);

 private:
  void expand_row(MatrixRow row);
  void add_one_per_concurrency(const MatrixRow& row, const std::vector<Concurrency>& values);
  bool has_room(const MatrixRow& row, std::size_t rows, std::size_t points);
  std::string name(const MatrixRow& row) const;
  std::string agentic_name(const MatrixRow& row, std::string_view prefix) const;

  const ExpandLimits& limits_;
  Reporter reporter_;
  DramBudget dram_;
  std::vector<MatrixRow> matrix_;
  std::size_t points_ = 0;
  bool full_ = false;
};

std::vector<MatrixRow> Expander::expand(const SearchSpace& space) {
  for (const MasterConfig& config : space.masters) {
    for (const Entry& entry : config.entries) {
      reporter_.enter(entry.key);
      for (const Scenario& scenario : entry.scenarios) {
        for (const Row& row : scenario.rows) {
          if (full_) return std::move(matrix_);
          MatrixRow matrix_row;
          matrix_row.config = &config;
          matrix_row.entry = &entry;
          matrix_row.scenario = &scenario;
          matrix_row.row = &row;
          expand_row(std::move(matrix_row));
        }
      }
    }
  }
  return std::move(matrix_);
}

void Expander::expand_row(MatrixRow row) {
  const bool launchable =
      row.multi_node() ? row.row->prefill && row.row->decode : static_cast<bool>(row.row->tp);
  if (!launchable) return;
  std::vector<Concurrency> values = row_concurrencies(*row.row);
  if (values.empty()) return;
  const bool together = row.multi_node() && !row.agentic();
  if (!has_room(row, together ? 1 : values.size(), values.size())) return;
  if (row.agentic()) {
    row.total_cpu_dram_gb = dram_.of(*row.entry, *row.scenario, *row.row);
  } else {
    row.max_model_len = model_length(*row.scenario);
  }
  if (!together) return add_one_per_concurrency(row, values);
  row.concurrencies = std::move(values);
  row.exp_name = name(row);
  matrix_.push_back(std::move(row));
}

void Expander::add_one_per_concurrency(const MatrixRow& row,
                                       const std::vector<Concurrency>& values) {
  for (const Concurrency& value : values) {
    MatrixRow& added = matrix_.emplace_back(row);
    added.concurrencies.push_back(value);
    added.exp_name = name(added);
  }
}

bool Expander::has_room(const MatrixRow& row, std::size_t rows, std::size_t points) {
  points_ += points;
  full_ = matrix_.size() + rows > limits_.rows || points_ > limits_.points;
  if (full_) {
    reporter_.report_limit(
        head_of(row.row->node),
        fmt::format("The search space has more than {} rows or {} points; it is not "
                    "expanded from here on.",
                    limits_.rows, limits_.points));
  }
  return !full_;
}

/// The name that the workflow gives to results; empty if a part of it is unknown.
std::string Expander::name(const MatrixRow& row) const {
  if (!row.entry->model_prefix) return {};
  const std::string_view prefix = *row.entry->model_prefix;
  if (row.agentic()) return agentic_name(row, prefix);
  if (!row.scenario->isl || !row.scenario->osl) return {};
  return fmt::format("{}_{}", prefix, length_name(*row.scenario));
}

std::string Expander::agentic_name(const MatrixRow& row, std::string_view prefix) const {
  const std::string concurrency = python_str(row.concurrencies.front().written);
  const std::string offload = offload_name(*row.row);
  if (!row.multi_node()) {
    std::string text = fmt::format("{}_tp{}_conc{}_{}", prefix,
                                   python_str(row.row->tp.node.scalar()), concurrency, offload);
    if (row.spec_decoding() != "none") text += fmt::format("_spec-{}", row.spec_decoding());
    return text;
  }
  std::string text = fmt::format("{}_{}_{}_conc{}", prefix, worker_tag(*row.row->prefill, 'p'),
                                 worker_tag(*row.row->decode, 'd'), concurrency);
  if (row.kv_offloading() != "none") text += "_" + offload;
  return text;
}

}  // namespace

const Component* MatrixRow::router() const {
  const Field<Component>& field = row->router.written() ? row->router : entry->router;
  return field ? &*field : nullptr;
}

const String& MatrixRow::kv_p2p_transfer() const {
  return row->kv_p2p_transfer.written() ? row->kv_p2p_transfer : entry->kv_p2p_transfer;
}

std::vector<MatrixRow> expand(const SearchSpace& space, std::vector<Problem>& problems,
                              const ExpandLimits& limits) {
  std::vector<MatrixRow> matrix = Expander(space, limits, problems).expand(space);
  const std::vector<std::uint32_t> topologies = topology_ids(matrix);
  mark_eval_rows(matrix, topologies, EvalChoice::kDefault);
  report_duplicate_points(matrix, topologies, problems);
  return matrix;
}

}  // namespace recipelint::space
