#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

#include "analyzer/serving/server_config.h"

namespace recipelint::app {

/// Adds "settings", "engine_version" and "capture" of the command line contract to a launch.
void add_settings(const serving::ServerConfig& config, nlohmann::ordered_json& launch);

/// The same for people, indented by four blanks: one setting a line, defaults and unknown ones
/// marked.
void write_settings(const serving::ServerConfig& config, std::ostream& out);

}  // namespace recipelint::app
