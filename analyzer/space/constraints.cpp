#include "analyzer/space/constraints.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace recipelint::space {
namespace {

constexpr std::string_view kClusterPrefix = "cluster:";

bool is_dram(const Row& row) {
  return row.kv_offloading && *row.kv_offloading == "dram";
}

Problem& report_topology(Reporter& reporter, text::Span span, std::string message,
                         std::string_view identity) {
  Problem& problem = reporter.report(span, std::move(message), identity);
  problem.rule = kTopologyRowRule;
  return problem;
}

void relate(Problem& problem, text::Span span, std::string label) {
  if (span.valid()) problem.related.push_back({span, std::move(label)});
}

void check_bound(const Integer& bound, std::string_view name, Reporter& reporter) {
  if (*bound > 0) return;
  reporter.report(bound.span(), fmt::format("'{}' must be greater than 0, not {}.", name, *bound),
                  fmt::format("{}/positive", name));
}

void check_range(const Row& row, Reporter& reporter) {
  check_bound(row.conc_start, "conc-start", reporter);
  check_bound(row.conc_end, "conc-end", reporter);
  if (*row.conc_start <= *row.conc_end || *row.conc_end <= 0) return;
  auto& problem =
      reporter.report(row.conc_start.span(),
                      fmt::format("'conc-start' ({}) must not be greater than 'conc-end' ({}).",
                                  *row.conc_start, *row.conc_end),
                      "conc-start/order");
  relate(problem, row.conc_end.span(), "the range ends here");
}

void check_list(const std::vector<Integer>& list, Reporter& reporter) {
  for (const Integer& item : list) {
    if (!item || *item > 0) continue;
    reporter.report(item.span(),
                    fmt::format("An entry of 'conc-list' must be greater than 0, not {}.", *item),
                    "conc-list/positive");
  }
}

void check_empty_list_with_range(const Row& row, Reporter& reporter) {
  auto& problem = report_topology(
      reporter, row.conc_list.span(),
      "'conc-list' is empty beside 'conc-start' and 'conc-end'. A full sweep uses the range, but "
      "the test-config run of a pull request takes the empty list and runs nothing.",
      "conc-list/empty");
  relate(problem, row.conc_start.key(), "the range begins here");
  problem.remedies.emplace_back("Remove 'conc-list'.");
}

void check_concurrency(const Row& row, Reporter& reporter) {
  if (row.conc_start.invalid() || row.conc_end.invalid() || row.conc_list.invalid()) return;
  const bool range = row.conc_start && row.conc_end;
  const bool list = row.conc_list && !row.conc_list->empty();
  if (range && list) {
    auto& problem = reporter.report(
        row.conc_list.key(), "'conc-list' cannot be combined with 'conc-start' and 'conc-end'.",
        "conc/both");
    relate(problem, row.conc_start.key(), "the range begins here");
  }
  if (!range && !list) {
    reporter.report(head_of(row.node),
                    "The row needs a non-empty 'conc-list', or both 'conc-start' and 'conc-end'.",
                    "conc/none");
  }
  if (range) check_range(row, reporter);
  if (list) check_list(*row.conc_list, reporter);
  if (range && row.conc_list && row.conc_list->empty()) check_empty_list_with_range(row, reporter);
}

void check_divisible(const Integer& tp, const Integer& dcp_size, Reporter& reporter) {
  if (!tp || !dcp_size || *tp % *dcp_size == 0) return;
  auto& problem = reporter.report(
      dcp_size.span(),
      fmt::format("'tp' ({}) must be divisible by 'dcp-size' ({}).", *tp, *dcp_size),
      "dcp-size/divides");
  relate(problem, tp.span(), "'tp'");
}

void check_count(const Integer& count, std::string_view name, Reporter& reporter) {
  if (!count || *count > 0) return;
  report_topology(reporter, count.span(),
                  fmt::format("'{}' must be greater than 0, not {}. Neither the validator nor the "
                              "generator checks this.",
                              name, *count),
                  fmt::format("{}/positive", name));
}

/// Experts are spread over the GPUs of a replica; only attention data parallelism can widen the
/// group beyond them.
void check_experts(const Integer& ep, const Integer& tp, std::optional<std::int64_t> gpus,
                   Reporter& reporter) {
  if (!ep || !tp || !gpus || *gpus <= 0 || *ep <= *gpus) return;
  auto& problem = report_topology(
      reporter, ep.span(),
      fmt::format("'ep' ({}) is greater than the {} GPUs of the replica (tp * pp * pcp-size).", *ep,
                  *gpus),
      "ep/gpus");
  relate(problem, tp.span(), "'tp'");
}

/// A role without workers is how a row without that role is written; its sizes mean nothing. Rows
/// of older files were not held to 'dp-attn': they say 'tp: 1, ep: 8' of a role on the GPUs of a
/// node.
void check_worker(const Field<Worker>& field, Generation generation, Reporter& reporter) {
  if (!field) return;
  const Worker& worker = *field;
  check_divisible(worker.tp, worker.dcp_size, reporter);
  if (worker.num_worker && *worker.num_worker < 0) {
    report_topology(
        reporter, worker.num_worker.span(),
        fmt::format("'num-worker' must not be negative, but is {}.", *worker.num_worker),
        "num-worker/negative");
  }
  if (worker.num_worker.value_or(1) <= 0) return;
  check_count(worker.tp, "tp", reporter);
  check_count(worker.ep, "ep", reporter);
  if (worker.dp_attn && !*worker.dp_attn && generation == Generation::kCurrent) {
    check_experts(worker.ep, worker.tp, replica_gpus(worker.tp, worker.pp, worker.pcp_size),
                  reporter);
  }
}

void check_some_worker(const Row& row, Reporter& reporter) {
  if (!row.prefill || !row.decode) return;
  if (row.prefill->num_worker.value != 0 || row.decode->num_worker.value != 0) return;
  auto& problem =
      report_topology(reporter, row.prefill->num_worker.span(),
                      "Neither 'prefill' nor 'decode' has a worker.", "num-worker/none");
  relate(problem, row.decode->num_worker.span(), "nor here");
}

bool has_text(const String& field) {
  return field && !field->empty();
}

void check_hardware_pair(const Row& row, Reporter& reporter) {
  if (!row.prefill || !row.decode) return;
  const String& prefill = row.prefill->hardware;
  const String& decode = row.decode->hardware;
  if (prefill.invalid() || decode.invalid() || has_text(prefill) == has_text(decode)) return;
  const String& given = has_text(prefill) ? prefill : decode;
  reporter.report(given.key(),
                  "'hardware' must be given for both 'prefill' and 'decode', or neither.",
                  "hardware/pair");
}

void check_single_node_topology(const Row& row, Reporter& reporter) {
  check_divisible(row.tp, row.dcp_size, reporter);
  check_count(row.tp, "tp", reporter);
  check_count(row.ep, "ep", reporter);
  check_experts(row.ep, row.tp, replica_gpus(row.tp, row.pp, row.pcp_size), reporter);
}

/// The backend of an older file is a bare name that nothing demands.
void check_offload(const Row& row, Reporter& reporter) {
  if (row.kv_offloading.invalid() || row.kv_offload_backend.invalid()) return;
  const Field<Component>& backend = row.kv_offload_backend;
  if (backend && !row.kv_offloading) {
    reporter.report(backend.key(), "'kv-offload-backend' requires 'kv-offloading'.",
                    "kv-offload-backend/alone");
  } else if (backend && !is_dram(row)) {
    auto& problem = reporter.report(
        backend.key(), "'kv-offload-backend' can only be set when 'kv-offloading' is not 'none'.",
        "kv-offload-backend/none");
    relate(problem, row.kv_offloading.span(), "'kv-offloading'");
  } else if (!backend && is_dram(row)) {
    reporter.report(row.kv_offloading.span(),
                    "'kv-offload-backend' is required when 'kv-offloading' is 'dram'.",
                    "kv-offload-backend/missing");
  }
}

void check_agentic_single_node(const Row& row, const RowContext& context, Reporter& reporter) {
  if (row.kv_offloading || row.kv_offloading.invalid()) return;
  if (context.generation == Generation::kOlder) return;
  reporter.report(head_of(row.node), "A single-node agentic row must specify 'kv-offloading'.",
                  "kv-offloading/missing");
}

void check_agentic_multi_node(const Row& row, Reporter& reporter) {
  const Integer* const fields[] = {&row.pp, &row.dcp_size, &row.pcp_size};
  const std::string_view names[] = {"pp", "dcp-size", "pcp-size"};
  for (std::size_t i = 0; i < std::size(fields); ++i) {
    if (!fields[i]->written()) continue;
    reporter.report(
        fields[i]->key(),
        fmt::format("A multi-node agentic row cannot specify '{}'; it belongs to 'prefill' and "
                    "'decode'.",
                    names[i]),
        fmt::format("{}/multinode", names[i]));
  }
  if (row.kv_offloading.state == FieldState::kNull) {
    auto& problem =
        reporter.report(row.kv_offloading.span(),
                        "'kv-offloading' is null, which the generator cannot turn into a name.",
                        "kv-offloading/null");
    problem.remedies.emplace_back("none");
  }
}

/// Written and not null, though perhaps not valid.
template <class T>
bool is_given(const Field<T>& field) {
  return field || field.invalid();
}

void check_agentic_topology(const Row& row, const RowContext& context, Reporter& reporter) {
  const bool single = is_given(row.tp);
  const bool prefill = is_given(row.prefill);
  const bool decode = is_given(row.decode);
  if (single ? prefill || decode : !prefill || !decode) {
    reporter.report(head_of(row.node),
                    "An agentic row must specify either 'tp' or both 'prefill' and 'decode'.",
                    "topology/either");
  } else if (single) {
    check_agentic_single_node(row, context, reporter);
  } else {
    check_agentic_multi_node(row, reporter);
  }
}

bool hides_transfer(const Entry& entry, const Row& row) {
  return entry.kv_p2p_transfer && row.kv_p2p_transfer.state == FieldState::kNull;
}

template <class Visit>
void for_each_row(const Entry& entry, const Visit& visit) {
  for (const Scenario& scenario : entry.scenarios) {
    for (const Row& row : scenario.rows) visit(row);
  }
}

template <class T>
void check_scope(const Entry& entry, const Field<T>& top, const Field<T> Row::*member,
                 std::string_view name, Reporter& reporter) {
  if (!top) return;
  for_each_row(entry, [&](const Row& row) {
    if (!(row.*member)) return;
    auto& problem = reporter.report(
        (row.*member).key(),
        fmt::format(
            "'{}' must be declared either at the top of the entry or in its rows, not both.", name),
        fmt::format("{}/scope", name));
    relate(problem, top.key(), "declared for the entry here");
  });
}

void check_transfer_on_single_node(const Entry& entry, Reporter& reporter) {
  if (entry.is_multinode) return;
  for_each_row(entry, [&](const Row& row) {
    if (!row.kv_p2p_transfer) return;
    reporter.report(row.kv_p2p_transfer.key(),
                    "'kv-p2p-transfer' is only valid when 'multinode' is true.",
                    "kv-p2p-transfer/single-node");
  });
}

void check_disagg(const Entry& entry, Reporter& reporter) {
  if (!entry.disagg || !*entry.disagg || entry.kv_p2p_transfer.invalid()) return;
  std::size_t rows = 0;
  std::vector<const Row*> without;
  for_each_row(entry, [&](const Row& row) {
    ++rows;
    const bool lacks = entry.kv_p2p_transfer
                           ? hides_transfer(entry, row)
                           : !row.kv_p2p_transfer && !row.kv_p2p_transfer.invalid();
    if (lacks) without.push_back(&row);
  });
  if (entry.kv_p2p_transfer) {
    for (const Row* row : without) {
      reporter.report(row->kv_p2p_transfer.span(),
                      "'kv-p2p-transfer' is null here, which hides the value of the entry; a row "
                      "with 'disagg' needs one.",
                      "kv-p2p-transfer/null");
    }
    return;
  }
  if (rows != 0 && without.empty()) return;
  auto& problem = reporter.report(
      entry.disagg.span(),
      "'disagg' requires 'kv-p2p-transfer' at the top of the entry or in every row.",
      "disagg/transfer");
  if (!without.empty() && without.size() < rows) {
    relate(problem, head_of(without.front()->node), "the first row without it");
  }
}

void check_runner_is_cluster(const Entry& entry, Reporter& reporter) {
  if (!entry.runner || entry.runner->starts_with(kClusterPrefix)) return;
  const auto agentic =
      std::ranges::find(entry.scenarios, ScenarioKind::kAgenticCoding, &Scenario::kind);
  if (agentic == entry.scenarios.end()) return;
  auto& problem = reporter.report(
      entry.runner.span(),
      fmt::format(
          "An entry with agentic rows must use a 'cluster:<name>' runner, not '{}', so that "
          "every point runs on one fleet.",
          *entry.runner),
      "runner/cluster");
  relate(problem, head_of(agentic->node), "the agentic rows");
}

}  // namespace

std::optional<std::int64_t> replica_gpus(const Integer& tp, const Integer& pp,
                                         const Integer& pcp_size) {
  std::int64_t gpus = tp.value_or(1);
  if (__builtin_mul_overflow(gpus, pp.value_or(1), &gpus)) return std::nullopt;
  if (__builtin_mul_overflow(gpus, pcp_size.value_or(1), &gpus)) return std::nullopt;
  return gpus;
}

void check_row(const Row& row, const RowContext& context, Reporter& reporter) {
  check_concurrency(row, reporter);
  check_single_node_topology(row, reporter);
  check_worker(row.prefill, context.generation, reporter);
  check_worker(row.decode, context.generation, reporter);
  check_some_worker(row, reporter);
  check_hardware_pair(row, reporter);
  if (context.scenario != ScenarioKind::kAgenticCoding) return;
  check_agentic_topology(row, context, reporter);
  if (context.generation == Generation::kCurrent) check_offload(row, reporter);
}

void check_scenario(const Scenario& scenario, Generation generation, Reporter& reporter) {
  if (scenario.kind == ScenarioKind::kFixedSeqLen) {
    check_count(scenario.isl, "isl", reporter);
    check_count(scenario.osl, "osl", reporter);
    return;
  }
  const Field<Decimal>& utilization = scenario.dram_utilization;
  if (utilization && (compare(*utilization, 0) <= 0 || compare(*utilization, 1) > 0)) {
    reporter.report(utilization.span(), "'dram-utilization' must be greater than 0 and at most 1.",
                    "dram-utilization/range");
  }
  if (utilization || utilization.invalid() || generation == Generation::kOlder) return;
  for (const Row& row : scenario.rows) {
    if (!is_dram(row)) continue;
    reporter.report(row.kv_offloading.span(),
                    "'kv-offloading' is 'dram', which requires 'dram-utilization' in the "
                    "agentic-coding item.",
                    "dram-utilization/missing");
  }
}

void check_entry(const Entry& entry, Generation generation, Reporter& reporter) {
  check_scope(entry, entry.router, &Row::router, "router", reporter);
  check_scope(entry, entry.kv_p2p_transfer, &Row::kv_p2p_transfer, "kv-p2p-transfer", reporter);
  check_transfer_on_single_node(entry, reporter);
  if (generation == Generation::kOlder) return;
  check_runner_is_cluster(entry, reporter);
  check_disagg(entry, reporter);
}

}  // namespace recipelint::space
