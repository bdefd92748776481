#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace recipelint::facts {

/// What becomes of KV cache that a connector moves.
enum class KvMovement : std::uint8_t {
  kUnknown,    // nothing is known of that name
  kOffloads,   // it goes to memory or storage outside of the GPU
  kHandsOver,  // from the server that prefills to the one that decodes
  kEither,     // its configuration decides
};

/// By the name of a connector, or of what an option turns on (serving::Offload::connector).
KvMovement kv_movement(std::string_view connector);

/// "kv_connectors.tsv 'hicache': --enable-hierarchical-cache (source, date)", for
/// Finding::facts; empty for an unknown name.
std::string kv_movement_fact(std::string_view connector);

}  // namespace recipelint::facts
