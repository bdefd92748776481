#pragma once

#include "analyzer/facts/catalog.h"
#include "analyzer/launch/launch.h"
#include "analyzer/serving/server_config.h"
#include "analyzer/serving/situation.h"

namespace recipelint::serving::atom {

/// What the server would be: the settings of the command line, the defaults of the version, what is
/// captured, and what ATOM would refuse. `limits.sequences` and `limits.step_tokens` are those of
/// one engine core; --enable-dp-attention makes one of every GPU.
ServerConfig decode(const launch::Launch& launch, const Situation& situation,
                    const facts::Catalog& catalog);

}  // namespace recipelint::serving::atom
