#include "tests/support/paths.h"

namespace recipelint::testing {

std::string source_dir() {
  return RECIPELINT_SOURCE_DIR;
}
std::string program_path() {
  return RECIPELINT_PROGRAM;
}

}  // namespace recipelint::testing
