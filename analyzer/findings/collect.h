#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "analyzer/findings/finding.h"

namespace recipelint::findings {

/// Gathers findings in any order and gives them in one order that depends on their content alone.
/// Not thread-safe: use one per thread and add them to one.
class Collector final : public FindingSink {
 public:
  void report(Finding finding) override { findings_.push_back(std::move(finding)); }
  void report_unevaluated(Unevaluated unevaluated) override {
    unevaluated_.push_back(std::move(unevaluated));
  }

  /// Adds what the other one has, in its order.
  void add(Collector other);

  /// All findings so far, ordered by file, place, rule and message, with their cells sorted and
  /// their fingerprints set; the collector is empty afterwards. Texts of more than 2000 bytes are
  /// cut off.
  ///
  /// Findings of one rule at one place with one identity are one defect (without an identity the
  /// message tells them apart). They become one finding: the most severe one, with the cells,
  /// related places, remedies, fixes and facts of all.
  std::vector<Finding> take();
  /// What rules could not judge, sorted, each once; the collector forgets it.
  std::vector<Unevaluated> take_unevaluated();

 private:
  std::vector<Finding> findings_;
  std::vector<Unevaluated> unevaluated_;
};

struct LevelCounts {
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t notes = 0;

  friend bool operator==(const LevelCounts&, const LevelCounts&) = default;
};

LevelCounts count_levels(std::span<const Finding> findings);

}  // namespace recipelint::findings
