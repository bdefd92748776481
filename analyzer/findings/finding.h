#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/text/span.h"

namespace recipelint::findings {

enum class Level : std::uint8_t { kNote, kWarning, kError };

/// "note", "warning" or "error".
std::string_view to_string(Level level);

/// A further place that helps to understand a finding.
struct Related {
  text::Span span;
  std::string label;
};

/// One step of the way from a row of the search space to the argument in question.
struct FlowStep {
  text::Span span;
  std::string text;
};

/// A replacement that is right whenever the finding is.
struct Fix {
  text::Span span;
  std::string replacement;
  std::string description;
};

/// One defect. However many cells it concerns, it is one finding.
struct Finding {
  /// RL id, for example "RL3001"; the other properties of the rule are in the catalog.
  std::string rule;
  Level level = Level::kWarning;
  /// One or more sentences; the first one says what is wrong and stands alone. Dynamic parts stand
  /// in 'single quotes'. Ends with a period.
  std::string message;
  text::Span primary;
  std::vector<Related> related;
  std::vector<FlowStep> flow;
  /// Keys of the cells or entries concerned, sorted, without duplicates.
  std::vector<std::string> cells;
  /// What to do about it, best first; each has the number or text that passes.
  std::vector<std::string> remedies;
  std::vector<Fix> fixes;
  /// Facts that were used, each with its source, for example
  /// "vllm/vllm-openai 'nightly-<commit>': deleted after 14 newer builds (source, date)".
  std::vector<std::string> facts;
  /// What identifies the defect besides rule, file and place, in words that survive edits elsewhere
  /// (an image reference, a flag name). Part of the fingerprint.
  std::string identity;
  /// Names the defect across commits (fingerprint.h). Set by Collector::take(), not by rules.
  std::string fingerprint;
};

/// A cell about which a rule stays silent because something is not known: that is no verdict.
struct Unevaluated {
  std::string rule;
  std::string cause;  // "the GPU is unknown"
  std::string cell;

  friend auto operator<=>(const Unevaluated&, const Unevaluated&) = default;
};

/// Takes findings from rules.
class FindingSink {
 public:
  virtual ~FindingSink() = default;
  virtual void report(Finding finding) = 0;
  /// Who only wants findings need not care.
  virtual void report_unevaluated(Unevaluated /*unevaluated*/) {}
};

}  // namespace recipelint::findings
