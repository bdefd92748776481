#pragma once

#include <map>
#include <string>

#include "analyzer/facts/engine_version.h"
#include "analyzer/facts/models.h"
#include "analyzer/shell/value.h"

namespace recipelint::serving {

/// Variables by name.
using Environment = std::map<std::string, shell::Value, std::less<>>;

/// What a server depends on besides its launch.
struct Situation {
  /// Of the engine that is launched.
  facts::EngineVersion version;
  const facts::Gpu* gpu = nullptr;  // null: not known
  /// Of the row; null: found by the name in the launch, if at all.
  const facts::Model* model = nullptr;
  /// The environment that the launch inherits; null: nothing is known about it.
  const Environment* inherited = nullptr;
};

}  // namespace recipelint::serving
