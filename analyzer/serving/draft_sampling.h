#pragma once

#include <optional>
#include <string>

#include "analyzer/launch/launch.h"

namespace recipelint::serving {

/// How a launch of vLLM samples its drafts: `draft_sample_method` of its speculative configuration,
/// "" if that does not say it. Nullopt if the configuration is not known, or it is another engine,
/// which has no such choice.
std::optional<std::string> draft_sampling(const launch::Launch& launch);

}  // namespace recipelint::serving
