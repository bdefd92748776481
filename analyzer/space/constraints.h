#pragma once

#include <cstdint>

#include "analyzer/space/field_reader.h"
#include "analyzer/space/search_space.h"

namespace recipelint::space {

/// What kind of entry and scenario a row stands in.
struct RowContext {
  ScenarioKind scenario = ScenarioKind::kFixedSeqLen;
  bool multinode = false;
  Generation generation = Generation::kCurrent;
};

/// tp * pp * pcp-size: the GPUs of one replica; nullopt if that does not fit 64 bits.
std::optional<std::int64_t> replica_gpus(const Integer& tp, const Integer& pp,
                                         const Integer& pcp_size);

// Constraints between the fields of a row, of an item and of an entry. A constraint on a field that
// is itself invalid stays silent.
void check_row(const Row& row, const RowContext& context, Reporter& reporter);
void check_scenario(const Scenario& scenario, Generation generation, Reporter& reporter);
void check_entry(const Entry& entry, Generation generation, Reporter& reporter);

}  // namespace recipelint::space
