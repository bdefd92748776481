#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/space/search_space.h"
#include "analyzer/text/span.h"

namespace recipelint::layout {

/// One family of machines that a runner label stands for: those that one launcher serves.
struct Runner {
  std::string launcher;  // "b200-dgxc": runners/launch_b200-dgxc.sh
  /// The name of the machine if the family has only one, else empty.
  std::string node;
  std::size_t node_count = 0;
  /// Of the first node in runners.yaml; invalid for a guess.
  text::Span span;
  /// The label is in runners.yaml; otherwise the launcher was guessed from the label's name.
  bool label_known = true;
};

/// The families behind a label, the one with most machines first, then in the order of the file.
/// Families without a launcher are left out if others have one. `launchers` are the names of the
/// launchers that exist, sorted. A label that `runners` (may be null) lacks is served by the
/// launchers that begin with its name; never empty.
std::vector<Runner> find_runners(const space::Runners* runners, std::string_view label,
                                 const std::vector<std::string>& launchers);

}  // namespace recipelint::layout
