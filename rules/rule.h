#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "analyzer/facts/date.h"
#include "analyzer/findings/finding.h"
#include "analyzer/layout/pull_request_contract.h"

namespace recipelint::facts {
class Catalog;
}
namespace recipelint::layout {
class CellResults;
class Workspace;
}  // namespace recipelint::layout
namespace recipelint::serving {
class Servers;
}

namespace recipelint::rules {

/// How sure a finding of a rule is, in GitHub code scanning's words.
enum class Precision { kVeryHigh, kHigh, kMedium, kLow };
std::string_view to_string(Precision precision);

/// What the command line and the configuration say to all rules.
struct RuleOptions {
  /// What an image reference must have to count as fixed: a version by which publishers stand, or
  /// the digest of the content (`immutable: digest` in the configuration).
  enum class ImagePinning { kVersion, kDigest };

  /// The day to measure retention of images against (--as-of); without it no date is read.
  std::optional<facts::Date> as_of;
  ImagePinning image_pinning = ImagePinning::kVersion;
  /// The text of the pull request to judge; null: it was not given. Both must outlive the findings.
  const text::SourceFile* pull_request_title = nullptr;
  const text::SourceFile* pull_request_body = nullptr;
  /// What the repository demands of them.
  layout::PullRequestContract pull_request_contract;
};

/// What a rule may look at: the model of the repository and what is known about the world.
struct RuleContext {
  const layout::Workspace& workspace;
  /// What each cell of it starts. Only rules that ask for it pay for it.
  const layout::CellResults& cells;
  /// The servers among that, decoded. Only rules that ask for it pay for it.
  const serving::Servers& servers;
  const facts::Catalog& facts;
  const RuleOptions& options;
  /// The revision that changes are judged against (--diff-base); null without one.
  const layout::Workspace* before = nullptr;
};

/// One rule. A value in an explicit table (catalog.cpp): no registration, no global state.
struct Rule {
  std::string_view id;                                // "RL3001"; never reused
  std::string_view name;                              // "mutable-image-tag"
  findings::Level level = findings::Level::kWarning;  // the default level of its findings
  Precision precision = Precision::kHigh;
  std::string_view summary;  // one sentence, at most 200 characters
  std::string_view page;     // the Markdown page, embedded
  /// Looks and reports. Null for rules that a stage of the analysis reports itself (RL1002,
  /// RL9002).
  void (*run)(const RuleContext&, findings::FindingSink&) = nullptr;
};

/// All rules, ordered by id.
std::span<const Rule> catalog();
/// The rule with this id or name, in any case; null if there is none.
const Rule* find_rule(std::string_view id_or_name);
/// Whether two words are equal but for the case of ASCII letters.
bool same_word(std::string_view a, std::string_view b);

}  // namespace recipelint::rules
