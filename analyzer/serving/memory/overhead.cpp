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

Overhead overhead_of(const facts::MemoryFacts& facts, std::string_view engine, std::string_view gpu,
                     bool data_parallel, double tensor) {
  const auto of_kind = [&](const MemoryMeasurement& point) {
    return point.engine == engine && (point.data > 1) == data_parallel;
  };
  const auto of_gpu = [&](const MemoryMeasurement& point) {
    return of_kind(point) && point.gpu == gpu;
  };
  const auto of_size = [&](const MemoryMeasurement& point) {
    return of_gpu(point) && static_cast<double>(point.tensor) == tensor;
  };
  auto here = measured(facts, of_size);
  if (!here) here = measured(facts, of_gpu);
  if (here) return {{kLeastGib * kGib, here->least * kGib, here->most * kGib}, true};
  const auto anywhere =
      measured(facts, [&](const MemoryMeasurement& point) { return point.engine == engine; });
  const auto kind = measured(facts, of_kind);
  const double least = anywhere ? anywhere->least : kLeastGib;
  return {{kLeastGib * kGib, least * kGib, (kind ? kind->most : least) * kGib}, false};
}

}  // namespace recipelint::serving::memory
