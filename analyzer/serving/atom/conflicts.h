#pragma once

#include <cstdint>
#include <optional>

#include "analyzer/serving/atom/arguments.h"
#include "analyzer/serving/server_config.h"
#include "analyzer/serving/turning_points.h"
#include "analyzer/serving/vocabulary_check.h"

namespace recipelint::serving::atom {

/// What the check of combinations may use.
struct ConflictInput {
  const Arguments& arguments;
  const ServerConfig& config;
  const TurningPoints& changes;
  /// The longest context that the model takes; nullopt if it is not known.
  std::optional<std::int64_t> model_length;
};

/// Reports combinations of known settings that ATOM refuses at start, or of which it drops a part.
/// Capacity, memory and topology are not among them: these are rules of their own.
void check_conflicts(const ConflictInput& input, VocabularyCheck& check);

}  // namespace recipelint::serving::atom
