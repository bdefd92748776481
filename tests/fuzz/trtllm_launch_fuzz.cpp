// Command lines of TensorRT-LLM; see launch_input.h for the shape of the input.

#include <array>
#include <string_view>

#include "tests/fuzz/launch_input.h"

namespace recipelint::fuzz {

void trtllm_launch(std::string_view input) {
  static constexpr std::array<std::string_view, 1> kProgram = {"trtllm-serve"};
  static constexpr std::array<std::string_view, 4> kTags = {"1.0.0", "1.1.0rc2", "1.3.0rc8",
                                                            "latest"};
  decode_launch(input, {launch::Engine::kTensorRtLlm, kProgram,
                        "nvcr.io/nvidia/tensorrt-llm/release", kTags});
}

}  // namespace recipelint::fuzz
