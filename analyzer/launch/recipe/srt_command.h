#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/launch/launch.h"
#include "analyzer/launch/recipe/srt_slurm.h"
#include "analyzer/shell/value.h"
#include "analyzer/text/origin.h"

namespace recipelint::launch::recipe {

/// What a launcher changes in a recipe before it hands it to srtctl.
struct SubmittedChanges {
  /// After the role option `after`, one more option.
  struct AddedOption {
    std::string after;
    std::string name;
    shell::Value value;
  };
  std::vector<AddedOption> added_options;
  std::vector<std::string> removed_environment;
  /// Tokens per step that speculation is made to accept, instead of what the draft model achieves.
  std::optional<shell::Value> synthetic_acceptance;
};

/// The commands that srtctl starts for a recipe: for each role with workers the process that leads
/// its first worker. Addresses, ports and ranks that the allocation decides are unknown. The rules
/// are those of srt-slurm at c88ef731 (v1.0.68). `pool` must outlive the result.
std::vector<Launch> srt_launches(const SrtRecipe& recipe, const SubmittedChanges& changes,
                                 text::OriginPool& pool);

}  // namespace recipelint::launch::recipe
