#include "analyzer/launch/launch.h"

namespace recipelint::launch {

std::string_view to_string(Engine engine) {
  switch (engine) {
    case Engine::kVllm:
      return "vllm";
    case Engine::kSglang:
      return "sglang";
    case Engine::kTensorRtLlm:
      return "trtllm";
    case Engine::kAtom:
      return "atom";
    case Engine::kOther:
      break;
  }
  return "other";
}

std::string_view to_string(Role role) {
  switch (role) {
    case Role::kAggregate:
      return "aggregate";
    case Role::kPrefill:
      return "prefill";
    case Role::kDecode:
      return "decode";
    case Role::kRouter:
      return "router";
    case Role::kClient:
      return "client";
    case Role::kCompanion:
      break;
  }
  return "companion";
}

}  // namespace recipelint::launch
