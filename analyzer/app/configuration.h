#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/app/options.h"
#include "analyzer/findings/finding.h"
#include "analyzer/layout/profile.h"
#include "analyzer/text/file_tree.h"
#include "analyzer/text/result.h"
#include "analyzer/text/source_file.h"
#include "rules/rule.h"

namespace recipelint::app {

/// The configuration file of a repository, read. Paths are relative to the root and normalized.
struct Configuration {
  /// A level, or none: `off` for a rule, `never` for --fail-on.
  using Level = std::optional<findings::Level>;

  /// How the repository turns rows into runs; null: as InferenceX does.
  std::shared_ptr<const layout::Profile> profile;
  /// By rule id.
  std::map<std::string, Level, std::less<>> levels;
  rules::RuleOptions::ImagePinning image_pinning = rules::RuleOptions::ImagePinning::kVersion;
  /// What pull requests must have; nullopt: what the profile of the repository knows.
  std::optional<layout::PullRequestContract> pull_request;
  /// Globs over paths: what lies in a matching folder or file is not reported.
  std::vector<std::string> exclude;
  /// A file with facts that win over the embedded ones, and one with known findings; may be empty.
  std::string facts;
  std::string baseline;
  /// Not set: as the command line has it.
  std::optional<Level> fail_on;

  /// Whether a file is excluded, itself or with a folder that it lies in.
  bool excludes(std::string_view path) const;
  /// What becomes of the level of a finding: a configured level takes the place of the rule's own,
  /// and what the rule reports below that is not raised. Nullopt: it is not reported.
  Level level_of(const findings::Finding& finding) const;
};

/// Reads a configuration. Fails at the first thing that is wrong, with "path:line:column: " before
/// the message: an unknown key (with the nearest one that exists), a value that is none of those
/// possible, a path that leads out of the root.
text::Result<Configuration> read_configuration(const text::SourceFile& file);

/// The configuration that the command line asks for: --config FILE, else the one in the root if
/// there is one and --no-config does not say otherwise.
text::Result<Configuration> load_configuration(const SharedOptions& options,
                                               const text::FileTree& root);

/// The keys of the file, in the order of the documentation.
std::span<const std::string_view> configuration_keys();
/// The keys of a rule besides `level`, and the values that each may have.
struct RuleOption {
  std::string_view rule;
  std::string_view key;
  /// The values that it may have; empty for any text, or a list of texts.
  std::vector<std::string_view> values;
  bool is_list = false;
};
std::span<const RuleOption> rule_options();

}  // namespace recipelint::app
