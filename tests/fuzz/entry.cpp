// What libFuzzer calls. RECIPELINT_FUZZ_TARGET is the function that this program is about.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  recipelint::fuzz::RECIPELINT_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
