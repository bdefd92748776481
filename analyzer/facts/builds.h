#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts/commit_index.h"
#include "analyzer/facts/images.h"

namespace recipelint::facts {

/// When an image was built, as far as it is known: on a day (both equal), between two days, not
/// after a day (only `latest`), or not at all (neither).
struct BuildDate {
  std::optional<Date> earliest;
  std::optional<Date> latest;
  /// What the days are: "the day in its tag", "the time of its commit".
  std::string basis;
  /// Where that is from; empty if it is the reference itself.
  std::string source;

  bool known() const { return latest.has_value(); }
  bool exact() const { return known() && earliest == latest; }
};

/// "on 2026-08-05", "between 2026-06-14 and 2026-06-22", "by 2026-07-27", or "on an unknown day".
std::string to_string(const BuildDate& date);

/// Builds and commits in time.
class BuildFacts {
 public:
  BuildFacts();

  /// Reads the schema of data/builds.yaml and puts its entries before those that are there. On
  /// failure, nothing is added.
  std::optional<text::Error> add(yaml::Node root);

  /// When the image was built. In this order: the day in its tag, the time of its commit, the
  /// release. An image that only a digest names is unknown.
  BuildDate build_date(const ImageClass& image) const;

  /// The time of a commit of "vllm" or "sglang" by its hash or the first 7 digits or more of it.
  CommitIndex::Answer find_commit(std::string_view engine, std::string_view prefix) const;

 private:
  struct Entry {
    std::string engine;
    std::string version;  // or
    std::string commit;
    std::optional<Date> earliest;
    std::optional<Date> latest;
    std::string basis;
    Evidence evidence;
  };
  class Reader;

  std::optional<BuildDate> date_of_commit(const ImageClass& image) const;
  std::optional<BuildDate> date_of_release(const ImageClass& image) const;

  std::vector<Entry> entries_;
  CommitIndex vllm_;
  CommitIndex sglang_;
};

}  // namespace recipelint::facts
