#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/layout/workspace.h"
#include "analyzer/space/cells_json.h"
#include "analyzer/space/changelog_change.h"
#include "analyzer/space/key_pattern.h"
#include "rules/pages.h"
#include "rules/schema/changelog.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using layout::RowLaunch;
using layout::Site;
using layout::Target;

constexpr std::string_view kId = "RL9005";
/// So many keys are named in a message; the others are counted.
constexpr std::size_t kKeysNamed = 3;

Level to_level(space::Severity severity) {
  switch (severity) {
    case space::Severity::kNote:
      return Level::kNote;
    case space::Severity::kWarning:
      return Level::kWarning;
    case space::Severity::kError:
      break;
  }
  return Level::kError;
}

Finding to_finding(const space::Problem& problem) {
  Finding finding;
  finding.rule = kId;
  finding.level = to_level(problem.severity);
  finding.message = problem.message;
  finding.primary = problem.span;
  finding.remedies = problem.remedies;
  finding.identity = problem.identity;
  return finding;
}

/// A text without the lines that hold nothing but a comment or blanks: what a shell or a YAML
/// reader makes of it does not depend on them.
std::string without_comments(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
    const auto first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos || line[first] == '#') continue;
    out.append(line).push_back('\n');
  }
  return out;
}

/// The matrix rows of a key as the generator prints them, without their places in the file and
/// without the choice of evaluations, which depends on other keys as well.
std::string rows_of(const Site& site, std::string_view key) {
  std::vector<space::MatrixRow> rows;
  for (const space::MatrixRow& row : site.matrix) {
    if (row.entry->key != key) continue;
    rows.push_back(row);
    rows.back().run_eval = false;
    rows.back().eval_only = false;
    rows.back().eval_conc.reset();
  }
  std::ostringstream out;
  space::write_cells_json(rows, out);
  std::istringstream lines(out.str());
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    text += line.substr(0, line.rfind("\"file\":")) + '\n';
  }
  return text;
}

/// The script and the recipe file that a row runs, in both modes, on all its runners.
std::set<std::string> files_of(const RowLaunch& row) {
  std::set<std::string> files;
  const auto add = [&files](const Target& target) {
    const bool has_script = target.kind == Target::Kind::kScript && target.script_exists;
    if (has_script) files.insert(target.script);
    if (target.recipe.place == layout::RecipePlace::kInTree) files.insert(target.recipe.path);
  };
  add(row.throughput);
  add(row.eval);
  for (const Target& target : row.elsewhere) add(target);
  return files;
}

/// "'a', 'b' and 3 more".
std::string named(const std::set<std::string>& keys) {
  std::vector<std::string> shown;
  for (const std::string& key : keys) {
    if (shown.size() == kKeysNamed) break;
    shown.push_back(fmt::format("'{}'", key));
  }
  const std::size_t more = keys.size() - shown.size();
  std::string text = fmt::format("{}", fmt::join(shown, ", "));
  return more == 0 ? text : fmt::format("{} and {} more", text, more);
}

class Comparison {
 public:
  Comparison(const RuleContext& context, const Site& before, const Site& now,
             findings::FindingSink& sink)
      : context_(context), before_(before), now_(now), sink_(sink) {}

  void run() {
    const auto change =
        before_.space.changelog
            ? space::compare_changelogs(*before_.space.changelog, *now_.space.changelog)
            : added_file();
    for (const space::Problem& problem : change.problems) sink_.report(to_finding(problem));
    added_ = change.added;
    compare_entries();
    compare_files();
  }

 private:
  /// A changelog that was not there before is new as a whole.
  space::ChangelogChange added_file() const {
    space::ChangelogChange change;
    for (const auto& entry : now_.space.changelog->entries) change.added.push_back(&entry);
    return change;
  }

  bool has_new_entry(std::string_view key) const {
    return std::any_of(added_.begin(), added_.end(), [key](const space::ChangelogEntry* entry) {
      return std::any_of(entry->config_keys.begin(), entry->config_keys.end(),
                         [key](const space::String& pattern) {
                           return space::matches_changelog_key(*pattern, key);
                         });
    });
  }

  void compare_entries() {
    for (const space::MasterConfig& master : now_.space.masters) {
      for (const space::Entry& entry : master.entries) {
        const space::Entry* old_entry = before_.space.find(entry.key);
        if (has_new_entry(entry.key)) continue;
        if (old_entry == nullptr) {
          report_entry(entry, entry.key_span(), "This key is new");
        } else if (entry.image.value_or("") != old_entry->image.value_or("")) {
          report_entry(entry, entry.image.span(), "The image of this key has changed");
        } else if (entry.node.span().bytes() != old_entry->node.span().bytes() &&
                   rows_of(now_, entry.key) != rows_of(before_, entry.key)) {
          report_entry(entry, entry.key_span(), "The rows of this key have changed");
        }
      }
    }
  }

  void report_entry(const space::Entry& entry, text::Span span, std::string_view what) {
    reported_.insert(std::string(entry.key));
    Finding finding;
    finding.rule = kId;
    finding.level = Level::kWarning;
    finding.message = fmt::format(
        "{}, and no new entry of the changelog names '{}'. The merge sweeps the keys "
        "that new entries name, and no others.",
        what, entry.key);
    finding.primary = span.valid() ? span : entry.key_span();
    finding.cells = {std::string(entry.key)};
    finding.remedies = {remedy(entry.key)};
    finding.identity = fmt::format("missing/{}", entry.key);
    sink_.report(std::move(finding));
  }

  std::string remedy(std::string_view key) const {
    return fmt::format("Append an entry with '{}' among its config-keys to '{}'.", key,
                       now_.files.changelog);
  }

  void compare_files() {
    std::map<std::string, std::set<std::string>> keys_of;
    for (const RowLaunch& row : now_.rows) {
      for (const std::string& file : files_of(row))
        keys_of[file].insert(std::string(row.entry->key));
    }
    for (const auto& [file, keys] : keys_of) {
      const bool named_by_one = std::any_of(keys.begin(), keys.end(),
                                            [this](const auto& key) { return has_new_entry(key); });
      // Who changes a shared script for one of its keys says so by naming that one.
      if (named_by_one) continue;
      std::set<std::string> missing;
      std::set_difference(keys.begin(), keys.end(), reported_.begin(), reported_.end(),
                          std::inserter(missing, missing.end()));
      if (!missing.empty() && has_changed(file)) report_file(file, missing);
    }
  }

  bool has_changed(const std::string& file) const {
    const auto now = context_.workspace.sources().load(file);
    const auto before = context_.before->sources().load(file);
    if (!now || !before) return false;
    if ((*now)->bytes() == (*before)->bytes()) return false;
    return without_comments((*now)->bytes()) != without_comments((*before)->bytes());
  }

  void report_file(const std::string& file, const std::set<std::string>& keys) {
    const text::SourceFile& source = **context_.workspace.sources().load(file);
    Finding finding;
    finding.rule = kId;
    finding.level = Level::kWarning;
    finding.message = fmt::format(
        "This file has changed, and no new entry of the changelog names a key that runs "
        "it: {}. The merge sweeps the keys that new entries name, and no others.",
        named(keys));
    finding.primary = source.line(1);
    finding.cells.assign(keys.begin(), keys.end());
    finding.remedies = {remedy(*keys.begin())};
    finding.identity = fmt::format("missing/{}", file);
    sink_.report(std::move(finding));
  }

  const RuleContext& context_;
  const Site& before_;
  const Site& now_;
  findings::FindingSink& sink_;
  std::vector<const space::ChangelogEntry*> added_;
  std::set<std::string> reported_;
};

/// The same repository in the older revision; null if it was not there.
const Site* site_before(const layout::Workspace& before, const Site& now) {
  const auto& sites = before.sites();
  const auto found = std::find_if(sites.begin(), sites.end(), [&now](const Site& site) {
    return site.files.root == now.files.root && site.files.folder == now.files.folder;
  });
  return found == sites.end() ? nullptr : &*found;
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  if (context.before == nullptr) return;
  for (const Site& site : context.workspace.sites()) {
    const Site* before = site.space.changelog ? site_before(*context.before, site) : nullptr;
    if (before != nullptr) Comparison(context, *before, site, sink).run();
  }
}

}  // namespace

Rule changelog_entry() {
  return {kId,
          "changelog-entry",
          Level::kError,
          Precision::kHigh,
          "An entry of the changelog that cannot be processed, or a change that has none.",
          embedded_pages("changelog_entry.md"),
          run};
}

}  // namespace recipelint::rules
