#pragma once

#include <string>

#include "analyzer/findings/finding.h"

namespace recipelint::findings {

/// What a reader of findings needs to know about a rule.
struct RuleDescription {
  std::string id;    // "RL3001"
  std::string name;  // "mutable-image-tag"
  /// Group of the rule in one word ("images"); may be empty.
  std::string group;
  Level level = Level::kWarning;
  /// "very-high", "high", "medium" or "low": GitHub code scanning's words.
  std::string precision;
  std::string summary;  // one sentence
  std::string page;     // Markdown
};

}  // namespace recipelint::findings
