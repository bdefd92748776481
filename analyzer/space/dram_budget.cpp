#include "analyzer/space/dram_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "analyzer/space/coerce.h"
#include "analyzer/space/constraints.h"

namespace recipelint::space {
namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t kMostAvailableMib = 2'861'022;  // 3 * 10^12 bytes
constexpr std::int64_t kBytesPerMib = 1 << 20;
constexpr std::int64_t kBytesPerGb = 1'000'000'000;

/// Multiplies the fraction by factor / divisor; false on overflow.
bool scale(Wide& numerator, Wide& denominator, std::int64_t factor, std::int64_t divisor) {
  const std::int64_t common = std::gcd(factor, divisor);
  return !__builtin_mul_overflow(numerator, Wide{factor / common}, &numerator) &&
         !__builtin_mul_overflow(denominator, Wide{divisor / common}, &denominator);
}

std::int64_t power_of_ten(std::int32_t exponent) {
  std::int64_t power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

std::string product(std::string_view gpus, const Integer& tp, const Integer& pp,
                    const Integer& pcp_size) {
  return fmt::format("{} GPUs (tp {} * pp {} * pcp-size {})", gpus, tp.value_or(1), pp.value_or(1),
                     pcp_size.value_or(1));
}

struct Demand {
  const Integer& tp;
  const Integer& pp;
  const Integer& pcp_size;
};

void relate_node(Problem& problem, const RunnerHardware& hardware) {
  problem.related.push_back({hardware.gpus_per_node.span(), "GPUs of a node"});
}

/// The validator takes '8' and 8.0 for 8, but the generator multiplies them with a decimal number.
bool stops_generator(const Integer& field, Reporter& reporter) {
  const yaml::Scalar scalar = field.node.scalar();
  if (!std::holds_alternative<std::string>(scalar) && !std::holds_alternative<double>(scalar)) {
    return false;
  }
  reporter.report(
      field.span(),
      fmt::format("'tp' is {}: with 'kv-offloading: dram' the generator calculates with "
                  "it and fails.",
                  describe(scalar)),
      "tp/text");
  return true;
}

/// No node has that many; how they would be spread does not matter.
void report_absurd(const Demand& demand, const RunnerHardware& hardware, Reporter& reporter) {
  auto& problem =
      reporter.report(demand.tp.span(),
                      fmt::format("The row needs {}.",
                                  product("more than 2^63", demand.tp, demand.pp, demand.pcp_size)),
                      "tp/absurd");
  problem.rule = kTopologyRowRule;
  relate_node(problem, hardware);
}

/// GPUs of one node that the server takes; nullopt, after a report, if it does not tile nodes.
std::optional<std::int64_t> gpus_on_node(const Demand& demand, bool is_worker,
                                         const RunnerHardware& hardware, Reporter& reporter) {
  if (stops_generator(demand.tp, reporter)) return std::nullopt;
  const std::int64_t per_node = *hardware.gpus_per_node;
  const auto gpus = replica_gpus(demand.tp, demand.pp, demand.pcp_size);
  if (!gpus) {
    report_absurd(demand, hardware, reporter);
    return std::nullopt;
  }
  if (*gpus <= 0) return std::nullopt;  // reported as a topology that cannot be
  const bool fits = *gpus <= per_node;
  if (fits && (!is_worker || per_node % *gpus == 0)) return gpus;
  if (is_worker && !fits && *gpus % per_node == 0) return per_node;
  const std::string_view wrong = !is_worker ? "a single-node row must fit one node"
                                 : fits     ? "a prefill worker must divide a node evenly"
                                            : "a prefill worker must fill whole nodes";
  auto& problem = reporter.report(
      demand.tp.span(),
      fmt::format("The row needs {}, but '{}' has {} on a node; with 'kv-offloading: dram' {}.",
                  product(fmt::format("{}", *gpus), demand.tp, demand.pp, demand.pcp_size),
                  hardware.label, per_node, wrong),
      "kv-offloading/node");
  relate_node(problem, hardware);
  return std::nullopt;
}

bool is_complete(const RunnerHardware& hardware) {
  return hardware.available_cpu_dram_mib && hardware.gpus_per_node &&
         *hardware.available_cpu_dram_mib > 0 && *hardware.gpus_per_node > 0;
}

}  // namespace

std::optional<std::int64_t> dram_budget_gb(std::int64_t available_mib, const Decimal& utilization,
                                           std::int64_t gpus, std::int64_t gpus_per_node) {
  if (gpus_per_node <= 0) return std::nullopt;
  Wide numerator = std::min(available_mib, kMostAvailableMib);
  Wide denominator = 1;
  const bool exact =
      scale(numerator, denominator, gpus, gpus_per_node) &&
      scale(numerator, denominator, kBytesPerMib, kBytesPerGb) &&
      scale(numerator, denominator, utilization.mantissa, power_of_ten(utilization.scale));
  if (!exact) return std::nullopt;
  return static_cast<std::int64_t>(numerator / denominator);
}

const RunnerHardware* DramBudget::hardware_of(const Entry& entry, const Row& row) {
  if (last_entry_ == &entry) return last_hardware_;
  last_entry_ = &entry;
  last_hardware_ = entry.runner ? runners_->find_hardware(*entry.runner) : nullptr;
  if (last_hardware_ != nullptr || !entry.runner) return last_hardware_;
  auto& problem = reporter_.report(
      entry.runner.span(),
      fmt::format("Runner '{}' needs an entry under 'hardware' in '{}', because a row offloads to "
                  "CPU memory.",
                  *entry.runner, runners_->document->file().path()),
      "runner/hardware");
  problem.related.push_back({row.kv_offloading.span(), "offloads to CPU memory"});
  return nullptr;
}

std::optional<std::int64_t> DramBudget::of(const Entry& entry, const Scenario& scenario,
                                           const Row& row) {
  if (row.kv_offloading.invalid()) return std::nullopt;
  if (row.kv_offloading.value_or("none") != "dram") return 0;
  if (runners_ == nullptr || runners_->generation == Generation::kOlder) return std::nullopt;
  const RunnerHardware* hardware = hardware_of(entry, row);
  if (hardware == nullptr || !is_complete(*hardware)) return std::nullopt;
  const bool is_worker = entry.is_multinode;
  const Demand demand = is_worker ? Demand{row.prefill->tp, row.prefill->pp, row.prefill->pcp_size}
                                  : Demand{row.tp, row.pp, row.pcp_size};
  if (!demand.tp || !scenario.dram_utilization) return std::nullopt;
  const auto gpus = gpus_on_node(demand, is_worker, *hardware, reporter_);
  if (!gpus) return std::nullopt;
  return dram_budget_gb(*hardware->available_cpu_dram_mib, *scenario.dram_utilization, *gpus,
                        *hardware->gpus_per_node);
}

}  // namespace recipelint::space
