#pragma once

#include <map>
#include <string>
#include <string_view>

#include "analyzer/facts/catalog.h"
#include "analyzer/facts/models.h"
#include "analyzer/launch/launch.h"
#include "analyzer/serving/server_config.h"
#include "analyzer/shell/value.h"

namespace recipelint::serving::vllm {

using Environment = std::map<std::string, shell::Value, std::less<>>;

/// What a launch of vLLM depends on besides itself.
struct Situation {
  facts::EngineVersion version;
  const facts::Gpu* gpu = nullptr;  // null: not known
  const facts::Model* model =
      nullptr;  // of the row; null: found by the name in the launch, if at all
  /// The environment that the launch inherits; null: nothing is known about it.
  const Environment* inherited = nullptr;
};

/// What the server would be: the settings of the command line, the defaults of the version on this
/// GPU, what is captured, and what vLLM would refuse.
ServerConfig decode(const launch::Launch& launch, const Situation& situation,
                    const facts::Catalog& catalog);

}  // namespace recipelint::serving::vllm
