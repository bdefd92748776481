#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "analyzer/facts/image_reference.h"
#include "analyzer/layout/workspace.h"
#include "rules/images/images.h"
#include "rules/pages.h"

namespace recipelint::rules {
namespace {

using facts::ImageReference;
using findings::Finding;
using findings::Level;
using layout::Importer;
using layout::RowLaunch;
using layout::Site;
using layout::Target;

constexpr std::string_view kId = "RL3004";

enum class Problem { kNone, kDigestBesideTag, kSlashAfterRegistry, kHashAfterRegistry };

/// What an importer does not take of a reference.
Problem problem_of(const ImageReference& image, Importer importer) {
  const bool hash = image.registry_separator == ImageReference::RegistrySeparator::kHash;
  if (importer == Importer::kDocker && !image.registry.empty() && hash) {
    return Problem::kHashAfterRegistry;
  }
  if (importer != Importer::kEnroot) return Problem::kNone;
  if (!image.digest.empty() && image.digest_place == ImageReference::DigestPlace::kAfterAt) {
    return Problem::kDigestBesideTag;
  }
  return !image.registry.empty() && !hash ? Problem::kSlashAfterRegistry : Problem::kNone;
}

std::string enroot_form(const ImageReference& image) {
  std::string path = image.repository;
  std::string registry = image.registry;
  if (!image.digest.empty() && registry.empty()) {
    registry = "registry-1.docker.io";
    if (path.find('/') == std::string::npos) path = "library/" + path;
  }
  const std::string version = image.digest.empty() ? image.tag : image.digest;
  return fmt::format("{}{}{}{}{}", registry, registry.empty() ? "" : "#", path,
                     version.empty() ? "" : ":", version);
}

std::string message_of(Problem problem, const std::string& image, const std::string& launchers) {
  switch (problem) {
    case Problem::kDigestBesideTag:
      return fmt::format(
          "enroot 3 does not take the digest behind the '@' of '{}', and {} it on "
          "unchanged.",
          image, launchers);
    case Problem::kSlashAfterRegistry:
      return fmt::format(
          "enroot takes the registry of '{}' for a folder of Docker Hub: it expects "
          "'#' behind a registry, and {} the reference on unchanged.",
          image, launchers);
    case Problem::kHashAfterRegistry:
      return fmt::format(
          "Docker does not take the '#' behind the registry of '{}', and {} it on "
          "unchanged.",
          image, launchers);
    case Problem::kNone:
      break;
  }
  return "";
}

std::string docker_form(const ImageReference& image) {
  ImageReference copy = image;
  copy.registry_separator = ImageReference::RegistrySeparator::kSlash;
  return facts::to_string(copy);
}

/// One image of an entry, and the launchers that do not take it.
struct Affected {
  const space::Entry* entry = nullptr;
  ImageReference image;
  std::map<Problem, std::set<std::string>> launchers;
};

void collect(Affected& affected, const RowLaunch& row) {
  const auto add = [&](const Target& target) {
    const Problem problem = problem_of(affected.image, target.importer);
    if (problem != Problem::kNone) affected.launchers[problem].insert(target.runner.launcher);
  };
  add(row.throughput);
  for (const Target& target : row.elsewhere) add(target);
}

std::string in_words(const std::set<std::string>& launchers) {
  std::string names;
  for (const std::string& name : launchers) {
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", name);
  }
  return launchers.size() == 1 ? fmt::format("the launcher {} passes", names)
                               : fmt::format("the launchers {} pass", names);
}

/// Findings by problem and image, so that an image of many entries is one finding.
using Found = std::map<std::pair<Problem, std::string>, std::vector<const Affected*>>;

Finding finding_of(Problem problem, const std::vector<const Affected*>& affected) {
  const Affected& first = *affected.front();
  const std::string image(*first.entry->image);
  std::set<std::string> launchers;
  Finding finding;
  finding.rule = kId;
  finding.level = Level::kNote;
  finding.primary = first.entry->image.span();
  for (const Affected* one : affected) {
    const auto& own = one->launchers.at(problem);
    launchers.insert(own.begin(), own.end());
    finding.cells.emplace_back(one->entry->key);
    if (one != &first) finding.related.push_back({one->entry->image.span(), "the same image"});
  }
  std::sort(finding.cells.begin(), finding.cells.end());
  finding.message = message_of(problem, image, in_words(launchers));
  const bool for_docker = problem == Problem::kHashAfterRegistry;
  finding.remedies = {
      fmt::format("Write '{}'.", for_docker ? docker_form(first.image) : enroot_form(first.image))};
  finding.identity = image;
  return finding;
}

void check_site(const Site& site, findings::FindingSink& sink) {
  std::vector<Affected> images;
  const space::Entry* current = nullptr;
  for (const RowLaunch& row : site.rows) {
    if (row.entry != current) {
      current = row.entry;
      auto parsed = facts::parse_image_reference(row.entry->image.value_or(""));
      auto* image = std::get_if<ImageReference>(&parsed);
      images.push_back({row.entry, image != nullptr ? *image : ImageReference{}, {}});
    }
    collect(images.back(), row);
  }
  Found found;
  for (const Affected& affected : images) {
    for (const auto& [problem, launchers] : affected.launchers) {
      found[{problem, std::string(*affected.entry->image)}].push_back(&affected);
    }
  }
  for (const auto& [what, affected] : found) sink.report(finding_of(what.first, affected));
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  for (const Site& site : context.workspace.sites()) check_site(site, sink);
}

}  // namespace

Rule image_form() {
  return {kId,
          "image-form",
          Level::kNote,
          Precision::kMedium,
          "The importer on the machines of a launcher does not take this spelling of an image.",
          embedded_pages("image_form.md"),
          run};
}

}  // namespace recipelint::rules
