#pragma once

#include <optional>
#include <string_view>

#include "analyzer/serving/server_config.h"
#include "analyzer/serving/vllm/arguments.h"
#include "analyzer/serving/vllm/semantics.h"
#include "analyzer/serving/vocabulary_check.h"

namespace recipelint::serving::vllm {

/// Does asynchronous scheduling work with this speculative method? Nullopt if it is not known.
std::optional<bool> takes_async_scheduling(std::string_view method);

/// Reports combinations of known settings that vLLM refuses at start. Capacity, memory and topology
/// are not among them: these are rules of their own.
void check_conflicts(const Arguments& arguments, const ServerConfig& config,
                     const Semantics& semantics, VocabularyCheck& check);

}  // namespace recipelint::serving::vllm
