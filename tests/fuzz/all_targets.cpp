#include <array>

#include "tests/fuzz/targets.h"

namespace recipelint::fuzz {

std::span<const Target> targets() {
  static constexpr std::array kTargets = {
      Target{"arithmetic", &arithmetic},
      Target{"atom_launch", &atom_launch},
      Target{"baseline", &baseline},
      Target{"configuration", &configuration},
      Target{"evaluator", &evaluator},
      Target{"facts_file", &facts_file},
      Target{"git_objects", &git_objects},
      Target{"golden_lengths", &golden_lengths},
      Target{"ignores", &ignores},
      Target{"image_reference", &image_reference},
      Target{"patterns", &patterns},
      Target{"recipe", &recipe},
      Target{"reports", &reports},
      Target{"search_space", &search_space},
      Target{"sglang_launch", &sglang_launch},
      Target{"trtllm_launch", &trtllm_launch},
      Target{"vllm_launch", &vllm_launch},
      Target{"words", &words},
      Target{"yaml_nodes", &yaml_nodes},
  };
  return kTargets;
}

}  // namespace recipelint::fuzz
