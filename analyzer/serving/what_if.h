#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts/catalog.h"
#include "analyzer/launch/launch.h"
#include "analyzer/serving/server_config.h"
#include "analyzer/serving/servers.h"

namespace recipelint::serving {

/// A launch with further words at its end: of an option that takes one value, the last one counts.
launch::Launch with_words(const launch::Launch& launch, const std::vector<std::string>& words);

/// A launch in which the object that a word holds ({"a": 1}, perhaps behind "--option=") has this
/// key and JSON value. Nullopt if the word is not known or holds no object.
std::optional<launch::Launch> with_key(const launch::Launch& launch, std::size_t word,
                                       std::string_view key, std::string_view json_value);

/// A launch whose last configuration file has a further line at its end: of keys that are there
/// twice, the last one counts. Nullopt if it reads none.
std::optional<launch::Launch> with_line(const launch::Launch& launch, std::string_view line);

/// What the server would be with that launch in the same setup; nullopt if it is none.
std::optional<ServerConfig> decode_in(const launch::Launch& launch, const Setup& setup,
                                      const facts::Catalog& facts);

}  // namespace recipelint::serving
