// Command lines of vLLM; see launch_input.h for the shape of the input.

#include <array>
#include <string_view>

#include "tests/fuzz/launch_input.h"

namespace recipelint::fuzz {

void vllm_launch(std::string_view input) {
  static constexpr std::array<std::string_view, 2> kProgram = {"vllm", "serve"};
  static constexpr std::array<std::string_view, 6> kTags = {"v0.10.0", "v0.11.0", "v0.20.0",
                                                            "v0.27.1", "v0.31.0", "latest"};
  decode_launch(input, {launch::Engine::kVllm, kProgram, "vllm/vllm-openai", kTags});
}

}  // namespace recipelint::fuzz
