#pragma once

#include "analyzer/facts/catalog.h"
#include "analyzer/launch/launch.h"
#include "analyzer/serving/memory/memory_fit.h"
#include "analyzer/serving/server_config.h"

namespace recipelint::serving::memory {

/// What a decoded launch makes of the question whether it fits. `model` is the one of the row, null
/// if it is not known; the one that the launch names counts before it.
MemoryQuestion memory_question(const launch::Launch& launch, const ServerConfig& config,
                               const facts::Model* model, const facts::Gpu* gpu,
                               const facts::Catalog& catalog);

}  // namespace recipelint::serving::memory
