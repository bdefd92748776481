#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/findings/finding.h"
#include "analyzer/serving/memory/topologies.h"

namespace recipelint::rules {

/// "14.88 GiB".
std::string gib(double bytes);

/// "'deepseek-ai/DeepSeek-V4-Pro' on 4 mi355x GPUs (vllm 0.26.0)": what a finding speaks of.
std::string subject_of(const serving::memory::Topology& topology);

/// A finding about a topology, without a message: at the setting that decides, or at the launch if
/// that is not written; with its cells, the row of the first of them and the facts that were used.
findings::Finding memory_finding(const serving::memory::Topology& topology, std::string_view rule,
                                 findings::Level level, text::Span decides,
                                 const text::Origin& origin);
template <typename T>
findings::Finding memory_finding(const serving::memory::Topology& topology, std::string_view rule,
                                 findings::Level level, const serving::Setting<T>& decides) {
  return memory_finding(topology, rule, level, decides.span, decides.origin);
}

/// Tells that a rule cannot judge the cells of a topology, for want of the first of `facts`.
void leave_topology_open(findings::FindingSink& sink, std::string_view rule,
                         const serving::memory::Topology& topology,
                         const std::vector<std::string>& facts);

/// What to do about it, each with the numbers that pass.
std::vector<std::string> remedies_of(const serving::memory::Topology& topology);

}  // namespace recipelint::rules
