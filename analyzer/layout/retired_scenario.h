#pragma once

#include <string>
#include <vector>

#include "analyzer/facts/date.h"
#include "analyzer/text/span.h"

namespace recipelint::layout {

/// Runs that a repository does not want any more. A run is meant if each list that is not empty has
/// a pattern for it, in which `*` stands for any text.
struct RetiredScenario {
  std::string name;  // as its maintainers call it: "single-turn 1k8k"
  std::vector<std::string> scenario_types;
  std::vector<std::string> isl;
  std::vector<std::string> osl;
  std::vector<std::string> model_prefixes;
  std::vector<std::string> precisions;
  facts::Date since;  // the first day without it
  /// The file of the repository that says so, and words of it that do; a tree without them still
  /// wants these runs. Empty: it holds for every tree.
  std::string stated_in;
  std::string marker;
};

/// One that holds for a tree, and where the tree says so; the place is invalid if it need not.
struct RetirementNotice {
  const RetiredScenario* scenario = nullptr;
  text::Span place;
};

}  // namespace recipelint::layout
