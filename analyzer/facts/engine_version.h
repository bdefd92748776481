#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts/builds.h"
#include "analyzer/facts/images.h"
#include "analyzer/facts/release.h"
#include "analyzer/facts/table.h"

namespace recipelint::facts {

/// A stretch of the time line of an engine's main branch, in seconds since 1970 (UTC), both ends
/// included.
struct TimeRange {
  static constexpr std::int64_t kAlways = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  std::int64_t from = kAlways;
  std::int64_t to = kNever;

  friend bool operator==(const TimeRange&, const TimeRange&) = default;
};

/// Something that changed in an engine. It came to main at some moment of `when`.
struct Change {
  std::string_view id;
  std::optional<Release> release;  // the first one that has it, where that was seen
  TimeRange when;
  std::string_view what;
  const Evidence* evidence = nullptr;
};

/// The place of an engine on its time line, as far as an image reference tells it.
class EngineVersion {
 public:
  enum class Kind : std::uint8_t {
    kUnknown,
    kRelease,  // a release by its number
    kCommit,   // a commit of main
    kBracket,  // some commit between two moments
  };
  enum class Answer : std::uint8_t { kNo, kMaybe, kYes };

  /// Nothing is known.
  EngineVersion() = default;
  /// A release whose branch left main in `cut`.
  static EngineVersion of_release(Release release, TimeRange cut);
  /// A commit of main. `name` says which one.
  static EngineVersion of_commit(std::int64_t time, std::string name);
  /// Some commit of main in `range`; `name` says which ("a build by 2026-07-27").
  static EngineVersion of_bracket(TimeRange range, std::string name);

  Kind kind() const { return kind_; }
  bool known() const { return kind_ != Kind::kUnknown; }
  const std::optional<Release>& release() const { return release_; }
  TimeRange range() const { return range_; }
  /// Built by hand or under a name that promises nothing: it can hold changes of its own.
  bool custom() const { return custom_; }
  void set_custom() { custom_ = true; }

  /// Does this version have the change? Of an unknown version: maybe.
  Answer has(const Change& change) const;
  bool certainly_has(const Change& change) const { return has(change) == Answer::kYes; }
  bool certainly_lacks(const Change& change) const { return has(change) == Answer::kNo; }

  /// "0.27.1", "main of 2026-08-03 (5e35a6f4f9bb)", "a build by 2026-07-27", "unknown".
  const std::string& name() const { return name_; }

  /// One of the versions that are possible: what this one leaves open is as it was at `moment`. It
  /// has or lacks every change, for certain.
  EngineVersion at(std::int64_t moment) const;

  friend bool operator==(const EngineVersion&, const EngineVersion&) = default;

 private:
  Kind kind_ = Kind::kUnknown;
  std::optional<Release> release_;
  TimeRange range_;
  std::optional<std::int64_t> moment_;  // decides what release and range leave open
  bool custom_ = false;
  std::string name_ = "unknown";
};

/// The time lines of the engines, and where images are on them. Engines are named "vllm", "sglang",
/// "trtllm" and "atom".
class VersionFacts {
 public:
  // Columns of the tables, and how many of them make a row what it is.
  static constexpr std::size_t kReleaseColumns = 4, kReleaseKeys = 2;
  static constexpr std::size_t kChangeColumns = 6, kChangeKeys = 2;
  static constexpr std::size_t kMatrixColumns = 4, kMatrixKeys = 3;

  /// Takes the tables of data/engine_*.tsv. Fails with the line of what is wrong.
  static text::Result<VersionFacts> read(Table releases, Table changes, Table matrix);

  /// The version of `engine` in an image. Unknown if the image does not tell it.
  EngineVersion version_of(const ImageClass& image, std::string_view engine,
                           const BuildFacts& builds) const;

  /// The turning point with this id; null if there is none.
  const Change* find_change(std::string_view engine, std::string_view id) const;
  /// Something that `release` was the first one to have (or to lack), as the tables of options say.
  Change change_of(std::string_view engine, const Release& release) const;
  /// All turning points of an engine, by id.
  std::vector<const Change*> changes(std::string_view engine) const;

  /// Cuts what is possible into versions on each of which every turning point is decided, oldest
  /// first. One for a version that is decided anyway. Of an unknown version: the newest that is
  /// known.
  std::vector<EngineVersion> alternatives(std::string_view engine,
                                          const EngineVersion& version) const;
  /// The version that has every turning point.
  static EngineVersion newest();

  struct KnownRelease {
    std::string_view engine;
    Release release;
    TimeRange cut;
    const Evidence* evidence = nullptr;
  };
  /// Sorted by engine, then release.
  const std::vector<KnownRelease>& releases() const { return releases_; }

 private:
  struct EngineChange {
    std::string_view engine;
    Change change;
  };
  struct Content {
    std::string_view repository;
    std::string_view version;
    std::string_view engine;
    Release release;
  };

  VersionFacts() = default;
  std::optional<text::Error> read_releases();
  std::optional<text::Error> read_changes();
  std::optional<text::Error> read_matrix();
  /// Where a turning point is among `changes_`, or belongs.
  std::vector<EngineChange>::const_iterator place_of(std::string_view engine,
                                                     std::string_view id) const;

  EngineVersion release_version(std::string_view engine, const Release& release) const;
  EngineVersion version_of_content(const ImageClass& image, std::string_view engine) const;

  // The tables own the evidence that the entries refer to.
  Table release_table_;
  Table change_table_;
  Table matrix_table_;
  std::vector<KnownRelease> releases_;
  std::vector<EngineChange> changes_;  // sorted by engine, then id
  std::vector<Content> matrix_;
};

}  // namespace recipelint::facts
