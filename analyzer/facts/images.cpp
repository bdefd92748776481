#include "analyzer/facts/images.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include "analyzer/facts/ascii.h"

namespace recipelint::facts {
namespace {

constexpr std::array<std::pair<std::string_view, TagClass>, 11> kClassNames = {{
    {"digest", TagClass::kDigest},
    {"release", TagClass::kRelease},
    {"dated-release", TagClass::kDatedRelease},
    {"dated-nightly", TagClass::kDatedNightly},
    {"commit-nightly", TagClass::kCommitNightly},
    {"rolling", TagClass::kRolling},
    {"named", TagClass::kNamed},
    {"named-build", TagClass::kNamedBuild},
    {"missing-tag", TagClass::kMissingTag},
    {"placeholder", TagClass::kPlaceholder},
    {"unknown", TagClass::kUnknown},
}};

/// What data files may say; the other classes follow from the reference itself.
constexpr std::array kFormClasses = {
    TagClass::kRelease, TagClass::kDatedRelease, TagClass::kDatedNightly, TagClass::kCommitNightly,
    TagClass::kRolling, TagClass::kNamed,        TagClass::kNamedBuild};

bool can_move(TagClass tag_class) {
  return tag_class == TagClass::kRolling || tag_class == TagClass::kNamed ||
         tag_class == TagClass::kNamedBuild;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), to_lower);
  return result;
}

/// Reads the entries of one file.
class ImagesReader {
 public:
  explicit ImagesReader(const std::vector<Retention>& known) : known_(known) {}

  std::vector<Publisher> publishers;
  std::vector<TagForm> general_forms;
  std::vector<Retention> retentions;
  std::vector<std::string> placeholder_words;

  std::optional<text::Error> read(yaml::Node root) {
    fields_.mapping(root, {"publishers", "retention", "general_forms", "placeholders"});
    each(root, "retention", [&](yaml::Node node) { retentions.push_back(retention(node)); });
    each(root, "publishers", [&](yaml::Node node) { read_publisher(node); });
    read_forms(root, "general_forms", general_forms);
    if (const auto node = root.find("placeholders")) read_placeholders(node);
    return fields_.error();
  }

 private:
  template <typename Read>
  void each(yaml::Node node, std::string_view key, Read read) {
    const auto items = fields_.list(node, key);
    for (std::size_t i = 0; fields_.ok() && i < items.size(); ++i) read(items.item(i));
  }

  Retention retention(yaml::Node node) {
    fields_.mapping(node,
                    {"id", "keeps", "builds_per_day", "lasts_days", "rule", "source", "date"});
    Retention result;
    result.id = fields_.text(node, "id");
    if (node.find("lasts_days")) {
      result.lasts_days = fields_.count(node, "lasts_days");
    } else {
      result.keeps = fields_.count(node, "keeps");
      result.builds_per_day = fields_.count(node, "builds_per_day");
    }
    result.rule = fields_.text(node, "rule");
    result.evidence = fields_.evidence(node);
    if (find(retentions, result.id)) fields_.fail(node, "this retention is there twice");
    return result;
  }

  static const Retention* find(const std::vector<Retention>& list, std::string_view id) {
    const auto found = std::find_if(list.begin(), list.end(),
                                    [&](const Retention& retention) { return retention.id == id; });
    return found == list.end() ? nullptr : &*found;
  }

  std::optional<Retention> retention_of(yaml::Node node) {
    const std::string id = fields_.optional_text(node, "retention");
    if (id.empty()) return std::nullopt;
    if (const auto* own = find(retentions, id)) return *own;
    if (const auto* known = find(known_, id)) return *known;
    fields_.fail(node.find("retention"), fmt::format("no retention is called '{}'", id));
    return std::nullopt;
  }

  TagPattern pattern(yaml::Node node, std::string_view key) {
    auto compiled = TagPattern::compile(fields_.text(node, key));
    if (compiled) return std::move(compiled).value();
    fields_.fail(node.find(key), compiled.error().message);
    return {};
  }

  void read_publisher(yaml::Node node) {
    fields_.mapping(node, {"repository", "name", "engine", "release", "source", "date", "forms"});
    Publisher publisher{pattern(node, "repository"),
                        fields_.text(node, "name"),
                        fields_.optional_text(node, "engine"),
                        fields_.optional_text(node, "release"),
                        {},
                        fields_.evidence(node)};
    if (!repositories_.insert(publisher.repository.text()).second) {
      fields_.fail(node, "this publisher is there twice");
    }
    read_forms(node, "forms", publisher.forms);
    publishers.push_back(std::move(publisher));
  }

  void read_forms(yaml::Node node, std::string_view key, std::vector<TagForm>& forms) {
    std::set<std::string> seen;
    each(node, key, [&](yaml::Node item) {
      forms.push_back(form(item));
      if (!seen.insert(forms.back().tag.text()).second) {
        fields_.fail(item, "this form is there twice");
      }
    });
  }

  TagForm form(yaml::Node node) {
    fields_.mapping(node, {"tag", "class", "why", "retention", "examples", "source", "date"});
    TagForm result{pattern(node, "tag"),
                   tag_class(node),
                   fields_.optional_text(node, "why"),
                   retention_of(node),
                   {},
                   fields_.evidence(node)};
    each(node, "examples", [&](yaml::Node item) { result.examples.emplace_back(item.text()); });
    if (can_move(result.tag_class) == result.why.empty()) {
      fields_.fail(node, "'why' belongs to the classes rolling, named and named-build");
    }
    return result;
  }

  TagClass tag_class(yaml::Node node) {
    const std::string name = fields_.text(node, "class");
    for (const auto tag_class : kFormClasses) {
      if (to_string(tag_class) == name) return tag_class;
    }
    fields_.fail(node.find("class"), fmt::format("no class of tags is called '{}'", name));
    return TagClass::kUnknown;
  }

  void read_placeholders(yaml::Node node) {
    fields_.mapping(node, {"words", "source", "date"});
    fields_.evidence(node);
    each(node, "words", [&](yaml::Node item) { placeholder_words.push_back(lower(item.text())); });
  }

  const std::vector<Retention>& known_;
  FactReader fields_;
  std::set<std::string> repositories_;
};

template <typename T>
void put_first(std::vector<T>& entries, std::vector<T> first) {
  first.insert(first.end(), std::make_move_iterator(entries.begin()),
               std::make_move_iterator(entries.end()));
  entries = std::move(first);
}

/// Text that another program fills in: a template, or a shell variable (`$oauthtoken`, the user of
/// NVIDIA's registry, is none).
bool has_variable(std::string_view text) {
  if (text.find("{{") != std::string_view::npos) return true;
  for (auto at = text.find('$'); at != std::string_view::npos; at = text.find('$', at + 1)) {
    const char next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (next == '{' || next == '(' || next == '_' || is_upper(next)) return true;
  }
  return false;
}

bool has_angle_brackets(std::string_view text) {
  const auto open = text.find('<');
  return open != std::string_view::npos && text.find('>', open) != std::string_view::npos;
}

std::string_view bytes(std::string_view text, ByteRange range) {
  return text.substr(range.begin, range.end - range.begin);
}

/// Takes over what the fields of a form stood for.
void read_captures(ImageClass& result, const std::vector<TagPattern::Capture>& captures) {
  const std::string_view tag = result.reference->tag;
  for (const auto& [field, range] : captures) {
    switch (field) {
      case TagPattern::Field::kVersion:
        result.version = bytes(tag, range);
        break;
      case TagPattern::Field::kCommit:
      case TagPattern::Field::kShortCommit:
      case TagPattern::Field::kHash:
        result.commit = bytes(tag, range);
        break;
      case TagPattern::Field::kDate:
      case TagPattern::Field::kMinute:
        result.date = parse_date(bytes(tag, range).substr(0, 8));
        break;
      default:
        break;
    }
  }
}

}  // namespace

std::string_view to_string(TagClass tag_class) {
  const auto found = std::find_if(kClassNames.begin(), kClassNames.end(),
                                  [&](const auto& entry) { return entry.second == tag_class; });
  return found->first;
}

std::optional<text::Error> ImageFacts::add(yaml::Node root) {
  ImagesReader reader(retentions_);
  if (auto error = reader.read(root)) return error;
  put_first(publishers_, std::move(reader.publishers));
  put_first(general_forms_, std::move(reader.general_forms));
  put_first(retentions_, std::move(reader.retentions));
  put_first(placeholder_words_, std::move(reader.placeholder_words));
  return std::nullopt;
}

const Publisher* ImageFacts::find_publisher(const ImageReference& reference) const {
  std::string name = canonical_repository(reference);
  constexpr std::string_view kHub = "docker.io/";
  if (name.starts_with(kHub)) name.erase(0, kHub.size());
  const auto found = std::find_if(
      publishers_.begin(), publishers_.end(),
      [&](const Publisher& publisher) { return publisher.repository.match(name).has_value(); });
  return found == publishers_.end() ? nullptr : &*found;
}

bool ImageFacts::is_placeholder(std::string_view text) const {
  return std::find(placeholder_words_.begin(), placeholder_words_.end(), lower(text)) !=
         placeholder_words_.end();
}

void ImageFacts::classify_tag(ImageClass& result) const {
  const auto match = [&](const std::vector<TagForm>& forms) {
    for (const auto& form : forms) {
      const auto captures = form.tag.match(result.reference->tag);
      if (!captures) continue;
      result.form = &form;
      result.tag_class = form.tag_class;
      read_captures(result, *captures);
      return true;
    }
    return false;
  };
  if (result.publisher != nullptr && match(result.publisher->forms)) return;
  match(general_forms_);
}

ImageClass ImageFacts::classify(std::string_view text) const {
  ImageClass result;
  if (text.empty() || has_angle_brackets(text) || is_placeholder(text)) {
    result.tag_class = TagClass::kPlaceholder;
    return result;
  }
  if (has_variable(text)) return result;
  auto parsed = parse_image_reference(text);
  if (std::holds_alternative<ImageReferenceError>(parsed)) return result;
  result.reference = std::get<ImageReference>(std::move(parsed));
  const auto& reference = *result.reference;
  result.publisher = find_publisher(reference);
  if (!reference.tag.empty()) classify_tag(result);
  const std::string_view repository = reference.repository;
  if (!reference.digest.empty()) {
    result.tag_class = TagClass::kDigest;
  } else if (is_placeholder(reference.tag) ||
             is_placeholder(repository.substr(0, repository.find('/')))) {
    result.tag_class = TagClass::kPlaceholder;
  } else if (reference.tag.empty()) {
    result.tag_class = TagClass::kMissingTag;
  }
  return result;
}

}  // namespace recipelint::facts
