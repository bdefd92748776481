#pragma once

#include <string>
#include <vector>

#include "analyzer/facts/images.h"
#include "analyzer/findings/finding.h"
#include "analyzer/layout/workspace.h"
#include "rules/rule.h"

namespace recipelint::rules {

/// A place where an image is named: in a configuration, or in a "docker run" that a script starts.
struct ImagePlace {
  enum class Kind { kEntry, kSetting, kRecipeContainer, kCommand };
  Kind kind = Kind::kEntry;
  /// The reference as written, without quotes.
  std::string reference;
  text::Span span;
  /// For kCommand where the reference is written, if that is not on the command; else invalid.
  text::Span written;
  /// For kSetting the name of the variable.
  std::string setting;
  /// Keys of the entries that use it, or the paths of scripts that are run by hand, sorted.
  std::vector<std::string> keys;
};

/// One image in one file, however often and in whichever spelling the file names it. The containers
/// of recipes count as uses by the entries that select them; those that no entry names make one
/// image together.
struct DistinctImage {
  facts::ImageClass image;
  /// What the spellings have in common; the text itself if it is no image reference.
  std::string identity;
  /// In the order of the file, then those in recipes; never empty.
  std::vector<ImagePlace> uses;

  /// The reference as the first use has it.
  const std::string& reference() const { return uses.front().reference; }
};

/// All of a workspace, ordered by place, with those that its cells run by "docker run". Names without registry, folder and tag in a recipe's
/// container are left out: the launcher looks them up in a table of its own.
std::vector<DistinctImage> distinct_images(const RuleContext& context);

/// A finding about an image with everything but level, message, remedies and facts: at the tag of
/// the first use (the whole reference if there is no tag), with the other uses as related places.
findings::Finding finding_about(const DistinctImage& image, std::string_view rule);

/// Whether its registry deletes it within days of the push, whatever is pushed later.
bool is_short_lived(const DistinctImage& image);

/// "The tag 'v1' of 'acme/engine'"; only for an image that has a tag.
std::string tag_in_words(const DistinctImage& image);

/// "'nightly-{commit}' of docker.io/acme/engine: deleted (source, 2026-08-22)".
std::string form_fact(const DistinctImage& image, std::string_view what,
                      const facts::Evidence& evidence);

/// "repository@sha256:<digest>" in the spelling of the first use.
std::string digest_form(const DistinctImage& image);
/// The form of the publisher's release tags in the spelling of the first use; empty if not known.
std::string release_form(const DistinctImage& image);

}  // namespace recipelint::rules
