#pragma once

#include "analyzer/facts/catalog.h"
#include "analyzer/launch/launch.h"
#include "analyzer/serving/server_config.h"
#include "analyzer/serving/situation.h"

namespace recipelint::serving::vllm {

/// What the server would be: the settings of the command line, the defaults of the version on this
/// GPU, what is captured, and what vLLM would refuse.
ServerConfig decode(const launch::Launch& launch, const Situation& situation,
                    const facts::Catalog& catalog);

}  // namespace recipelint::serving::vllm
