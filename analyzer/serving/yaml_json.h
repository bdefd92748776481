#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "analyzer/serving/json.h"
#include "analyzer/serving/words.h"

namespace recipelint::serving {

/// What a YAML document holds, with the place of everything in it.
struct YamlJson {
  /// Missing if the document cannot be read. Every scalar keeps its text.
  std::optional<Json> root;
  /// Why it cannot be read, and where; empty if it could be, or if an unknown piece may be to
  /// blame.
  std::string error;
  Place error_place;
};

/// Reads a configuration file as PyYAML does. `file` is the index of the content in `words`, in
/// which holes stand for unknown pieces: a hole in a scalar makes it unknown, and one in a key
/// leaves its mapping open. Keys that are no scalars are left out. Deeper nesting than 64 is
/// unknown.
YamlJson read_yaml(const Words& words, std::size_t file);

}  // namespace recipelint::serving
