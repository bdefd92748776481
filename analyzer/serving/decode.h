#pragma once

#include <optional>
#include <string_view>

#include "analyzer/facts/catalog.h"
#include "analyzer/launch/launch.h"
#include "analyzer/serving/server_config.h"
#include "analyzer/serving/situation.h"

namespace recipelint::serving {

/// Whether a launch starts a server of an engine whose options are known: no router, client or
/// companion of one.
bool is_server(const launch::Launch& launch);

/// What the server would be: the settings of the launch, the defaults of the version on this GPU,
/// what is captured, and what the engine would refuse. Nullopt if it is no server.
std::optional<ServerConfig> decode(const launch::Launch& launch, const Situation& situation,
                                   const facts::Catalog& catalog);

}  // namespace recipelint::serving
