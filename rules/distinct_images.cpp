#include "rules/distinct_images.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "analyzer/facts/catalog.h"
#include "analyzer/launch/recognize.h"
#include "analyzer/text/source_file.h"
#include "rules/cell_diagnostics.h"

namespace recipelint::rules {
namespace {

using Kind = ImagePlace::Kind;

bool is_in_recipe(const ImagePlace& use) {
  return use.kind == Kind::kRecipeContainer;
}

bool is_launcher_alias(const ImagePlace& use) {
  return is_in_recipe(use) && use.reference.find_first_of("/:#@") == std::string::npos;
}

std::string path_of(const text::Span& span) {
  return span.valid() ? span.file->path() : "";
}

/// The tag inside the use; the whole use if there is none, or if the file spells the reference
/// otherwise (escapes in quotes), so that offsets do not carry over.
text::Span place_of(const ImagePlace& use, const facts::ImageClass& image) {
  if (!image.reference || image.reference->tag.empty()) return use.span;
  const auto parsed = facts::parse_image_reference(use.reference);
  const auto* reference = std::get_if<facts::ImageReference>(&parsed);
  if (reference == nullptr || use.span.bytes() != use.reference) return use.span;
  text::Span place = use.span;
  place.end = place.begin + reference->tag_range.end;
  place.begin += reference->tag_range.begin;
  return place;
}

std::string label_of(const ImagePlace& use) {
  std::string where;
  if (use.kind == Kind::kSetting) where = fmt::format(" in {}", use.setting);
  if (is_in_recipe(use)) where = " in the recipe";
  if (use.kind == Kind::kCommand) where = " on a command";
  if (use.keys.size() == 1) return fmt::format("the same image{}, for '{}'", where, use.keys[0]);
  if (use.keys.empty()) return fmt::format("the same image{}", where);
  return fmt::format("the same image{}, for {} entries", where, use.keys.size());
}

Kind kind_of(layout::ImageUse::Kind kind) {
  switch (kind) {
    case layout::ImageUse::Kind::kEntry:
      return Kind::kEntry;
    case layout::ImageUse::Kind::kSetting:
      return Kind::kSetting;
    case layout::ImageUse::Kind::kRecipeContainer:
      break;
  }
  return Kind::kRecipeContainer;
}

/// The image of a "docker run", as known from the evaluation.
std::optional<ImagePlace> place_in(const launch::Launch& launch) {
  const auto word = launch::image_word(launch);
  if (!word || !launch.argv[*word].is_known()) return std::nullopt;
  ImagePlace place;
  place.kind = Kind::kCommand;
  place.reference = launch.argv[*word].text();
  place.span = launch.place_of(*word);
  if (!place.span.valid()) place.span = launch.span;
  const text::Span written = launch.argv[*word].origin().span();
  const bool on_command = written.file == place.span.file && written.begin >= place.span.begin &&
                          written.end <= place.span.end;
  if (written.valid() && !on_command) place.written = written;
  return place;
}

/// The images of commands, one for each place and reference.
void add_commands(const RuleContext& context, std::vector<ImagePlace>& places) {
  std::map<std::pair<std::string, std::pair<std::string, std::uint32_t>>, std::size_t> known;
  for (const layout::EvaluatedCell& cell : context.cells.all()) {
    for (const launch::Launch& launch : cell.launches->launches) {
      auto place = place_in(launch);
      if (!place || !place->span.valid()) continue;
      const auto [found, added] = known.try_emplace(
          {place->reference, {path_of(place->span), place->span.begin}}, places.size());
      if (added) places.push_back(*std::move(place));
      auto& keys = places[found->second].keys;
      keys.push_back(cell.row() != nullptr ? std::string(cell.row()->entry->key) : cell.name());
    }
  }
  for (ImagePlace& place : places) make_set(place.keys);
}

/// Entries and their settings by place, then commands, then the containers of recipes by place.
std::vector<ImagePlace> in_order(const RuleContext& context) {
  std::vector<ImagePlace> ordered;
  for (const auto& use : context.workspace.image_uses()) {
    ImagePlace place{kind_of(use.kind), use.reference, use.span, {}, use.setting, use.keys};
    if (!is_launcher_alias(place)) ordered.push_back(std::move(place));
  }
  add_commands(context, ordered);
  const auto rank = [](const ImagePlace& place) {
    if (place.kind == Kind::kCommand) return 1;
    return is_in_recipe(place) ? 2 : 0;
  };
  std::stable_sort(ordered.begin(), ordered.end(), [&](const ImagePlace& a, const ImagePlace& b) {
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    return text::compare(a.span, b.span) < 0;
  });
  return ordered;
}

}  // namespace

std::vector<DistinctImage> distinct_images(const RuleContext& context) {
  std::vector<DistinctImage> images;
  std::map<std::pair<std::string, std::string>, std::size_t> by_file_and_identity;
  std::map<std::string, std::size_t> first_with_identity;
  for (ImagePlace& use : in_order(context)) {
    auto image = context.facts.images().classify(use.reference);
    std::string identity =
        image.reference ? facts::canonical_image(*image.reference) : use.reference;
    // A recipe repeats the image of the entries that select it, and a command the one that its
    // script was handed: no defect of their own.
    const auto first = first_with_identity.find(identity);
    const bool repeats = first != first_with_identity.end() &&
                         (is_in_recipe(use) ||
                          (use.kind == Kind::kCommand &&
                           images[first->second].uses.front().kind != Kind::kCommand));
    if (repeats) {
      images[first->second].uses.push_back(std::move(use));
      continue;
    }
    const auto [known, added] =
        by_file_and_identity.try_emplace({path_of(use.span), identity}, images.size());
    first_with_identity.try_emplace(identity, known->second);
    if (added) images.push_back({std::move(image), std::move(identity), {}});
    images[known->second].uses.push_back(std::move(use));
  }
  return images;
}

findings::Finding finding_about(const DistinctImage& image, std::string_view rule) {
  findings::Finding finding;
  finding.rule = rule;
  finding.primary = place_of(image.uses.front(), image.image);
  for (const ImagePlace& use : image.uses) {
    finding.cells.insert(finding.cells.end(), use.keys.begin(), use.keys.end());
    if (&use != &image.uses.front()) {
      finding.related.push_back({place_of(use, image.image), label_of(use)});
    }
    if (use.written.valid()) finding.related.push_back({use.written, "the image is written here"});
  }
  std::sort(finding.cells.begin(), finding.cells.end());
  finding.cells.erase(std::unique(finding.cells.begin(), finding.cells.end()), finding.cells.end());
  finding.identity = image.identity;
  return finding;
}

bool is_short_lived(const DistinctImage& image) {
  const auto* form = image.image.form;
  return form != nullptr && form->retention && form->retention->lasts_days > 0 &&
         image.image.tag_class != facts::TagClass::kDigest;
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
