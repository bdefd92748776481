// Command lines of SGLang; see launch_input.h for the shape of the input.

#include <array>
#include <string_view>

#include "tests/fuzz/launch_input.h"

namespace recipelint::fuzz {

void sglang_launch(std::string_view input) {
  static constexpr std::array<std::string_view, 3> kProgram = {"python3", "-m",
                                                               "sglang.launch_server"};
  static constexpr std::array<std::string_view, 4> kTags = {"v0.4.9", "v0.5.3", "v0.5.8", "latest"};
  decode_launch(input, {launch::Engine::kSglang, kProgram, "lmsysorg/sglang", kTags});
}

}  // namespace recipelint::fuzz
