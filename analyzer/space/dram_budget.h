#pragma once

#include <cstdint>
#include <optional>

#include "analyzer/space/decimal.h"
#include "analyzer/space/field_reader.h"
#include "analyzer/space/search_space.h"

namespace recipelint::space {

/// floor(min(available_mib, 2861022) * 2^20 * utilization * gpus / gpus_per_node / 10^9): the CPU
/// memory, in 10^9 bytes, that one server may use for offloaded KV. Exact; nullopt if the numbers
/// are beyond 128-bit arithmetic or gpus_per_node is not positive.
std::optional<std::int64_t> dram_budget_gb(std::int64_t available_mib, const Decimal& utilization,
                                           std::int64_t gpus, std::int64_t gpus_per_node);

/// Gives the agentic rows of one search space their total-cpu-dram-gb. Ask entry by entry.
class DramBudget {
 public:
  DramBudget(const Runners* runners, Reporter& reporter) : runners_(runners), reporter_(reporter) {}

  /// 0 without offload; nullopt, after a report if nobody has reported the cause, if it cannot be
  /// known.
  std::optional<std::int64_t> of(const Entry& entry, const Scenario& scenario, const Row& row);

 private:
  const RunnerHardware* hardware_of(const Entry& entry, const Row& row);

  const Runners* runners_;
  Reporter& reporter_;
  const Entry* last_entry_ = nullptr;
  const RunnerHardware* last_hardware_ = nullptr;
};

}  // namespace recipelint::space
