#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/facts/builds.h"
#include "analyzer/facts/catalog.h"
#include "rules/distinct_images.h"
#include "rules/images/images.h"
#include "rules/pages.h"

namespace recipelint::rules {
namespace {

using facts::BuildDate;
using facts::Date;
using facts::Retention;
using facts::TagClass;
using findings::Finding;
using findings::Level;

constexpr std::string_view kId = "RL3002";

/// A day between the commit and the push of its build, and a day on which no build succeeded: with
/// either, a tag lives longer than the number of kept builds says.
constexpr int kMarginDays = 2;

/// The retention under which the publisher deletes the tag, if its content is otherwise fixed.
const Retention* retention_of(const DistinctImage& image) {
  const auto* form = image.image.form;
  const bool fixed = image.image.tag_class == TagClass::kDatedNightly ||
                     image.image.tag_class == TagClass::kCommitNightly ||
                     image.image.tag_class == TagClass::kDatedRelease ||
                     image.image.tag_class == TagClass::kRelease;
  // Where a registry deletes everything soon, it does not matter that the tag could also move.
  if (is_short_lived(image)) return &*form->retention;
  return fixed && form != nullptr && form->retention ? &*form->retention : nullptr;
}

std::string plural(long count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// A tag that its registry deletes within days of the push, whatever is pushed later: whoever runs
/// the recipe after that needs no date to know.
std::string short_lived_message(const DistinctImage& image, const Retention& retention) {
  return fmt::format("{} does not last: {}. Nobody can run this {} later.", tag_in_words(image),
                     retention.rule, plural(retention.lasts_days, "day"));
}

/// "the 14 builds that are kept cover 14 days at 1 build a day".
std::string coverage(const Retention& retention) {
  return fmt::format("the {} that are kept cover {} at {} a day", plural(retention.keeps, "build"),
                     plural(retention.days(), "day"), plural(retention.builds_per_day, "build"));
}

/// "It was built on 2026-08-05 (the day in its tag)".
std::string built(const BuildDate& date) {
  return fmt::format("built {} ({})", facts::to_string(date), date.basis);
}

/// Days from the last possible day of the build to `as_of`: its least age.
std::optional<long> least_age(const BuildDate& date, const std::optional<Date>& as_of) {
  if (!as_of || !date.known()) return std::nullopt;
  return facts::days_since_epoch(*as_of) - facts::days_since_epoch(*date.latest);
}

std::string age_in_words(const BuildDate& date, long age, const Date& as_of) {
  return fmt::format("{}{} before {}", date.exact() ? "" : "at least ", plural(age, "day"),
                     facts::to_string(as_of));
}

std::string past_message(const DistinctImage& image, const Retention& retention,
                         const BuildDate& date, long age, const Date& as_of) {
  return fmt::format(
      "{} is past the publisher's retention: it was {}, {}, and {}, {} with a margin of {}.",
      tag_in_words(image), built(date), age_in_words(date, age, as_of), coverage(retention),
      plural(retention.days() + kMarginDays, "day"), kMarginDays);
}

std::string note_message(const DistinctImage& image, const Retention& retention,
                         const BuildDate& date, const std::optional<Date>& as_of) {
  const std::string first = fmt::format("{} has fixed content, but its publisher deletes it: {}.",
                                        tag_in_words(image), retention.rule);
  if (!date.known()) return first + " When it was built is not known.";
  const auto age = least_age(date, as_of);
  if (!age || *age < 0) return fmt::format("{} It was {}.", first, built(date));
  return fmt::format("{} It was {}, {}; {}.", first, built(date), age_in_words(date, *age, *as_of),
                     coverage(retention));
}

std::vector<std::string> remedies(const DistinctImage& image) {
  std::vector<std::string> result;
  if (const std::string release = release_form(image); !release.empty()) {
    result.push_back(fmt::format("Use a release of {}, which is kept: '{}'.",
                                 image.image.publisher->name, release));
  }
  result.push_back(
      "Copy the image to a registry that keeps it and name the copy by its digest: "
      "'<registry>/<repository>@sha256:<digest>'.");
  result.push_back(
      fmt::format("Pin the digest: '{}'; it works for as long as the registry keeps the manifest.",
                  digest_form(image)));
  return result;
}

std::vector<std::string> facts_used(const DistinctImage& image, const Retention& retention,
                                    const BuildDate& date) {
  std::vector<std::string> result = {form_fact(image, retention.rule, retention.evidence)};
  if (!date.source.empty()) {
    result.push_back(fmt::format("{}: built {}, {} ({})", image.image.reference->tag,
                                 facts::to_string(date), date.basis, date.source));
  }
  return result;
}

void run(const RuleContext& context, findings::FindingSink& sink) {
  const auto& as_of = context.options.as_of;
  for (const auto& image : distinct_images(context)) {
    const auto* retention = retention_of(image);
    if (retention == nullptr) continue;
    if (retention->lasts_days > 0) {
      Finding finding = finding_about(image, kId);
      finding.level = Level::kWarning;
      finding.message = short_lived_message(image, *retention);
      finding.remedies = remedies(image);
      finding.facts = {form_fact(image, retention->rule, retention->evidence)};
      sink.report(std::move(finding));
      continue;
    }
    const auto date = context.facts.builds().build_date(image.image);
    const auto age = least_age(date, as_of);
    const bool past = age && *age > retention->days() + kMarginDays;
    Finding finding = finding_about(image, kId);
    finding.level = past ? Level::kWarning : Level::kNote;
    finding.message = past ? past_message(image, *retention, date, *age, *as_of)
                           : note_message(image, *retention, date, as_of);
    finding.remedies = remedies(image);
    finding.facts = facts_used(image, *retention, date);
    sink.report(std::move(finding));
  }
}

}  // namespace

Rule expiring_image_tag() {
  return {kId,
          "expiring-image-tag",
          Level::kNote,
          Precision::kHigh,
          "The tag has fixed content, but its publisher deletes it after a number of newer builds.",
          embedded_pages("expiring_image_tag.md"),
          run};
}

}  // namespace recipelint::rules
