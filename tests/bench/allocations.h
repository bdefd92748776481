#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>

namespace recipelint::bench {

/// How often this process has called operator new.
std::uint64_t allocations();

/// Counts the allocations of a benchmark from here to the end, and gives them per iteration.
class AllocationCount {
 public:
  explicit AllocationCount(benchmark::State& state) : state_(state), before_(allocations()) {}
  ~AllocationCount() {
    state_.counters["allocations"] = benchmark::Counter(
        static_cast<double>(allocations() - before_), benchmark::Counter::kAvgIterations);
  }
  AllocationCount(const AllocationCount&) = delete;
  AllocationCount& operator=(const AllocationCount&) = delete;

 private:
  benchmark::State& state_;
  std::uint64_t before_;
};

}  // namespace recipelint::bench
