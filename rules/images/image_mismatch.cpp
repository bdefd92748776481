#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "analyzer/facts/image_reference.h"
#include "rules/images/images.h"
#include "rules/pages.h"
#include "rules/recipe_uses.h"

namespace recipelint::rules {
namespace {

using facts::ImageReference;
using findings::Finding;
using findings::Level;
using launch::recipe::PlacedText;

constexpr std::string_view kId = "RL3003";

/// Whether both name one image, as far as they say: '#' and '/' behind the registry are the same,
/// and a digest that only one of them has does not count if both have the tag.
bool same_image(std::string_view a, std::string_view b) {
  if (a == b) return true;
  auto parsed_a = facts::parse_image_reference(a);
  auto parsed_b = facts::parse_image_reference(b);
  auto* first = std::get_if<ImageReference>(&parsed_a);
  auto* second = std::get_if<ImageReference>(&parsed_b);
  if (first == nullptr || second == nullptr) return false;
  const bool one_digest = first->digest.empty() != second->digest.empty();
  if (one_digest && !first->tag.empty() && !second->tag.empty()) {
    first->digest.clear();
    second->digest.clear();
  }
  return facts::canonical_image(*first) == facts::canonical_image(*second);
}

bool is_bare_name(std::string_view name) {
  return name.find_first_of("/:#@") == std::string_view::npos;
}

/// Whether the launcher maps the name to the image that it was given.
bool is_mapped(const RecipePair& pair, const std::string& name) {
  const auto& known = pair.reference.containers;
  return std::find(known.begin(), known.end(), name) != known.end();
}

std::string message_of(const RecipePair& pair, const PlacedText& container) {
  const std::string image(*pair.row.entry->image);
  const std::string& launcher = pair.row.target(pair.mode).runner.launcher;
  if (is_bare_name(container.text)) {
    return fmt::format(
        "The launcher '{}' does not map the container '{}' of the recipe '{}' to an image.",
        launcher, container.text, pair.recipe.path);
  }
  return fmt::format("The image of the entry is '{}', but its recipe '{}' runs '{}'.", image,
                     pair.recipe.path, container.text);
}

void check_container(const RecipePair& pair, findings::FindingSink& sink) {
  const std::string image(pair.row.entry->image.value_or(""));
  const auto& container = pair.variant.container;
  if (image.empty() || !container || container->text.empty()) return;
  if (is_mapped(pair, container->text) || same_image(image, container->text)) return;
  // Which names a launcher without rules of its own maps is not known.
  if (is_bare_name(container->text) && !pair.row.target(pair.mode).launcher_known) return;
  Finding finding = finding_about(pair, kId, pair.row.entry->image.span(), container->span,
                                  "the container of the recipe");
  const auto& identity = pair.variant.identity_image;
  if (identity && !same_image(image, identity->text)) {
    finding.related.push_back({identity->span, "the image that the recipe says it was made for"});
  }
  finding.message = message_of(pair, *container);
  finding.remedies = {fmt::format("Write 'container: {}' in the recipe.", image)};
  if (!is_bare_name(container->text)) {
    finding.remedies.push_back(fmt::format("Write 'image: {}' in the entry.", container->text));
  }
  finding.identity = fmt::format("{} {}", pair.key(), pair.recipe.path);
  sink.report(std::move(finding));
}

/// The container fits, but the recipe records another image as its origin.
void check_identity(const RecipePair& pair, findings::FindingSink& sink) {
  const std::string image(pair.row.entry->image.value_or(""));
  const auto& identity = pair.variant.identity_image;
  const auto& container = pair.variant.container;
  if (image.empty() || !identity || !container || same_image(image, identity->text)) return;
  if (!is_mapped(pair, container->text) && !same_image(image, container->text)) return;
  Finding finding = finding_about(pair, kId, pair.row.entry->image.span(), identity->span,
                                  "the image that the recipe says it was made for");
  finding.level = Level::kWarning;
  finding.message = fmt::format(
      "The image of the entry is '{}', but its recipe '{}' says that it was made for '{}'.", image,
      pair.recipe.path, identity->text);
  finding.remedies = {fmt::format("Write 'image: {}' under identity.container.", image)};
  finding.identity = fmt::format("{} {} identity", pair.key(), pair.recipe.path);
  sink.report(std::move(finding));
}

/// The pairs of one entry with one recipe come one after the other and say the same.
struct Previous {
  const layout::SelectedRecipe* recipe = nullptr;
  const space::Entry* entry = nullptr;
};

void run(const RuleContext& context, findings::FindingSink& sink) {
  Previous previous;
  for_each_pair(context, [&](const RecipePair& pair) {
    if (previous.recipe == &pair.recipe && previous.entry == pair.row.entry) return;
    previous = {&pair.recipe, pair.row.entry};
    check_container(pair, sink);
    check_identity(pair, sink);
  });
}

}  // namespace

Rule image_mismatch() {
  return {kId,
          "image-mismatch",
          Level::kError,
          Precision::kVeryHigh,
          "The image of an entry is not the container that its recipe runs.",
          embedded_pages("image_mismatch.md"),
          run};
}

}  // namespace recipelint::rules
