#include "analyzer/serving/turning_points.h"

namespace recipelint::serving {

bool TurningPoints::has(std::string_view change) const {
  const auto* found = versions_.find_change(engine_, change);
  if (found == nullptr) return false;
  return version_.known() ? version_.certainly_has(*found) : true;
}

std::optional<bool> TurningPoints::decided(std::string_view change) const {
  const auto* found = versions_.find_change(engine_, change);
  if (found == nullptr) return std::nullopt;
  if (!version_.known()) return true;
  const auto answer = version_.has(*found);
  if (answer == facts::EngineVersion::Answer::kMaybe) return std::nullopt;
  return answer == facts::EngineVersion::Answer::kYes;
}

}  // namespace recipelint::serving
