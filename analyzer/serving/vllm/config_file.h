#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analyzer/serving/argument_parser.h"
#include "analyzer/serving/words.h"

namespace recipelint::serving::vllm {

/// What `--config FILE` puts into the command line.
struct ConfigFileTokens {
  std::vector<Token> tokens;
  /// Why the file cannot be read, and where; empty if it could be.
  std::string error;
  Place error_place;
  /// The cause of an unknown piece that can hide further options; empty if there is none.
  std::string open;
};

/// Reads a YAML mapping from options to values: true and false become "--x" and "--no-x", lists
/// several words, nested mappings JSON. `file` is the index of the content in `words`.
ConfigFileTokens read_config_file(const Words& words, std::size_t file, const OptionTable& table);

}  // namespace recipelint::serving::vllm
