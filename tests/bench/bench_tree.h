#pragma once

#include <cstdlib>
#include <string>

#include "tests/support/paths.h"

namespace recipelint::bench {

/// The repository that benchmarks run on: $RECIPELINT_BENCH_TREE, else the bundled demo.
inline std::string tree() {
  const char* given = std::getenv("RECIPELINT_BENCH_TREE");
  return given != nullptr ? given : testing::source_dir() + "/fixtures/demo";
}

}  // namespace recipelint::bench
