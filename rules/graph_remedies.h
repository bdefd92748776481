#pragma once

#include <string>
#include <vector>

#include "analyzer/serving/servers.h"
#include "rules/server_load.h"
#include "rules/rule.h"

namespace recipelint::rules {

/// Whether some possibility covers every decode batch up to `sequences` with graphs of any kind.
bool covers(const serving::ServerConfig& config, std::int64_t sequences);

/// Changes of the launch after which its graphs cover every decode batch up to `sequences`, best
/// first, each with its numbers. Only what passes when the changed launch is decoded again is
/// given; `least_sequences` is what the limit of sequences must not fall below.
std::vector<std::string> graph_remedies(const RuleContext& context,
                                        const serving::CellServers& cell,
                                        const serving::Server& server, const DecodeDemand& demand,
                                        std::int64_t sequences, std::int64_t least_sequences);

}  // namespace recipelint::rules
