#pragma once

#include "analyzer/facts/catalog.h"
#include "analyzer/launch/launch.h"
#include "analyzer/serving/server_config.h"
#include "analyzer/serving/situation.h"

namespace recipelint::serving::trtllm {

/// What the server would be: the settings of the command line and of the YAML file that it names,
/// the defaults, what is captured, and what TensorRT-LLM would refuse. max_batch_size and
/// max_num_tokens are those of one rank; with attention data parallelism, every GPU of tensor
/// parallelism is one.
ServerConfig decode(const launch::Launch& launch, const Situation& situation,
                    const facts::Catalog& catalog);

}  // namespace recipelint::serving::trtllm
