#include <algorithm>
#include <array>

#include "rules/images/images.h"
#include "rules/labels/labels.h"
#include "rules/pages.h"
#include "rules/references/references.h"
#include "rules/rule.h"

namespace recipelint::rules {

std::string_view to_string(Precision precision) {
  switch (precision) {
    case Precision::kVeryHigh:
      return "very-high";
    case Precision::kHigh:
      return "high";
    case Precision::kMedium:
      return "medium";
    case Precision::kLow:
      return "low";
  }
  return "";
}

namespace {

/// RL5003: found where the search-space files are read together.
Rule unknown_runner() {
  return {"RL5003",
          "unknown-runner",
          findings::Level::kError,
          Precision::kVeryHigh,
          "No machine has the runner label of an entry.",
          embedded_pages("unknown_runner.md"),
          nullptr};
}

}  // namespace

std::span<const Rule> catalog() {
  static const std::array rules = {
      mutable_image_tag(),   expiring_image_tag(), image_mismatch(),      image_form(),
      concurrency_list(),    worker_count(),       topology_arithmetic(), missing_script(),
      missing_recipe_file(), unknown_runner(),     unreached_file(),
  };
  return rules;
}

const Rule* find_rule(std::string_view id_or_name) {
  const auto rules = catalog();
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) {
    return rule.id == id_or_name || rule.name == id_or_name;
  });
  return found == rules.end() ? nullptr : &*found;
}

}  // namespace recipelint::rules
