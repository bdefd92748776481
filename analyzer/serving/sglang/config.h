#pragma once

#include "analyzer/facts/catalog.h"
#include "analyzer/launch/launch.h"
#include "analyzer/serving/server_config.h"
#include "analyzer/serving/situation.h"

namespace recipelint::serving::sglang {

/// What the server would be: the settings of the command line, the defaults of the version on this
/// GPU, what is captured, and what SGLang would refuse.
///
/// SGLang counts requests for the whole server; here, limits are those of one attention rank. The
/// tokens of a step are those of a prefill chunk: decode steps have no such limit.
ServerConfig decode(const launch::Launch& launch, const Situation& situation,
                    const facts::Catalog& catalog);

}  // namespace recipelint::serving::sglang
