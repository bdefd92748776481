// Baselines: what is read is written so that it reads the same.

#include <sstream>
#include <string_view>

#include "analyzer/app/baseline.h"
#include "tests/fuzz/targets.h"

namespace recipelint::fuzz {

void baseline(std::string_view input) {
  const auto baseline = app::Baseline::parse(input, "baseline.json");
  if (!baseline) return;
  std::ostringstream once;
  baseline->write(once);
  const auto again = app::Baseline::parse(once.str(), "baseline.json");
  demand(again.ok() && again->size() == baseline->size(), "a written baseline reads the same");
  std::ostringstream twice;
  again->write(twice);
  demand(once.str() == twice.str(), "writing is stable");
}

}  // namespace recipelint::fuzz
