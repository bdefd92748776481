#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts/fact_reader.h"
#include "analyzer/facts/image_reference.h"
#include "analyzer/facts/tag_pattern.h"

namespace recipelint::facts {

/// What an image reference promises about the content behind it.
enum class TagClass : std::uint8_t {
  kDigest,         // the content itself is named
  kRelease,        // a version, fixed by convention
  kDatedRelease,   // a version and the day of its build
  kDatedNightly,   // the day or minute of a build
  kCommitNightly,  // the commit of a build
  kRolling,        // moved on purpose: latest, nightly, dev
  kNamed,          // named after a model, a branch, a purpose
  kNamedBuild,     // the same, but with a commit or a day in the name
  kMissingTag,     // no tag: the registry takes "latest"
  kPlaceholder,    // a text that somebody forgot to fill in
  kUnknown,        // no reference that can be judged: malformed, a local file, a variable
};

/// "release", "commit-nightly" and so on, as in data/images.yaml.
std::string_view to_string(TagClass tag_class);

/// How long a publisher keeps its tags.
struct Retention {
  std::string id;
  int keeps = 1;  // builds, the newest included
  int builds_per_day = 1;
  /// A number of days after the push instead, whatever is pushed later; 0: builds are counted.
  int lasts_days = 0;
  std::string rule;  // in words
  Evidence evidence;

  /// Days after which as many newer builds exist, if they come as often as they should, or those
  /// that the tag lasts.
  int days() const {
    return lasts_days > 0 ? lasts_days : (keeps + builds_per_day - 1) / builds_per_day;
  }
};

/// One form of tags.
struct TagForm {
  TagPattern tag;
  TagClass tag_class = TagClass::kUnknown;
  std::string why;  // why the tag can move; empty if it does not
  std::optional<Retention> retention;
  std::vector<std::string> examples;
  Evidence evidence;
};

/// Who pushes to a repository (or to several that work alike).
struct Publisher {
  TagPattern repository;
  std::string name;
  std::string engine;  // "vllm", "sglang", "trtllm", "atom"; empty if tags name no engine
  /// The form of a release tag ("v<version>"), or of a whole reference ("acme/engine:v<version>")
  /// if releases are in another repository; empty if there are none.
  std::string release_form;
  std::vector<TagForm> forms;
  Evidence evidence;
};

/// What is known about one image reference. Publisher and form are valid as long as the facts.
struct ImageClass {
  TagClass tag_class = TagClass::kUnknown;
  std::optional<ImageReference> reference;  // missing if the text is none
  const Publisher* publisher = nullptr;     // null if it is not known
  const TagForm* form = nullptr;            // of the tag, also behind a digest; null without a tag
  std::string version;                      // of the engine, as far as the tag names it
  std::string commit;                       // 7 to 40 digits
  std::optional<Date> date;
};

/// What is known about images: publishers, forms of tags, and what becomes of them.
class ImageFacts {
 public:
  /// Reads the schema of data/images.yaml and puts its entries before those that are there. On
  /// failure, nothing is added.
  std::optional<text::Error> add(yaml::Node root);

  /// `reference` as written in a configuration, without quotes.
  ImageClass classify(std::string_view reference) const;

  const std::vector<Publisher>& publishers() const { return publishers_; }
  const std::vector<TagForm>& general_forms() const { return general_forms_; }
  const std::vector<Retention>& retentions() const { return retentions_; }

 private:
  const Publisher* find_publisher(const ImageReference& reference) const;
  bool is_placeholder(std::string_view text) const;
  void classify_tag(ImageClass& result) const;

  std::vector<Publisher> publishers_;
  std::vector<TagForm> general_forms_;
  std::vector<Retention> retentions_;
  std::vector<std::string> placeholder_words_;  // lower case
};

}  // namespace recipelint::facts
