#include "analyzer/serving/decode.h"

#include "analyzer/serving/atom/config.h"
#include "analyzer/serving/sglang/config.h"
#include "analyzer/serving/trtllm/config.h"
#include "analyzer/serving/vllm/config.h"

namespace recipelint::serving {
namespace {

using launch::Engine;
using launch::Role;

using Decode = ServerConfig (*)(const launch::Launch&, const Situation&, const facts::Catalog&);

/// Null for an engine whose options are not known.
Decode decoder_of(Engine engine) {
  switch (engine) {
    case Engine::kVllm:
      return vllm::decode;
    case Engine::kSglang:
      return sglang::decode;
    case Engine::kTensorRtLlm:
      return trtllm::decode;
    case Engine::kAtom:
      return atom::decode;
    case Engine::kOther:
      break;
  }
  return nullptr;
}

bool serves(Role role) {
  return role == Role::kAggregate || role == Role::kPrefill || role == Role::kDecode;
}

}  // namespace

bool is_server(const launch::Launch& launch) {
  return serves(launch.role) && decoder_of(launch.engine) != nullptr;
}

std::optional<ServerConfig> decode(const launch::Launch& launch, const Situation& situation,
                                   const facts::Catalog& catalog) {
  if (!is_server(launch)) return std::nullopt;
  return decoder_of(launch.engine)(launch, situation, catalog);
}

}  // namespace recipelint::serving
