#pragma once

#include "analyzer/serving/server_config.h"
#include "analyzer/serving/sglang/arguments.h"
#include "analyzer/serving/sglang/decoding.h"
#include "analyzer/serving/vocabulary_check.h"

namespace recipelint::serving::sglang {

/// Reports combinations of known settings that SGLang refuses at start, or some of which it drops
/// or replaces. Capacity, memory and the arithmetic of topologies are not among them: these are
/// rules of their own.
void check_conflicts(const Decoding& decoding, const ServerConfig& config, VocabularyCheck& check);

}  // namespace recipelint::serving::sglang
