#include "analyzer/facts/engine_version.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "analyzer/facts/ascii.h"
#include "analyzer/facts/calendar_release.h"

namespace recipelint::facts {
namespace {

constexpr std::array<std::string_view, 4> kEngines = {"vllm", "sglang", "trtllm", "atom"};
constexpr std::int64_t kSecondsPerDay = 24 * 60 * 60;

/// A build that a recipe names was made from a commit of the weeks before. Three months are more
/// than any build whose commit is known took.
constexpr std::int64_t kLongestUseOfOldCommits = 90 * kSecondsPerDay;

enum class End : std::uint8_t { kFrom, kTo };

/// Seconds of a day from "19:18" or "19:18:05"; a minute counts from its beginning or to its end.
std::optional<std::int64_t> parse_time(std::string_view text, End end) {
  const bool has_seconds = text.size() == 8;
  if (text.size() != 5 && !has_seconds) return std::nullopt;
  std::array<int, 3> parts = {0, 0, end == End::kFrom ? 0 : 59};
  for (std::size_t i = 0; i * 3 < text.size(); ++i) {
    const auto part = text.substr(i * 3, 2);
    if (!is_digit(part[0]) || !is_digit(part[1])) return std::nullopt;
    if (i > 0 && text[i * 3 - 1] != ':') return std::nullopt;
    parts[i] = (part[0] - '0') * 10 + part[1] - '0';
  }
  if (parts[0] > 23 || parts[1] > 59 || parts[2] > 59) return std::nullopt;
  return (parts[0] * 60 + parts[1]) * 60 + parts[2];
}

/// "2026-08-07T19:18", or a day, which counts from its beginning or to its end.
std::optional<std::int64_t> parse_moment(std::string_view text, End end) {
  const auto day = parse_date(text.substr(0, text.find('T')));
  if (!day) return std::nullopt;
  const std::int64_t midnight = std::int64_t{days_since_epoch(*day)} * kSecondsPerDay;
  if (text.find('T') == std::string_view::npos) {
    return end == End::kFrom ? midnight : midnight + kSecondsPerDay - 1;
  }
  const auto time = parse_time(text.substr(text.find('T') + 1), end);
  return time ? std::optional(midnight + *time) : std::nullopt;
}

text::Error broken_line(std::string_view table, const Table::Row& row, std::string_view what) {
  return {fmt::format("{}: line {}: {}", table, row.line, what), {}};
}

bool is_engine(std::string_view name) {
  return std::find(kEngines.begin(), kEngines.end(), name) != kEngines.end();
}

/// Candidates are cut with their release, so what the release has, they have.
Release without_candidate(Release release) {
  release.candidate = Release::kFinal;
  return release;
}

/// Does `release` have what came with `first`? Where candidates are releases of their own, which
/// are cut one after the other, tables name them.
bool is_at_least(const Release& release, const Release& first) {
  if (first.candidate != Release::kFinal) return release >= first;
  return without_candidate(release) >= without_candidate(first);
}

/// A patch release comes from the branch of its minor release, a post-release of a candidate from
/// that of the candidate.
bool is_from_branch_of(const Release& release, const Release& other) {
  const bool same_minor =
      release.number[0] == other.number[0] && release.number[1] == other.number[1];
  if (!same_minor || release.candidate != other.candidate) return false;
  return release.candidate == Release::kFinal || release.number[2] == other.number[2];
}

std::int64_t start_of(const Date& day) {
  return std::int64_t{days_since_epoch(day)} * kSecondsPerDay;
}

EngineVersion version_of_build(const BuildDate& built) {
  const std::string name = fmt::format("a build {}", to_string(built));
  const std::int64_t to = start_of(*built.latest) + kSecondsPerDay - 1;
  if (!built.earliest) {
    return EngineVersion::of_bracket({to - kLongestUseOfOldCommits, to}, name);
  }
  // A nightly build is made from a commit of its day or of the day before.
  return EngineVersion::of_bracket({start_of(*built.earliest) - kSecondsPerDay, to}, name);
}

bool is_hand_made(TagClass tag_class) {
  return tag_class == TagClass::kNamed || tag_class == TagClass::kNamedBuild ||
         tag_class == TagClass::kRolling;
}

}  // namespace

EngineVersion EngineVersion::of_release(Release release, TimeRange cut) {
  EngineVersion version;
  version.kind_ = Kind::kRelease;
  version.release_ = release;
  version.range_ = cut;
  version.name_ = to_string(release);
  return version;
}

EngineVersion EngineVersion::of_commit(std::int64_t time, std::string name) {
  EngineVersion version;
  version.kind_ = Kind::kCommit;
  version.range_ = {time, time};
  version.name_ = std::move(name);
  return version;
}

EngineVersion EngineVersion::of_bracket(TimeRange range, std::string name) {
  EngineVersion version;
  version.kind_ = Kind::kBracket;
  version.range_ = range;
  version.name_ = std::move(name);
  return version;
}

EngineVersion::Answer EngineVersion::has(const Change& change) const {
  if (kind_ == Kind::kUnknown) return Answer::kMaybe;
  if (release_ && change.release) {
    return is_at_least(*release_, *change.release) ? Answer::kYes : Answer::kNo;
  }
  if (range_.from >= change.when.to) return Answer::kYes;
  if (range_.to < change.when.from) return Answer::kNo;
  if (moment_) return *moment_ >= change.when.to ? Answer::kYes : Answer::kNo;
  return Answer::kMaybe;
}

EngineVersion EngineVersion::at(std::int64_t moment) const {
  EngineVersion version = *this;
  version.moment_ = moment;
  return version;
}

text::Result<VersionFacts> VersionFacts::read(Table releases, Table changes, Table matrix) {
  VersionFacts facts;
  facts.release_table_ = std::move(releases);
  facts.change_table_ = std::move(changes);
  facts.matrix_table_ = std::move(matrix);
  if (auto error = facts.read_releases()) return *error;
  if (auto error = facts.read_changes()) return *error;
  if (auto error = facts.read_matrix()) return *error;
  return facts;
}

std::optional<text::Error> VersionFacts::read_releases() {
  for (std::size_t i = 0; i < release_table_.size(); ++i) {
    const auto row = release_table_.row(i);
    const auto fail = [&](std::string_view what) { return broken_line("releases", row, what); };
    const auto release = parse_release(row.cells[1]);
    const auto from = parse_moment(row.cells[2], End::kFrom);
    const auto to = parse_moment(row.cells[3], End::kTo);
    if (!is_engine(row.cells[0])) return fail("no engine has this name");
    if (!release) return fail("this is no release");
    if (!from || !to || *from > *to) return fail("the branch left main between two moments");
    const KnownRelease entry{row.cells[0], *release, {*from, *to}, row.evidence};
    const bool twice = std::ranges::any_of(releases_, [&](const KnownRelease& other) {
      return other.engine == entry.engine && other.release == entry.release;
    });
    if (twice) return fail("this release is there twice");
    releases_.push_back(entry);
  }
  std::ranges::sort(releases_, {}, [](const KnownRelease& known) {
    return std::pair(known.engine, known.release);
  });
  return std::nullopt;
}

std::optional<text::Error> VersionFacts::read_changes() {
  for (std::size_t i = 0; i < change_table_.size(); ++i) {
    const auto row = change_table_.row(i);
    const auto fail = [&](std::string_view what) { return broken_line("changes", row, what); };
    if (!is_engine(row.cells[0])) return fail("no engine has this name");
    Change change{row.cells[1], parse_release(row.cells[2]), {}, row.cells[5], row.evidence};
    if (!row.cells[2].empty() && !change.release) return fail("this is no release");
    const auto from = parse_moment(row.cells[3], End::kFrom);
    const auto to = row.cells[4].empty() ? from : parse_moment(row.cells[4], End::kTo);
    if (!from || !to || *from > *to) return fail("a change came between two moments");
    change.when = {*from, *to};
    if (find_change(row.cells[0], change.id) != nullptr) {
      return fail("this change is there twice");
    }
    changes_.insert(place_of(row.cells[0], change.id), {row.cells[0], change});
  }
  return std::nullopt;
}

std::optional<text::Error> VersionFacts::read_matrix() {
  for (std::size_t i = 0; i < matrix_table_.size(); ++i) {
    const auto row = matrix_table_.row(i);
    const auto release = parse_release(row.cells[3]);
    if (!is_engine(row.cells[2])) return broken_line("matrix", row, "no engine has this name");
    if (!release) return broken_line("matrix", row, "this is no release");
    matrix_.push_back({row.cells[0], row.cells[1], row.cells[2], *release});
  }
  return std::nullopt;
}

EngineVersion VersionFacts::release_version(std::string_view engine, const Release& release) const {
  const bool numbered = std::ranges::any_of(releases_, [&](const KnownRelease& known) {
    return known.engine == engine && known.release.candidate != Release::kFinal;
  });
  const Release wanted = numbered ? release : without_candidate(release);
  const KnownRelease* before = nullptr;
  const KnownRelease* after = nullptr;
  for (const auto& known : releases_) {
    if (known.engine != engine) continue;
    if (known.release <= wanted) before = &known;
    if (known.release >= wanted && after == nullptr) after = &known;
  }
  TimeRange cut;
  if (before != nullptr) cut.from = before->cut.from;
  if (after != nullptr) cut.to = after->cut.to;
  if (before != nullptr && is_from_branch_of(wanted, before->release)) cut = before->cut;
  return EngineVersion::of_release(release, cut);
}

EngineVersion VersionFacts::version_of_content(const ImageClass& image,
                                               std::string_view engine) const {
  if (!image.reference) return {};
  const std::string repository = canonical_repository(*image.reference);
  for (const auto& content : matrix_) {
    if (content.engine == engine && repository.starts_with(content.repository) &&
        image.reference->tag == content.version) {
      return release_version(engine, content.release);
    }
  }
  return {};
}

EngineVersion VersionFacts::version_of(const ImageClass& image, std::string_view engine,
                                       const BuildFacts& builds) const {
  const std::string_view own =
      image.publisher == nullptr ? std::string_view{} : std::string_view(image.publisher->engine);
  if (own.empty()) {
    if (auto content = version_of_content(image, engine); content.known()) return content;
  } else if (own != engine) {
    return {};
  }
  EngineVersion version;
  const auto commit = builds.find_commit(engine, image.commit);
  // Days and commits of a foreign image count only if they cannot be those of something else.
  const bool trusted = !own.empty() || image.commit.size() >= CommitIndex::kHashDigits;
  if (commit.commit && trusted) {
    version = EngineVersion::of_commit(
        commit.commit->seconds_since_epoch,
        fmt::format("main of {} ({})", to_string(commit.commit->day), commit.commit->hash));
  } else if (const auto release = parse_release(image.version);
             release && !own.empty() && image.commit.empty()) {
    version = release_version(engine, *release);
  } else if (!own.empty()) {
    const auto built = builds.build_date(image);
    if (built.known()) version = version_of_build(built);
  }
  const bool short_commit = !image.commit.empty() && !commit.commit;
  if (is_hand_made(image.tag_class) || short_commit || own.empty()) version.set_custom();
  return version;
}

std::vector<VersionFacts::EngineChange>::const_iterator VersionFacts::place_of(
    std::string_view engine, std::string_view id) const {
  return std::ranges::lower_bound(
      changes_, std::pair(engine, id), {}, [](const EngineChange& entry) {
        return std::pair(entry.engine, std::string_view(entry.change.id));
      });
}

const Change* VersionFacts::find_change(std::string_view engine, std::string_view id) const {
  const auto place = place_of(engine, id);
  const bool found = place != changes_.end() && place->engine == engine && place->change.id == id;
  return found ? &place->change : nullptr;
}

Change VersionFacts::change_of(std::string_view engine, const Release& release) const {
  Change change;
  if (const auto day = day_of(release)) {
    change.when = {start_of(*day), start_of(*day) + kSecondsPerDay - 1};
    return change;
  }
  change.release = release;
  const auto at = std::find_if(releases_.begin(), releases_.end(), [&](const KnownRelease& known) {
    return known.engine == engine && known.release == release;
  });
  if (at == releases_.end()) return change;
  change.when.to = at->cut.to;
  // It was looked for, and not found, at the release before.
  if (at != releases_.begin() && std::prev(at)->engine == engine) {
    change.when.from = std::prev(at)->cut.from;
  }
  return change;
}

std::vector<const Change*> VersionFacts::changes(std::string_view engine) const {
  std::vector<const Change*> result;
  for (const auto& entry : changes_) {
    if (entry.engine == engine) result.push_back(&entry.change);
  }
  return result;
}

EngineVersion VersionFacts::newest() {
  return EngineVersion::of_bracket({TimeRange::kNever, TimeRange::kNever}, "unknown");
}

std::vector<EngineVersion> VersionFacts::alternatives(std::string_view engine,
                                                      const EngineVersion& version) const {
  if (!version.known()) return {newest()};
  std::vector<std::int64_t> moments = {TimeRange::kAlways};
  for (const auto& entry : changes_) {
    const bool open = version.has(entry.change) == EngineVersion::Answer::kMaybe;
    if (entry.engine == engine && open) moments.push_back(entry.change.when.to);
  }
  std::sort(moments.begin(), moments.end());
  moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
  std::vector<EngineVersion> result;
  for (const auto moment : moments) result.push_back(version.at(moment));
  return result;
}

}  // namespace recipelint::facts
