#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "rules/labels/labels.h"
#include "rules/pages.h"
#include "rules/recipe_uses.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using launch::Role;
using launch::recipe::RoleBlock;
using space::Worker;

constexpr std::string_view kId = "RL4005";

/// GPUs that the row's numbers ask for, if all of them are plain and small.
std::optional<std::int64_t> worker_gpus(const Worker& worker) {
  std::int64_t gpus = 1;
  for (const space::Integer* factor : {&worker.tp, &worker.pp, &worker.pcp_size}) {
    if (factor->invalid()) return std::nullopt;
    const std::int64_t value = factor->value_or(1);
    if (value < 1 || value > 65536 || gpus > 65536) return std::nullopt;
    gpus *= value;
  }
  return gpus;
}

/// Data-parallel ranks counted as workers: fewer GPUs for each, the same for all together.
bool counts_ranks_as_workers(const Worker& worker, const RoleBlock& role) {
  const auto gpus = worker_gpus(worker);
  return gpus && worker.dp_attn.value_or(false) && worker.num_worker && *worker.num_worker > 0 &&
         *worker.num_worker < 65536 &&
         *worker.num_worker * *gpus == role.workers.value * role.gpus_per_worker.value;
}

std::string role_name(Role role) {
  return std::string(to_string(role));
}

void check_count(const RecipePair& pair, const RoleBlock& role, const Worker& worker,
                 findings::FindingSink& sink) {
  if (!worker.num_worker || *worker.num_worker == role.workers.value) return;
  const bool ranks = counts_ranks_as_workers(worker, role);
  const std::int64_t in_row = *worker.num_worker;
  Finding finding = finding_about(pair, kId, worker.num_worker.span(), role.workers.span,
                                  "workers of the recipe");
  finding.message =
      fmt::format("The row says {} {} worker{}, but its recipe '{}' starts {}.", in_row,
                  role.role == Role::kAggregate ? "prefill" : role_name(role.role),
                  in_row == 1 ? "" : "s", pair.recipe.path, role.workers.value);
  if (ranks) {
    finding.level = Level::kNote;
    finding.message += fmt::format(
        " Together they have the same {} GPUs: the row counts the data-parallel ranks of one "
        "worker.",
        role.workers.value * role.gpus_per_worker.value);
  }
  finding.remedies = {fmt::format("Write 'num-worker: {}'.", role.workers.value)};
  finding.identity = fmt::format("{} {} count", pair.recipe.path, role_name(role.role));
  sink.report(std::move(finding));
}

/// A row with dp-attn may give the GPUs of the whole worker, or those of one data-parallel rank.
bool names_one_rank(const Worker& worker, std::int64_t gpus, const RoleBlock& role) {
  if (!worker.dp_attn.value_or(false)) return false;
  const auto ranks = role.number({"data-parallel-size", "dp-size"});
  return ranks && gpus * ranks->value == role.gpus_per_worker.value;
}

void check_size(const RecipePair& pair, const RoleBlock& role, const Worker& worker,
                findings::FindingSink& sink) {
  const auto gpus = worker_gpus(worker);
  if (!gpus || !worker.tp || role.workers.value == 0) return;
  if (*gpus == role.gpus_per_worker.value || names_one_rank(worker, *gpus, role) ||
      counts_ranks_as_workers(worker, role)) {
    return;
  }
  Finding finding = finding_about(pair, kId, worker.tp.span(), role.gpus_per_worker.span,
                                  "GPUs of a worker in the recipe");
  finding.message = fmt::format(
      "The row gives a {} worker {} GPU{} (tp * pp * pcp-size), but its recipe '{}' gives it {}.",
      role.role == Role::kAggregate ? "prefill" : role_name(role.role), *gpus,
      *gpus == 1 ? "" : "s", pair.recipe.path, role.gpus_per_worker.value);
  finding.remedies = {fmt::format("Write 'tp: {}'.", role.gpus_per_worker.value)};
  finding.identity = fmt::format("{} {} size", pair.recipe.path, role_name(role.role));
  sink.report(std::move(finding));
}

/// An aggregate recipe has no decode workers, which a row says with `num-worker: 0`.
void check_no_decode(const RecipePair& pair, findings::FindingSink& sink) {
  const auto& decode = pair.row.row->decode;
  if (!decode || !decode->num_worker || *decode->num_worker == 0) return;
  Finding finding = finding_about(pair, kId, decode->num_worker.span(), {}, "");
  finding.message = fmt::format(
      "The row says {} decode worker{}, but its recipe '{}' is aggregate: it starts none.",
      *decode->num_worker, *decode->num_worker == 1 ? "" : "s", pair.recipe.path);
  finding.remedies = {"Write 'num-worker: 0' under decode."};
  finding.identity = fmt::format("{} decode count", pair.recipe.path);
  sink.report(std::move(finding));
}

void check(const RecipePair& pair, findings::FindingSink& sink) {
  for (const RoleBlock& role : pair.variant.roles) {
    const auto& worker = worker_of(pair.row, role.role);
    if (worker) {
      check_count(pair, role, *worker, sink);
      check_size(pair, role, *worker, sink);
    }
    if (role.role == Role::kAggregate) check_no_decode(pair, sink);
  }
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  for_each_pair(context, [&](const RecipePair& pair) { check(pair, sink); });
}

}  // namespace

Rule worker_count() {
  return {kId,
          "worker-count",
          Level::kError,
          Precision::kVeryHigh,
          "The workers of a row, or their GPUs, are not those that its recipe starts.",
          embedded_pages("worker_count.md"),
          run};
}

}  // namespace recipelint::rules
