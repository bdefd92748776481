#include "analyzer/serving/memory/overhead.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace recipelint::serving::memory {
namespace {

using facts::MemoryMeasurement;

// Smaller than every measured one (2.6).
constexpr double kLeastGib = 1.5;

struct Extremes {
  double least = 0;
  double most = 0;
};

std::optional<Extremes> measured(const facts::MemoryFacts& facts,
                                 const std::function<bool(const MemoryMeasurement&)>& counts) {
  std::optional<Extremes> extremes;
  for (const MemoryMeasurement& point : facts.measurements()) {
    if (!point.overhead || !counts(point)) continue;
    if (!extremes) extremes = Extremes{*point.overhead, *point.overhead};
    extremes->least = std::min(extremes->least, *point.overhead);
    extremes->most = std::max(extremes->most, *point.overhead);
  }
  return extremes;
}

}  // namespace

Overhead overhead_of(const facts::MemoryFacts& facts, const OverheadQuestion& question) {
  const auto of_kind = [&](const MemoryMeasurement& point) {
    return point.engine == question.engine && (point.data > 1) == question.data_parallel;
  };
  const auto of_gpu = [&](const MemoryMeasurement& point) {
    return of_kind(point) && point.gpu == question.gpu;
  };
  const auto of_family = [&](const MemoryMeasurement& point) {
    return of_gpu(point) && point.family == question.family;
  };
  const auto measured_best = [&](const auto& counts) {
    const auto of_size = measured(facts, [&](const MemoryMeasurement& point) {
      return counts(point) && static_cast<double>(point.tensor) == question.tensor;
    });
    return of_size ? of_size : measured(facts, counts);
  };
  const auto family = measured_best(of_family);
  const auto here = measured_best(of_gpu);
  const auto kind = measured(facts, of_kind);
  const auto anywhere = measured(
      facts, [&](const MemoryMeasurement& point) { return point.engine == question.engine; });
  const double smallest = anywhere ? anywhere->least : kLeastGib;
  const double likely = family ? family->least : smallest;
  const double most = here ? here->most : kind ? kind->most : smallest;
  return {{kLeastGib * kGib, likely * kGib, most * kGib}, family.has_value()};
}

}  // namespace recipelint::serving::memory
