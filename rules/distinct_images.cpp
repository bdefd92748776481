#include "rules/distinct_images.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "analyzer/facts/catalog.h"
#include "analyzer/text/source_file.h"

namespace recipelint::rules {
namespace {

using layout::ImageUse;

bool is_in_recipe(const ImageUse& use) {
  return use.kind == ImageUse::Kind::kRecipeContainer;
}

bool is_launcher_alias(const ImageUse& use) {
  return is_in_recipe(use) && use.reference.find_first_of("/:#@") == std::string::npos;
}

std::string path_of(const text::Span& span) {
  return span.valid() ? span.file->path() : "";
}

/// The tag inside the use; the whole use if there is none, or if the file spells the reference
/// otherwise (escapes in quotes), so that offsets do not carry over.
text::Span place_of(const ImageUse& use, const facts::ImageClass& image) {
  if (!image.reference || image.reference->tag.empty()) return use.span;
  const auto parsed = facts::parse_image_reference(use.reference);
  const auto* reference = std::get_if<facts::ImageReference>(&parsed);
  if (reference == nullptr || use.span.bytes() != use.reference) return use.span;
  text::Span place = use.span;
  place.end = place.begin + reference->tag_range.end;
  place.begin += reference->tag_range.begin;
  return place;
}

std::string label_of(const ImageUse& use) {
  std::string where;
  if (use.kind == ImageUse::Kind::kSetting) where = fmt::format(" in {}", use.setting);
  if (is_in_recipe(use)) where = " in the recipe";
  if (use.keys.size() == 1) return fmt::format("the same image{}, for '{}'", where, use.keys[0]);
  if (use.keys.empty()) return fmt::format("the same image{}", where);
  return fmt::format("the same image{}, for {} entries", where, use.keys.size());
}

/// Entries and their settings by place, then the containers of recipes by place.
std::vector<const ImageUse*> in_order(const std::vector<ImageUse>& uses) {
  std::vector<const ImageUse*> ordered;
  for (const auto& use : uses) {
    if (!is_launcher_alias(use)) ordered.push_back(&use);
  }
  std::stable_sort(ordered.begin(), ordered.end(), [](const ImageUse* a, const ImageUse* b) {
    if (is_in_recipe(*a) != is_in_recipe(*b)) return is_in_recipe(*b);
    return text::compare(a->span, b->span) < 0;
  });
  return ordered;
}

}  // namespace

std::vector<DistinctImage> distinct_images(const RuleContext& context) {
  std::vector<DistinctImage> images;
  std::map<std::pair<std::string, std::string>, std::size_t> by_file_and_identity;
  std::map<std::string, std::size_t> first_with_identity;
  for (const auto* use : in_order(context.workspace.image_uses())) {
    auto image = context.facts.images().classify(use->reference);
    std::string identity =
        image.reference ? facts::canonical_image(*image.reference) : use->reference;
    // A recipe repeats the image of the entries that select it: no defect of its own.
    const auto first = first_with_identity.find(identity);
    if (is_in_recipe(*use) && first != first_with_identity.end()) {
      images[first->second].uses.push_back(use);
      continue;
    }
    const auto [known, added] =
        by_file_and_identity.try_emplace({path_of(use->span), identity}, images.size());
    first_with_identity.try_emplace(identity, known->second);
    if (added) images.push_back({std::move(image), std::move(identity), {}});
    images[known->second].uses.push_back(use);
  }
  return images;
}

findings::Finding finding_about(const DistinctImage& image, std::string_view rule) {
  findings::Finding finding;
  finding.rule = rule;
  finding.primary = place_of(*image.uses.front(), image.image);
  for (const auto* use : image.uses) {
    finding.cells.insert(finding.cells.end(), use->keys.begin(), use->keys.end());
    if (use != image.uses.front()) {
      finding.related.push_back({place_of(*use, image.image), label_of(*use)});
    }
  }
  std::sort(finding.cells.begin(), finding.cells.end());
  finding.cells.erase(std::unique(finding.cells.begin(), finding.cells.end()), finding.cells.end());
  finding.identity = image.identity;
  return finding;
}

std::string tag_in_words(const DistinctImage& image) {
  const auto repository = facts::repository_as_written(*image.image.reference);
  return fmt::format("The tag '{}' of '{}'", image.image.reference->tag, repository);
}

std::string form_fact(const DistinctImage& image, std::string_view what,
                      const facts::Evidence& evidence) {
  return fmt::format("'{}' of {}: {} ({})", image.image.form->tag.text(),
                     facts::canonical_repository(*image.image.reference), what,
                     facts::to_string(evidence));
}

std::string digest_form(const DistinctImage& image) {
  return facts::pinned_to(*image.image.reference, "sha256:<digest>");
}

std::string release_form(const DistinctImage& image) {
  const auto* publisher = image.image.publisher;
  if (publisher == nullptr || publisher->release_form.empty()) return "";
  const bool whole_reference = publisher->release_form.find(':') != std::string::npos;
  if (whole_reference) return publisher->release_form;
  return facts::retagged_as(*image.image.reference, publisher->release_form);
}

}  // namespace recipelint::rules
