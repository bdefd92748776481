#include "analyzer/facts/builds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "analyzer/facts/ascii.h"
#include "analyzer/facts/embedded.h"

namespace recipelint::facts {
namespace {

constexpr std::array<std::string_view, 2> kEngines = {"vllm", "sglang"};

/// A prefix of this length is met by accident less than once in 10^10 even among 20,000 commits.
constexpr std::size_t kUnmistakable = CommitIndex::kHashDigits;

BuildDate dated(const CommitTime& commit, const CommitIndex& index) {
  return {commit.day, commit.day, fmt::format("the time of its commit, {}", commit.hash),
          fmt::format("{}, {}", index.header("Source"), index.header("Date"))};
}

bool same_commit(std::string_view a, std::string_view b) {
  return a.starts_with(b) || b.starts_with(a);
}

}  // namespace

std::string to_string(const BuildDate& date) {
  if (!date.known()) return "on an unknown day";
  if (date.exact()) return fmt::format("on {}", to_string(*date.latest));
  if (!date.earliest) return fmt::format("by {}", to_string(*date.latest));
  return fmt::format("between {} and {}", to_string(*date.earliest), to_string(*date.latest));
}

class BuildFacts::Reader {
 public:
  std::vector<Entry> entries;

  std::optional<text::Error> read(yaml::Node root) {
    fields_.mapping(root, {"builds"});
    const auto items = fields_.list(root, "builds");
    for (std::size_t i = 0; fields_.ok() && i < items.size(); ++i) read_entry(items.item(i));
    return fields_.error();
  }

 private:
  void read_entry(yaml::Node node) {
    fields_.mapping(
        node, {"engine", "version", "commit", "day", "from", "to", "basis", "source", "date"});
    Entry entry{fields_.text(node, "engine"),
                fields_.optional_text(node, "version"),
                fields_.optional_text(node, "commit"),
                fields_.optional_date(node, "from"),
                fields_.optional_date(node, "to"),
                fields_.text(node, "basis"),
                fields_.evidence(node)};
    if (const auto day = fields_.optional_date(node, "day")) {
      if (entry.earliest || entry.latest)
        fields_.fail(node, "'day' stands without 'from' and 'to'");
      entry.earliest = entry.latest = day;
    }
    check(node, entry);
    entries.push_back(std::move(entry));
  }

  void check(yaml::Node node, const Entry& entry) {
    if (std::find(kEngines.begin(), kEngines.end(), entry.engine) == kEngines.end()) {
      fields_.fail(node.find("engine"), "the engine is vllm or sglang");
    }
    if (entry.version.empty() == entry.commit.empty()) {
      fields_.fail(node, "an entry has either a version or a commit");
    }
    if (!entry.latest) fields_.fail(node, "an entry has 'day' or 'to'");
    if (entry.earliest && entry.latest && *entry.earliest > *entry.latest) {
      fields_.fail(node, "'from' lies after 'to'");
    }
    const bool hexadecimal = std::all_of(entry.commit.begin(), entry.commit.end(), is_lower_hex);
    if (!hexadecimal || (!entry.commit.empty() && entry.commit.size() < 7)) {
      fields_.fail(node.find("commit"), "a commit has at least 7 lower-case hexadecimal digits");
    }
    const bool twice = std::any_of(entries.begin(), entries.end(), [&](const Entry& other) {
      return other.engine == entry.engine && other.version == entry.version &&
             other.commit == entry.commit;
    });
    if (twice) fields_.fail(node, "this build is there twice");
  }

  FactReader fields_;
};

BuildFacts::BuildFacts()
    : vllm_(embedded_data("vllm_commits.tsv")), sglang_(embedded_data("sglang_commits.tsv")) {}

std::optional<text::Error> BuildFacts::add(yaml::Node root) {
  Reader reader;
  if (auto error = reader.read(root)) return error;
  reader.entries.insert(reader.entries.end(), std::make_move_iterator(entries_.begin()),
                        std::make_move_iterator(entries_.end()));
  entries_ = std::move(reader.entries);
  return std::nullopt;
}

CommitIndex::Answer BuildFacts::find_commit(std::string_view engine,
                                            std::string_view prefix) const {
  if (engine == "vllm") return vllm_.find(prefix);
  if (engine == "sglang") return sglang_.find(prefix);
  return {};
}

std::optional<BuildDate> BuildFacts::date_of_commit(const ImageClass& image) const {
  if (image.commit.empty()) return std::nullopt;
  // A fork's image is often named by a commit of the engine: a long hash cannot be another's.
  const std::string own = image.publisher == nullptr ? "" : image.publisher->engine;
  const bool unmistakable = image.commit.size() >= kUnmistakable;
  for (const auto& entry : entries_) {
    const bool applies = entry.engine == own || unmistakable;
    if (applies && !entry.commit.empty() && same_commit(entry.commit, image.commit)) {
      return BuildDate{entry.earliest, entry.latest, entry.basis, to_string(entry.evidence)};
    }
  }
  for (const auto engine : kEngines) {
    if (engine != own && !unmistakable) continue;
    const auto answer = find_commit(engine, image.commit);
    if (answer.outcome != CommitIndex::Outcome::kFound) continue;
    return dated(*answer.commit, engine == "vllm" ? vllm_ : sglang_);
  }
  return std::nullopt;
}

std::optional<BuildDate> BuildFacts::date_of_release(const ImageClass& image) const {
  if (image.version.empty() || image.publisher == nullptr) return std::nullopt;
  for (const auto& entry : entries_) {
    if (entry.engine == image.publisher->engine && entry.version == image.version) {
      return BuildDate{entry.earliest, entry.latest, entry.basis, to_string(entry.evidence)};
    }
  }
  return std::nullopt;
}

BuildDate BuildFacts::build_date(const ImageClass& image) const {
  if (image.date) return {image.date, image.date, "the day in its tag", ""};
  if (auto date = date_of_commit(image)) return *std::move(date);
  // A hand-made or moving tag names the version it was made from, not the day of its own build.
  const bool release =
      image.tag_class == TagClass::kRelease || image.tag_class == TagClass::kDigest;
  if (!release) return {};
  return date_of_release(image).value_or(BuildDate{});
}

}  // namespace recipelint::facts
