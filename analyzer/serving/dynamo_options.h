#pragma once

#include <vector>

#include "analyzer/serving/argument_parser.h"

namespace recipelint::serving {

/// The words of a Dynamo worker ("python3 -m dynamo.vllm") without those options of Dynamo's own
/// that have one value: it can be unknown without hiding an option of the engine.
std::vector<Token> without_dynamo_options(const std::vector<Token>& tokens);

}  // namespace recipelint::serving
