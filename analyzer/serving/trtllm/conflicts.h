#pragma once

#include "analyzer/serving/server_config.h"
#include "analyzer/serving/trtllm/arguments.h"
#include "analyzer/serving/vocabulary_check.h"

namespace recipelint::serving::trtllm {

/// Reports combinations of known settings that TensorRT-LLM refuses at start, and settings that
/// others replace. Capacity and memory are not among them: these are rules of their own.
void check_conflicts(const Arguments& arguments, const ServerConfig& config,
                     VocabularyCheck& check);

}  // namespace recipelint::serving::trtllm
