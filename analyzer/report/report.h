#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/findings/finding.h"
#include "analyzer/findings/notification.h"
#include "analyzer/findings/rule_description.h"

namespace recipelint::report {

/// Cells that a rule could say nothing about, and why.
struct Unevaluated {
  std::string rule;
  std::string cause;
  std::size_t cells = 0;
};

struct Summary {
  std::size_t files = 0;
  std::size_t cells = 0;
  std::size_t cells_evaluated = 0;
  std::size_t cells_partial = 0;
  std::size_t suppressed = 0;
  std::vector<Unevaluated> unevaluated;
};

/// The commit that was analysed.
struct VersionControl {
  std::string repository_uri;
  std::string revision;
  std::string branch;  // may be empty
};

/// A finding that the user has accepted.
struct Suppressed {
  enum class Kind : std::uint8_t { kComment, kBaseline };
  findings::Finding finding;
  Kind kind = Kind::kComment;
  /// Why; may be empty.
  std::string reason;
};

/// Everything that is reported of one run, ready to be written: lists are in the order of output.
struct Report {
  /// Of recipelint.
  std::string version;
  /// The analysed folder as the user should see it.
  std::string root;
  /// All rules, ordered by id, not only those with findings.
  std::vector<findings::RuleDescription> rules;
  /// From findings::Collector, so that fingerprints are set.
  std::vector<findings::Finding> findings;
  std::vector<findings::Notification> notifications;
  Summary summary;
  /// Tells several uploads of one commit apart in GitHub code scanning; may be empty.
  std::string category;
  /// What stands before and behind a rule id in the address of its page; empty if pages are not
  /// published.
  std::string rule_page_base;
  std::string rule_page_end;
  /// Home page of recipelint; may be empty.
  std::string home_page;
  std::optional<VersionControl> version_control;
  /// What is not to be counted and is shown all the same (--show-suppressed).
  std::vector<Suppressed> suppressed;
};

enum class Color : std::uint8_t { kNever, kAlways };

struct TextOptions {
  /// Columns; at least 40 are used.
  std::size_t width = 100;
  Color color = Color::kNever;
  /// How many cells of a finding are named before the rest is counted.
  std::size_t cells_shown = 5;
  /// How many parts of the sources are shown for a finding; what lies elsewhere is only named, up
  /// to `places_named`, and then counted.
  std::size_t snippets_shown = 3;
  std::size_t places_named = 5;
  /// Whether the summary stands at the end.
  bool summary = true;
};

/// For people: snippets with carets in the manner of rustc, errors first, and a summary line.
void write_text(const Report& report, const TextOptions& options, std::ostream& out);
/// "file:line:column: level[RULE]: message", one line a finding.
void write_unix(const Report& report, std::ostream& out);
/// One JSON document, schema recipelint/1, one line a finding. "notifications" and "suppressed" are
/// there only if there are any. Columns count characters; the end is exclusive.
void write_json(const Report& report, std::ostream& out);
/// SARIF 2.1.0 for GitHub code scanning and editors.
void write_sarif(const Report& report, std::ostream& out);
/// Workflow commands that GitHub Actions shows as annotations.
void write_github(const Report& report, std::ostream& out);
/// GitLab Code Quality.
void write_gitlab(const Report& report, std::ostream& out);
/// JUnit XML: errors and warnings are failures, notes are skipped tests.
void write_junit(const Report& report, std::ostream& out);

struct Format {
  std::string_view name;
  /// Only text looks at the options.
  void (*write)(const Report& report, const TextOptions& options, std::ostream& out);
};

/// All formats, in the order in which help lists them.
std::span<const Format> formats();
/// Null for an unknown name.
const Format* find_format(std::string_view name);

/// The rule with this id; null if the report does not describe it.
const findings::RuleDescription* find_rule(const Report& report, std::string_view id);

}  // namespace recipelint::report
