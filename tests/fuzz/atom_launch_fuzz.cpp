// Command lines of ATOM; see launch_input.h for the shape of the input.

#include <array>
#include <string_view>

#include "tests/fuzz/launch_input.h"

namespace recipelint::fuzz {

void atom_launch(std::string_view input) {
  static constexpr std::array<std::string_view, 3> kProgram = {"python3", "-m",
                                                               "atom.entrypoints.openai_server"};
  static constexpr std::array<std::string_view, 2> kTags = {"v0.1.0", "latest"};
  decode_launch(input, {launch::Engine::kAtom, kProgram, "rocm/atom", kTags});
}

}  // namespace recipelint::fuzz
