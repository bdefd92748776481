#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/facts/vocabulary.h"
#include "analyzer/launch/launch.h"
#include "analyzer/serving/setting.h"
#include "analyzer/serving/situation.h"

namespace recipelint::serving {

/// Where the arguments of the engine begin in argv: behind the words of the program, if the
/// producer of the launch does not say it.
std::size_t first_argument(const launch::Launch& launch);

/// A variable that the launch sets or inherits; null if it is not set, or not known to be.
const shell::Value* variable(const launch::Launch& launch, const Situation& situation,
                             std::string_view name);

/// Variables that the engine reads, as the launch sets or inherits them.
std::map<std::string, Setting<std::string>, std::less<>> read_environment(
    const facts::Vocabulary& vocabulary, const launch::Launch& launch, const Situation& situation);

}  // namespace recipelint::serving
