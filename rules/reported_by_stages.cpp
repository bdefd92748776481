#include "rules/reported_by_stages.h"

#include "rules/pages.h"

namespace recipelint::rules {

using findings::Level;

Rule unparsed_yaml() {
  return {"RL1002",
          "unparsed-yaml",
          Level::kError,
          Precision::kVeryHigh,
          "A YAML file that PyYAML's safe_load refuses.",
          embedded_pages("unparsed_yaml.md")};
}

Rule unused_ignore() {
  return {"RL1004",
          "unused-ignore",
          Level::kNote,
          Precision::kVeryHigh,
          "An ignore comment that suppresses nothing.",
          embedded_pages("unused_ignore.md")};
}

Rule ignore_without_reason() {
  return {"RL1005",
          "ignore-without-reason",
          Level::kNote,
          Precision::kVeryHigh,
          "An ignore comment that does not say why.",
          embedded_pages("ignore_without_reason.md")};
}

Rule unknown_runner() {
  return {"RL5003",
          "unknown-runner",
          Level::kError,
          Precision::kVeryHigh,
          "No machine has the runner label of an entry.",
          embedded_pages("unknown_runner.md")};
}

Rule schema() {
  return {"RL9001",
          "schema",
          Level::kError,
          Precision::kVeryHigh,
          "A field of the search space that the repository's validation refuses or drops.",
          embedded_pages("schema.md")};
}

Rule duplicate_key() {
  return {"RL9002",
          "duplicate-key",
          Level::kError,
          Precision::kVeryHigh,
          "A YAML mapping has the same key twice; only the last value counts.",
          embedded_pages("duplicate_key.md")};
}

Rule duplicate_point() {
  return {"RL9003",
          "duplicate-point",
          Level::kWarning,
          Precision::kHigh,
          "Two points of the search space launch exactly the same.",
          embedded_pages("duplicate_point.md")};
}

Rule topology_row() {
  return {"RL9004",
          "topology-row",
          Level::kError,
          Precision::kVeryHigh,
          "A row passes the validation and does not fit its entry or cannot be expanded.",
          embedded_pages("topology_row.md")};
}

}  // namespace recipelint::rules
