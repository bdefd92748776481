#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/launch/install.h"
#include "analyzer/text/source_file.h"
#include "rules/cell_diagnostics.h"
#include "rules/contract/contract.h"
#include "rules/pages.h"

namespace recipelint::rules {
namespace {

using findings::Finding;
using findings::Level;
using launch::Install;
using launch::Unpinned;

constexpr std::string_view kId = "RL7004";

/// Whether a later command of the same file, before the next clone, chooses a commit.
bool is_pinned_later(const Install& clone, const std::vector<Install>& all) {
  const auto is_behind = [&](const Install& other) {
    return other.span.valid() && other.span.file == clone.span.file &&
           other.span.begin > clone.span.begin;
  };
  std::uint32_t end = UINT32_MAX;
  for (const Install& other : all) {
    if (other.tool == Install::Tool::kGitClone && is_behind(other)) {
      end = std::min(end, other.span.begin);
    }
  }
  return std::any_of(all.begin(), all.end(), [&](const Install& other) {
    return is_behind(other) && other.span.begin < end && launch::pins_clone(other);
  });
}

std::string list_of(const std::vector<Unpinned>& packages) {
  std::string text;
  for (std::size_t i = 0; i < packages.size(); ++i) {
    if (i > 0) text += i + 1 == packages.size() ? " and " : ", ";
    text += fmt::format("'{}'", packages[i].what);
  }
  return text;
}

std::string message_of(const Install& install, const std::vector<Unpinned>& packages) {
  const Unpinned& first = packages.front();
  if (install.tool == Install::Tool::kGitClone) {
    const std::string branch =
        first.branch.empty() ? "its default branch" : fmt::format("the branch '{}'", first.branch);
    return fmt::format("What {} of '{}' holds on the day of the run is cloned.", branch, first.what);
  }
  if (install.tool == Install::Tool::kPatch) {
    return fmt::format("What the image has installed is changed: '{}'. What runs then is not what its "
                       "name says.",
                       first.what);
  }
  return fmt::format("The version of {} is whichever is there on the day of the run.",
                     list_of(packages));
}

std::vector<std::string> remedies_of(const Install& install,
                                     const std::vector<Unpinned>& packages) {
  if (install.tool == Install::Tool::kGitClone) {
    return {"Check out a commit behind it: 'git checkout <commit>'."};
  }
  if (install.tool == Install::Tool::kPatch) {
    return {"Use an image that has the change, named by its digest."};
  }
  std::string pinned;
  for (const Unpinned& package : packages) {
    pinned += fmt::format("{}{}", pinned.empty() ? "" : " ", package.pinned);
  }
  return {fmt::format("Name the versions that were measured: '{}'.", pinned),
          "Use an image that has it."};
}

text::Span place_of(const Install& install, std::size_t word) {
  const bool has_place =
      word < install.argument_spans.size() && install.argument_spans[word].valid();
  return has_place ? install.argument_spans[word] : install.span;
}

Finding finding_of(const Install& install, const std::vector<Unpinned>& packages) {
  Finding finding;
  finding.rule = kId;
  finding.level = Level::kNote;
  finding.primary = place_of(install, packages.front().word);
  finding.message = message_of(install, packages);
  finding.remedies = remedies_of(install, packages);
  finding.identity = packages.front().what;
  return finding;
}

struct Place {
  text::Span span;
  std::string what;

  bool operator<(const Place& other) const {
    const auto order = text::compare(span, other.span);
    return order != 0 ? order < 0 : what < other.what;
  }
};

void run(const RuleContext& context, findings::FindingSink& sink) {
  std::map<Place, Finding> found;
  for (const layout::EvaluatedCell& cell : context.cells.all()) {
    const std::vector<Install>& installs = cell.launches->installs;
    for (const Install& install : installs) {
      const auto packages = launch::unpinned(install);
      if (packages.empty()) continue;
      const bool is_clone = install.tool == Install::Tool::kGitClone;
      if (is_clone && is_pinned_later(install, installs)) continue;
      Finding finding = finding_of(install, packages);
      if (!finding.primary.valid()) continue;
      const Place place{finding.primary, finding.identity};
      found.try_emplace(place, std::move(finding)).first->second.cells.push_back(cell.name());
    }
  }
  for (auto& [place, finding] : found) {
    make_set(finding.cells);
    sink.report(std::move(finding));
  }
}

}  // namespace

Rule unpinned_install() {
  return {kId,
          "unpinned-install",
          Level::kNote,
          Precision::kHigh,
          "A script installs or clones whatever is there on the day of the run, or changes what its image "
          "has installed.",
          embedded_pages("unpinned_install.md"),
          run};
}

}  // namespace recipelint::rules
