#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rules/distinct_images.h"
#include "rules/images/images.h"
#include "rules/pages.h"

namespace recipelint::rules {
namespace {

using facts::TagClass;
using findings::Finding;
using findings::Level;

constexpr std::string_view kId = "RL3001";

/// What is wrong with an image, if anything is.
struct Verdict {
  Level level = Level::kWarning;
  std::string message;
};

std::string named_build(const DistinctImage& image) {
  const auto& known = image.image;
  const std::string build = known.commit.empty()
                                ? fmt::format("the day {}", facts::to_string(*known.date))
                                : fmt::format("the commit '{}'", known.commit);
  return fmt::format("{} names {} but is not fixed: {}.", tag_in_words(image), build,
                     known.form->why);
}

std::string placeholder(const DistinctImage& image) {
  if (image.reference().empty()) return "The image is empty: there is nothing to pull.";
  return fmt::format("The image '{}' is a placeholder: no registry can serve it.",
                     image.reference());
}

std::optional<Verdict> judge_content(const DistinctImage& image) {
  // RL3002 says what matters more: the image is gone before anybody can push another one.
  if (is_short_lived(image)) return std::nullopt;
  switch (image.image.tag_class) {
    case TagClass::kRolling:
    case TagClass::kNamed:
      return Verdict{Level::kWarning,
                     fmt::format("{} is mutable: {}.", tag_in_words(image), image.image.form->why)};
    case TagClass::kNamedBuild:
      return Verdict{Level::kNote, named_build(image)};
    case TagClass::kMissingTag:
      return Verdict{Level::kWarning,
                     fmt::format("The image '{}' has no tag: the registry takes 'latest', which "
                                 "moves with every push.",
                                 image.reference())};
    case TagClass::kPlaceholder:
      return Verdict{Level::kError, placeholder(image)};
    default:
      return std::nullopt;
  }
}

std::optional<Verdict> judge(const DistinctImage& image, const RuleOptions& options) {
  if (auto verdict = judge_content(image)) return verdict;
  const auto tag_class = image.image.tag_class;
  const bool fixed_by_name = tag_class != TagClass::kDigest && tag_class != TagClass::kUnknown;
  if (!fixed_by_name || options.image_pinning == RuleOptions::ImagePinning::kVersion) {
    return std::nullopt;
  }
  return Verdict{Level::kWarning,
                 fmt::format("The image '{}' has no digest, and the configuration demands one "
                             "('immutable: digest').",
                             image.reference())};
}

std::vector<std::string> remedies(const DistinctImage& image, const RuleOptions& options) {
  if (image.image.tag_class == TagClass::kPlaceholder) {
    return {
        "Write the image that is meant, by its digest ('<repository>@sha256:<digest>') or by a "
        "version ('<repository>:<version>')."};
  }
  std::vector<std::string> result = {
      fmt::format("Pin the content that was measured: '{}' ('docker buildx imagetools inspect {}' "
                  "prints the digest).",
                  digest_form(image), image.identity)};
  if (options.image_pinning == RuleOptions::ImagePinning::kDigest) return result;
  if (const std::string release = release_form(image); !release.empty()) {
    result.push_back(
        fmt::format("Use a release of {}: '{}'.", image.image.publisher->name, release));
  } else {
    result.push_back(fmt::format("Push it under a name that is used once, such as a version: '{}'.",
                                 facts::retagged_as(*image.image.reference, "<version>")));
  }
  return result;
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  for (const auto& image : distinct_images(context)) {
    auto verdict = judge(image, context.options);
    if (!verdict) continue;
    Finding finding = finding_about(image, kId);
    finding.level = verdict->level;
    finding.message = std::move(verdict->message);
    finding.remedies = remedies(image, context.options);
    if (const auto* form = image.image.form) {
      finding.facts.push_back(form_fact(image, facts::to_string(form->tag_class), form->evidence));
    }
    sink.report(std::move(finding));
  }
}

}  // namespace

Rule mutable_image_tag() {
  return {kId,
          "mutable-image-tag",
          Level::kWarning,
          Precision::kHigh,
          "The image reference does not fix what runs: a rolling, hand-made or missing tag, or a "
          "placeholder.",
          embedded_pages("mutable_image_tag.md"),
          run};
}

}  // namespace recipelint::rules
